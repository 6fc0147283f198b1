import EventLoop
import Glibc
import Platform

/// Why a card cannot be used, or not in the way wanted.
public struct DRMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of problem, which decides what helps.
  public enum Kind: Sendable {
    /// The device does not exist or may not be opened.
    case cannotOpen
    /// The card can render but has no connectors.
    case notADisplay
    /// Another process is the card's DRM master.
    case masterRefused
    /// The device was removed.
    case gone
    /// There is not enough memory for a frame of this mode. It is looked for again later.
    case noMemory
    /// The driver refused the request.
    case refused
  }

  /// The kind of problem.
  public let kind: Kind
  /// What is wrong, with the call, the device and what would be right.
  public let description: String
  /// Whether the same call may succeed if it is made again at once, or soon.
  let isPassing: Bool

  init(_ kind: Kind, _ description: String, isPassing: Bool = false) {
    self.kind = kind
    self.description = description
    self.isPassing = isPassing
  }

  /// The error that an errno of a DRM call means.
  init(_ call: String, code: Int32, on path: String) {
    let text = SystemError(call, code: code, on: path).description
    switch code {
    case ENODEV, ENXIO: self.init(.gone, text)
    case ENOMEM, ENOSPC: self.init(.noMemory, text)
    case EACCES, EPERM: self.init(.masterRefused, "\(path): \(DRMError.holders)")
    case EIO, EINTR, EAGAIN, EBUSY: self.init(.refused, text, isPassing: true)
    default: self.init(.refused, text)
    }
  }

  static let holders =
    "another program holds the display (a boot splash, a desktop, another kiosk:"
    + " `fuser -v /dev/dri/card*` names it)"

  /// The error of a call that failed on the card at `path`.
  init(_ error: SystemError, on path: String) {
    self.init(error.call, code: error.code, on: path)
  }

  static func cannotOpen(_ path: String, _ error: SystemError) -> DRMError {
    var text = SystemError("open", code: error.code, on: path).description
    if error.code == EACCES || error.code == EPERM {
      text += "; add the user to group video, or SupplementaryGroups=video to the service"
    }
    return DRMError(.cannotOpen, text)
  }
}
