import EventLoop
import Glibc
import Platform

/// Why a card cannot be used, or not in this way.
public struct DRMError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of problem, which decides what helps.
  public enum Kind: Sendable {
    /// The device may not be opened, or is not there.
    case cannotOpen
    /// It can render but has no connectors to show anything.
    case notADisplay
    /// Another process holds the card (it is the DRM master).
    case masterRefused
    /// The device was taken away.
    case gone
    /// There is no memory for a frame of this mode.
    case noMemory
    /// The driver refused what was asked of it.
    case refused
  }

  /// What kind of trouble it is.
  public let kind: Kind
  /// What is wrong, with the call, the device and what would be right.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// What an errno of a DRM call means.
  init(_ call: String, code: Int32, on path: String) {
    let text = SystemError(call, code: code, on: path).description
    switch code {
    case ENODEV, ENXIO: self.init(.gone, text)
    case ENOMEM, ENOSPC: self.init(.noMemory, text)
    case EACCES, EPERM: self.init(.masterRefused, "\(path): \(DRMError.holders)")
    default: self.init(.refused, text)
    }
  }

  static let holders =
    "another program holds the display (a boot splash, a desktop, another kiosk:"
    + " `fuser -v /dev/dri/card*` names it)"

  /// A call that failed on the card at `path`.
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
