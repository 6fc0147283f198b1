import Configuration
import Glibc

extension GPSDAddress {
  /// Begins to connect to `hosts[index]`. Returns the descriptor, which is non-blocking and
  /// close-on-exec and belongs to the caller; nil, with errno set, if the connection fails at once.
  func connect(index: Int) -> Int32? {
    let host = hosts[index % hosts.count]
    let isSix = host.contains(":")
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let fd = socket(isSix ? AF_INET6 : AF_INET, kind, 0)
    if fd < 0 { return nil }
    let result: Int32
    if isSix {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      _ = inet_pton(AF_INET6, host, &address.sin6_addr)
      result = Self.connect(fd, &address)
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      _ = inet_pton(AF_INET, host, &address.sin_addr)
      result = Self.connect(fd, &address)
    }
    if result == 0 || errno == EINPROGRESS { return fd }
    let reason = errno
    close(fd)
    errno = reason
    return nil
  }

  private static func connect<Address>(_ fd: Int32, _ address: inout Address) -> Int32 {
    let size = socklen_t(MemoryLayout<Address>.size)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(fd, $0, size) }
    }
  }
}
