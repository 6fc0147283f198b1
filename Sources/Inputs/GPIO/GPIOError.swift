import CGPIOD
import Configuration
import EventLoop
import Platform

/// Why a GPIO line cannot be used, and what would be right.
public enum GPIOError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No chip has this name, label, path or number; nil: there is no chip at all.
  case noChip(wanted: String?, present: [String])
  /// The chip's device file at `path` cannot be opened.
  case closed(path: String, SystemError)
  /// None of the searched chips has a line of this name.
  case noLine(name: String, chips: [String])
  case outOfRange(offset: Int, chip: String, lines: Int)
  /// The line is in use by `consumer`, as far as the kernel knows.
  case busy(offset: Int, chip: String, consumer: String)
  /// The kernel lacks the interface that this build's libgpiod uses.
  case interface(libgpiod: Int)
  /// The chip went away while the line was in use.
  case gone(chip: String)
  case failed(SystemError)

  /// Whether a retry may succeed although no chip came or went.
  var isWorthRetrying: Bool {
    switch self {
    case .closed, .busy, .failed: true
    case .noChip, .noLine, .outOfRange, .interface, .gone: false
    }
  }

  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .noChip(nil, _):
      "there is no GPIO chip (/dev/gpiochip*): is its driver loaded?"
    case .noChip(let wanted?, let present):
      "there is no GPIO chip \"\(wanted)\"; "
        + (present.isEmpty ? "there is none at all" : "there is \(list(present))")
        + ": a name, label, path or number, or \"auto\""
    case .closed(let path, let error) where error.name == "EACCES" || error.name == "EPERM":
      "\(path): \(error.text); add the user to the group that may use it (gpio, where a udev rule "
        + "gives it the device)"
    case .closed(let path, let error):
      "\(path): \(error.text) (\(error.name))"
    case .noLine(let name, let chips):
      "no line is named \"\(name)\" on \(list(chips)); `gpioinfo` lists the names"
    case .outOfRange(let offset, let chip, let lines):
      "\(chip) has no line \(offset); its lines are 0 to \(lines - 1)"
    case .busy(let offset, let chip, let consumer):
      "line \(offset) of \(chip) is in use"
        + (consumer.isEmpty ? "" : " by \"\(consumer)\"")
        + "; release it there (a device tree overlay or another program); it is tried again"
    case .interface(let version) where version == 1:
      "this kernel lacks the GPIO interface of libgpiod 1, with which this program was built; "
        + "build it with libgpiod 2, or use a kernel with CONFIG_GPIO_CDEV_V1"
    case .interface:
      "this kernel lacks the GPIO interface of libgpiod 2, with which this program was built; "
        + "Linux 5.10 and later have it"
    case .gone(let chip): "\(chip) has gone; its lines come back with it"
    case .failed(let error): error.description
    }
  }

  private func list(_ names: [String]) -> String {
    names.isEmpty ? "no chip" : names.joined(separator: ", ")
  }
}
