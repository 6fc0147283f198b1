import EventLoop
import Glibc
import Platform

/// Why a framebuffer cannot be drawn on, and what would be right.
public struct FramebufferError: Error, Equatable, Sendable, CustomStringConvertible {
  /// "/dev/fb0".
  public let path: String
  /// What is wrong with it.
  public let text: String
  /// errno, 0 where no call failed.
  public let code: Int32

  init(_ path: String, _ text: String, code: Int32 = 0) {
    self.path = path
    self.text = text
    self.code = code
  }

  /// The call `call` on `path` failed with errno.
  init(_ path: String, call: String, code: Int32 = errno) {
    self.init(path, "\(call): \(SystemError(call, code: code).text)", code: code)
  }

  /// Opening `path` failed with errno.
  public init(opening path: String, code: Int32 = errno) {
    let text =
      switch code {
      case EACCES, EPERM:
        "permission denied; add the user to group video (systemd: SupplementaryGroups=video)"
      case ENOENT: "there is no such device; /proc/fb lists those that drivers offer"
      case ENODEV, ENXIO: "no driver stands behind it; /proc/fb lists those that drivers offer"
      case EBUSY: "another program holds it alone; end that first"
      default: "open: \(SystemError("open", code: code).text)"
      }
    self.init(path, text, code: code)
  }

  /// The device and what is wrong with it.
  public var description: String { "\(path): \(text)" }
}
