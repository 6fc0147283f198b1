import EventLoop
import Platform

/// Why the control socket cannot be opened, and what would help.
public enum ListenError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another process serves it; `pid` is 0 if it is not known.
  case inUse(path: String, pid: Int32)
  /// The file there is no socket, and is not removed.
  case notASocket(path: String)
  /// The socket's folder does not exist.
  case noFolder(path: String, folder: String)
  /// The socket's folder belongs to another user, or others may write to it.
  case unsafeFolder(folder: String)
  /// The socket's folder cannot be created.
  case cannotMakeFolder(folder: String, reason: String)
  /// The path is empty or has more than 107 bytes (unix(7)).
  case tooLong(path: String)
  /// There is no group of that name.
  case unknownGroup(String)
  /// LISTEN_FDS passed descriptors, but none of them is a listening Unix stream socket.
  case noSocketPassed(count: Int)
  /// A system call failed.
  case system(SystemError)

  /// The path, what is wrong with it, and what would help.
  public var description: String {
    switch self {
    case .inUse(let path, let pid):
      let who = pid > 0 ? "process \(pid)" : "another process"
      return "\(path): \(who) serves it already; stop that one, or give another socket"
    case .notASocket(let path):
      return "\(path): exists but is not a socket, so it was not removed; give another path"
    case .noFolder(let path, let folder):
      return "\(path): the folder \(folder) does not exist; make it, or give another path"
    case .unsafeFolder(let folder):
      return "\(folder): must be a folder of this user that others cannot write to"
    case .cannotMakeFolder(let folder, let reason):
      return "\(folder): the folder cannot be made: \(reason); give a socket elsewhere"
    case .tooLong(let path):
      return "\(path): \(path.utf8.count) bytes, and a socket's path is at most 107 long"
    case .unknownGroup(let name):
      return "group \"\(name)\" does not exist; give one that exists, or its number"
    case .noSocketPassed(let count):
      return "LISTEN_FDS=\(count), but none of them is a listening Unix stream socket"
        + " (ListenStream= in the .socket unit)"
    case .system(let error): return error.description
    }
  }
}
