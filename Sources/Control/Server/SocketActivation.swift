import CLinux
import EventLoop
import Glibc

extension ControlListener {
  /// The first listening Unix stream socket among the descriptors that the service manager passed
  /// to this process (sd_listen_fds(3)); nil if it passed none.
  ///
  /// - Throws: `ListenError.noSocketPassed` if descriptors were passed but none of them is one.
  public static func inherited(
    from passed: PassedDescriptors = .ofThisProcess
  ) throws(ListenError) -> ControlListener? {
    let descriptors = passed.descriptors
    if descriptors.isEmpty { return nil }
    for fd in descriptors where isUnixListener(fd) && passed.take(fd) {
      _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
      return ControlListener(inherited: fd)
    }
    throw .noSocketPassed(count: descriptors.count)
  }

  /// The address at which clients find the socket: its path, or "@" and the name of an abstract
  /// one.
  public var address: String { path ?? Self.address(of: fd) }

  private static func address(of fd: Int32) -> String {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
    }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let end = min(Int(length), MemoryLayout<sockaddr_un>.size)
    guard result == 0, end > start else { return "a socket without a name" }
    let bytes = withUnsafeBytes(of: &address) { Array($0[start..<end]) }
    if bytes[0] == 0 { return "@" + String(decoding: bytes.dropFirst(), as: UTF8.self) }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func isUnixListener(_ fd: Int32) -> Bool {
    option(fd, SO_DOMAIN) == AF_UNIX && option(fd, SO_TYPE) == Int32(SOCK_STREAM.rawValue)
      && option(fd, SO_ACCEPTCONN) == 1
  }

  private static func option(_ fd: Int32, _ name: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(fd, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }
}
