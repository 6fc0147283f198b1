import CLinux
import EventLoop
import Glibc

extension ControlListener {
  /// The socket that the service manager passed in (sd_listen_fds(3): LISTEN_PID, LISTEN_FDS,
  /// descriptors from 3 on), or nil if it passed none to this process. The first that is a
  /// listening Unix stream socket is taken; the variables are removed, so that programs started
  /// from here do not take them for theirs.
  public static func inherited() throws(ListenError) -> ControlListener? {
    let pid = getenv("LISTEN_PID").map { String(cString: $0) }
    let count = getenv("LISTEN_FDS").map { String(cString: $0) }
    unsetenv("LISTEN_PID")
    unsetenv("LISTEN_FDS")
    unsetenv("LISTEN_FDNAMES")
    return try inherited(pid: pid, count: count, firstDescriptor: 3)
  }

  /// As `inherited()`, from given values.
  static func inherited(
    pid: String?, count: String?, firstDescriptor: Int32
  ) throws(ListenError) -> ControlListener? {
    guard let pid, Int32(pid) == getpid(), let count, let number = Int32(count), number > 0
    else { return nil }
    for fd in firstDescriptor..<(firstDescriptor + min(number, 64)) where isUnixListener(fd) {
      _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
      _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
      return ControlListener(inherited: fd)
    }
    throw .noSocketPassed(count: Int(number))
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
