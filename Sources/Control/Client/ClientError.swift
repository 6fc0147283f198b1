import EventLoop
import Platform

/// Why a call brought no result.
public enum ClientError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Nobody listens at the path.
  case noDaemon(path: String, reason: String)
  /// The socket is there, and this user may not connect to it. `group` is the group that may.
  case notPermitted(path: String, group: String)
  /// The daemon ended the connection.
  case closed
  /// No answer within that many seconds.
  case timedOut(seconds: Double)
  /// The daemon's answer is an error.
  case refused(ControlError)
  /// What came is no answer to what was asked.
  case malformed(String)
  /// A call of the system failed.
  case system(SystemError)

  /// What is wrong, in one line.
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
