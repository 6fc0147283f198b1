import Glibc
import Platform

/// The descriptors that the service manager passed to this process (sd_listen_fds(3)): its
/// listening sockets, and what it stored over a restart (FDSTORE).
///
/// `ofThisProcess` reads the environment and clears it, so that child processes do not take the
/// descriptors for their own. Use it before any thread starts, because no other thread may read the
/// environment meanwhile.
public final class PassedDescriptors: Sendable {
  /// A descriptor and the name under which it was passed; "unknown" if it has none.
  struct Passed: Equatable {
    let fd: Int32
    let name: String
  }

  /// The descriptors named by LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES.
  public static let ofThisProcess: PassedDescriptors = {
    func take(_ name: String) -> String? {
      defer { unsetenv(name) }
      return getenv(name).map { String(cString: $0) }
    }
    return PassedDescriptors(
      pid: take("LISTEN_PID"), count: take("LISTEN_FDS"), names: take("LISTEN_FDNAMES"))
  }()

  private let left: Lock<[Passed]>

  /// Creates the list from the values of the three variables; empty if they are for another
  /// process. Takes at most 64 descriptors, starting at `first` (SD_LISTEN_FDS_START).
  package init(pid: String?, count: String?, names: String?, first: Int32 = 3) {
    var list: [Passed] = []
    if let pid, Int32(pid) == getpid(), let count, let number = Int(count), number > 0 {
      var known: [Substring] = []
      if let names, !names.isEmpty {
        known = names.split(separator: ":", omittingEmptySubsequences: false)
      }
      for i in 0..<min(number, 64) {
        let name = i < known.count ? String(known[i]) : "unknown"
        list.append(Passed(fd: first + Int32(i), name: name))
      }
    }
    for passed in list { _ = fcntl(passed.fd, F_SETFD, FD_CLOEXEC) }
    left = Lock(list)
  }

  /// The descriptors not taken yet.
  public var descriptors: [Int32] { left.withLock { $0.map(\.fd) } }

  /// The names of the descriptors not taken yet, in the order in which they were passed.
  package var names: [String] { left.withLock { $0.map(\.name) } }

  /// Takes the descriptors with this name; the caller owns them.
  public func take(named name: String) -> [Int32] {
    left.withLock { left in
      defer { left.removeAll { $0.name == name } }
      return left.filter { $0.name == name }.map(\.fd)
    }
  }

  /// Takes a descriptor; the caller owns it. False if it was taken already or never passed.
  public func take(_ fd: Int32) -> Bool {
    left.withLock { left in
      guard let i = left.firstIndex(where: { $0.fd == fd }) else { return false }
      left.remove(at: i)
      return true
    }
  }
}
