import CGPIOD
import CLinux
import EventLoop
import Glibc
import Platform

/// An open GPIO chip.
final class GPIOChip {
  /// The kernel's name of the chip: "gpiochip0".
  let name: String
  /// The driver's label: "pinctrl-bcm2711".
  let label: String
  let lineCount: Int
  private let chip: OpaquePointer

  /// Opens the chip.
  ///
  /// - Parameter path: The device file, "/dev/gpiochip0".
  /// - Throws: `GPIOError.closed`.
  init(path: String) throws(GPIOError) {
    guard let chip = waypost_gpio_open(path) else {
      throw .closed(path: path, SystemError("open", on: path))
    }
    var info = waypost_gpio_chip_info()
    if waypost_gpio_chip_get_info(chip, &info) != 0 {
      let error = SystemError("GPIO chip", on: path)
      waypost_gpio_close(chip)
      throw .closed(path: path, error)
    }
    self.chip = chip
    name = string(info.name)
    label = string(info.label)
    lineCount = Int(info.lines)
  }

  deinit { waypost_gpio_close(chip) }

  /// The chip's name in messages.
  var description: String { label.isEmpty || label == name ? name : "\(name) (\(label))" }

  /// The offset of the first line with this name; nil: there is none.
  func offset(ofLine name: String) throws(GPIOError) -> Int? {
    let found = waypost_gpio_find_line(chip, name)
    if found >= 0 { return Int(found) }
    if errno == ENOENT { return nil }
    throw interfaceOr(SystemError("GPIO line", on: "\"\(name)\" of \(description)"))
  }

  /// Requests a line as an input that reports both edges.
  ///
  /// - Parameters:
  ///   - offset: The line's offset on the chip.
  ///   - bias: libgpiod's bias.
  ///   - activeLow: Whether a low level is active.
  ///   - debounce: Microseconds; the kernel debounces where supported.
  /// - Returns: The line, which is released with its last reference.
  /// - Throws: `GPIOError` if there is no such line or it cannot be requested.
  func request(
    _ offset: Int, bias: Int, activeLow: Bool, debounce: UInt32
  ) throws(GPIOError) -> GPIOLine {
    guard (0..<lineCount).contains(offset) else {
      throw .outOfRange(offset: offset, chip: description, lines: lineCount)
    }
    let at = UInt32(offset)
    var debounced = debounce > 0
    var line = waypost_gpio_request(chip, at, "waypost", Int32(bias), activeLow, debounce)
    if line == nil, debounced, errno != EBUSY {
      debounced = false
      line = waypost_gpio_request(chip, at, "waypost", Int32(bias), activeLow, 0)
    }
    if let line { return GPIOLine(line, chip: self, isDebounced: debounced) }
    let error = SystemError("GPIO request", on: "line \(offset) of \(description)")
    if error.code == EBUSY {
      var info = waypost_gpio_line_info()
      let known = waypost_gpio_line_get_info(chip, at, &info) == 0
      throw .busy(
        offset: offset, chip: description, consumer: known ? string(info.consumer) : "")
    }
    throw interfaceOr(error)
  }

  /// A kernel without the interface answers EINVAL or ENOTTY to any request.
  private func interfaceOr(_ error: SystemError) -> GPIOError {
    var info = waypost_gpio_line_info()
    if error.code == EINVAL || error.code == ENOTTY,
      waypost_gpio_line_get_info(chip, 0, &info) != 0, errno == EINVAL || errno == ENOTTY
    {
      return .interface(libgpiod: Int(waypost_gpio_api()))
    }
    return .failed(error)
  }
}

/// A requested line. It retains its chip, because libgpiod 1 ends the line with the chip.
final class GPIOLine {
  let chip: GPIOChip
  /// Whether the kernel debounces it.
  let isDebounced: Bool
  private let line: OpaquePointer

  fileprivate init(_ line: OpaquePointer, chip: GPIOChip, isDebounced: Bool) {
    (self.line, self.chip, self.isDebounced) = (line, chip, isDebounced)
  }

  deinit { waypost_gpio_release(line) }

  /// Readable when there are events. Do not close it; the line does.
  var fd: Int32 { waypost_gpio_fd(line) }

  /// Whether the line is active; nil if the kernel cannot say, such as when the chip is gone.
  var value: Bool? {
    let value = waypost_gpio_value(line)
    return value < 0 ? nil : value > 0
  }

  /// Reads events into `buffer`, which has room for WAYPOST_GPIO_READ_MAX, and returns how many. 0:
  /// there are none; nil: the line is gone.
  func read(_ buffer: UnsafeMutablePointer<waypost_gpio_event>) -> Int? {
    let count = waypost_gpio_read(line, buffer)
    if count >= 0 { return Int(count) }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}

/// The string in a C array of characters, up to its zero byte.
private func string<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
