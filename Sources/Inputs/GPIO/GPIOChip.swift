import CGPIOD
import CLinux
import EventLoop
import Glibc
import Platform

/// A GPIO chip of the kernel's, open.
final class GPIOChip {
  /// The kernel's name: "gpiochip0".
  let name: String
  /// The driver's: "pinctrl-bcm2711".
  let label: String
  let lineCount: Int
  private let chip: OpaquePointer

  /// - Parameter path: the device file, "/dev/gpiochip0".
  /// - Throws: `GPIOError` `closed`.
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

  /// What messages call it.
  var description: String { label.isEmpty || label == name ? name : "\(name) (\(label))" }

  /// The offset of the first line of that name, nil where there is none.
  func offset(ofLine name: String) throws(GPIOError) -> Int? {
    let found = waypost_gpio_find_line(chip, name)
    if found >= 0 { return Int(found) }
    if errno == ENOENT { return nil }
    throw interfaceOr(SystemError("GPIO line", on: "\"\(name)\" of \(description)"))
  }

  /// Requests a line as an input that reports both edges.
  ///
  /// - Parameters:
  ///   - offset: the line's offset on the chip.
  ///   - bias: libgpiod's bias.
  ///   - activeLow: pressed is low.
  ///   - debounce: microseconds; the kernel debounces where supported.
  /// - Returns: the line, released with its last user.
  /// - Throws: `GPIOError` where there is no such line or it is taken.
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

  /// EINVAL is what a kernel answers that does not know the interface.
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

/// A requested line. Holds its chip: with libgpiod 1 a line ends with it.
final class GPIOLine {
  let chip: GPIOChip
  /// Whether the kernel debounces it.
  let isDebounced: Bool
  private let line: OpaquePointer

  fileprivate init(_ line: OpaquePointer, chip: GPIOChip, isDebounced: Bool) {
    (self.line, self.chip, self.isDebounced) = (line, chip, isDebounced)
  }

  deinit { waypost_gpio_release(line) }

  /// Readable when there are events. The line closes it.
  var fd: Int32 { waypost_gpio_fd(line) }

  /// Whether the line is active; nil where the kernel does not say (any more).
  var value: Bool? {
    let value = waypost_gpio_value(line)
    return value < 0 ? nil : value > 0
  }

  /// Reads some events into `buffer`, which has room for WAYPOST_GPIO_READ_MAX: how many. 0: there
  /// are none; nil: the line is gone.
  func read(_ buffer: UnsafeMutablePointer<waypost_gpio_event>) -> Int? {
    let count = waypost_gpio_read(line, buffer)
    if count >= 0 { return Int(count) }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}

/// A C array of characters up to its zero byte.
private func string<Characters>(_ characters: Characters) -> String {
  withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
