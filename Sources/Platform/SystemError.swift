import CLinux
import Glibc

/// A system call that failed: which call, which error, and on what.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call's name, such as `epoll_ctl`.
  public let call: String
  /// The error number, such as `ENOENT` (errno(3)).
  public let code: Int32
  /// What the call was about, such as a path; empty if the call says everything.
  public let subject: String

  /// Creates an error of `call`, by default with the present errno.
  public init(_ call: String, code: Int32 = errno, on subject: String = "") {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// The error's name, such as `ECONNREFUSED`.
  public var name: String { String(cString: waypost_error_name(code)) }

  /// The error in English, such as "Permission denied".
  public var text: String { SystemError.text(of: code) }

  /// Whether an error passes when a medium comes back, or when other processes free resources.
  public static func mayPass(_ code: Int32) -> Bool {
    switch code {
    case ENOENT, ENOTDIR, EIO, ENODEV, ENXIO, ENOMEDIUM, ESTALE, ENOTCONN, ETIMEDOUT, EAGAIN, EBUSY,
      EMFILE, ENFILE, ENOMEM, EHOSTDOWN:
      true
    default: false
    }
  }

  /// An error number in English, in any locale: "Permission denied".
  public static func text(of code: Int32 = errno) -> String {
    String(cString: waypost_error_text(code))
  }

  /// The call, the subject and the error: "open /dev/fb0: Permission denied (EACCES)".
  public var description: String {
    subject.isEmpty ? "\(call): \(text) (\(name))" : "\(call) \(subject): \(text) (\(name))"
  }
}
