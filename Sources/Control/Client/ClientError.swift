import EventLoop
import Platform

/// Why a call returned no result.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nobody listens at `path`; `reason` is the system's.
  case noDaemon(path: String, reason: String)
  /// The socket exists, but this user may not connect to it. Members of `group` may.
  case notPermitted(path: String, group: String)
  /// The daemon closed the connection.
  case closed
  /// No answer came within this many seconds.
  case timedOut(seconds: Double)
  /// The daemon answered with an error.
  case refused(ControlError)
  /// The message does not answer the call; its beginning, or what is wrong with it.
  case malformed(String)
  /// A system call failed.
  case system(SystemError)

  /// What is wrong, and where possible what would help, in one line.
  public var description: String {
    switch self {
    case .noDaemon(let path, let reason): return "no daemon at \(path): \(reason)"
    case .notPermitted(let path, let group):
      return "\(path): permission denied; join the group \(group)"
    case .closed: return "the daemon closed the connection"
    case .timedOut(let seconds): return "no answer within \(seconds) s"
    case .refused(let error): return error.message
    case .malformed(let text): return "the daemon sent something else than an answer: \(text)"
    case .system(let error): return error.description
    }
  }
}
