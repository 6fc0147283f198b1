import EventLoop
import Glibc
import Platform

/// Why a backlight cannot be read or set, and what would be right.
public struct BacklightError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path of the file in /sys.
  public let path: String
  /// What is wrong, and what would be right.
  public let text: String

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
  }

  /// Creates an error: the call `call` on `path` failed with errno `code`.
  init(_ path: String, call: String, code: Int32 = errno) {
    let text =
      switch code {
      case EACCES, EPERM:
        "permission denied; the user must be in group video, to which waypost's udev rule gives this "
          + "file (70-waypost.rules, then udevadm trigger -s backlight)"
      case EROFS: "read-only; as a service, ProtectKernelTunables= must be off"
      default: "\(call): \(SystemError(call, code: code).text)"
      }
    self.init(path, text)
  }

  /// The path and what is wrong.
  public var description: String { "\(path): \(text)" }
}
