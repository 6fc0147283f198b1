import CLinux
import Glibc

/// A call of the system that failed: which one, what the kernel said, and on what.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call's name: `epoll_ctl`.
  public let call: String
  /// errno's number.
  public let code: Int32
  /// What the call was about, a path for example; empty where the call says it all.
  public let subject: String

  /// An error of `call`, by default with the present errno.
  public init(_ call: String, code: Int32 = errno, on subject: String = "") {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// errno's name: `ECONNREFUSED`.
  public var name: String { String(cString: waypost_error_name(code)) }

  /// What errno says, in English.
  public var text: String { SystemError.text(of: code) }

  /// What an error number says, in English, in any locale: "Permission denied".
  public static func text(of code: Int32 = errno) -> String {
    String(cString: waypost_error_text(code))
  }

  /// "open /dev/fb0: Permission denied (EACCES)".
  public var description: String {
    subject.isEmpty ? "\(call): \(text) (\(name))" : "\(call) \(subject): \(text) (\(name))"
  }
}
