import EventLoop
import Glibc
import Platform

/// Why a framebuffer cannot be drawn on, and what would be right.
public struct FramebufferError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The device file, "/dev/fb0".
  public let path: String
  /// What is wrong, and what would be right.
  public let text: String
  /// The errno of the call that failed; 0 if none did.
  public let code: Int32

  init(_ path: String, _ text: String, code: Int32 = 0) {
    self.path = path
    self.text = text
    self.code = code
  }

  /// Creates an error: the call `call` on `path` failed with errno `code`.
  init(_ path: String, call: String, code: Int32 = errno) {
    self.init(path, "\(call): \(SystemError(call, code: code).text)", code: code)
  }

  /// Creates an error: opening `path` failed with errno `code`.
  public init(opening path: String, code: Int32 = errno) {
    let text =
      switch code {
      case EACCES, EPERM:
        "permission denied; add the user to group video (systemd: SupplementaryGroups=video)"
      case ENOENT: "there is no such device; /proc/fb lists those that drivers offer"
      case ENODEV, ENXIO: "it has no driver; /proc/fb lists those that drivers offer"
      case EBUSY: "another program holds it alone; end that first"
      default: "open: \(SystemError("open", code: code).text)"
      }
    self.init(path, text, code: code)
  }

  /// The device file and what is wrong.
  public var description: String { "\(path): \(text)" }
}
