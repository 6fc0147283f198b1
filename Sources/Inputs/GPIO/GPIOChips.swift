import Configuration
import Glibc
import Platform

/// The machine's GPIO chips, in the order of their numbers, and which of them has a line.
struct GPIOChips {
  private let chips: [GPIOChip]
  /// Why the first chip that failed could not be opened.
  private let refused: GPIOError?
  /// The chip that the configuration names; nil: "auto".
  private let wanted: String?

  /// Opens the configured chip, or all chips.
  init(wanted: String?) {
    self.wanted = wanted
    var (chips, refused): ([GPIOChip], GPIOError?) = ([], nil)
    for path in wanted.map({ $0.hasPrefix("/") ? [$0] : Self.paths() }) ?? Self.paths() {
      do throws(GPIOError) {
        let chip = try GPIOChip(path: path)
        // On a Raspberry Pi 5 the first chip has a second device file.
        if !chips.contains(where: { $0.name == chip.name }) { chips.append(chip) }
      } catch {
        refused = refused ?? error
      }
    }
    (self.chips, self.refused) = (chips, refused)
  }

  private static func paths() -> [String] {
    let numbers = Directory.visibleNames(in: "/dev").compactMap { name in
      name.hasPrefix("gpiochip") ? Int(name.dropFirst(8)).flatMap { $0 >= 0 ? $0 : nil } : nil
    }
    return numbers.sorted().map { "/dev/gpiochip\($0)" }
  }

  /// The chip and the offset of `line`.
  ///
  /// A name is looked up on the configured chip, or with "auto" on all chips in order. An offset is
  /// on the configured chip. With "auto" it is on the chip of the Raspberry Pi 5's header if there
  /// is one (label "pinctrl-rp1", which is not always the first chip), else on gpiochip0.
  func find(_ line: Configuration.Gpio.Line) throws(GPIOError) -> (chip: GPIOChip, offset: Int) {
    let candidates = try self.candidates()
    switch line {
    case .offset(let offset):
      if wanted == nil {
        let header = candidates.first { $0.label == "pinctrl-rp1" }
        let first = candidates.first { $0.name == "gpiochip0" }
        if let chip = header ?? first { return (chip, offset) }
        // The same offset on another chip would be a different line.
        throw refused ?? .noChip(wanted: nil, present: candidates.map(\.description))
      }
      return (candidates[0], offset)
    case .named(let name):
      for chip in candidates {
        if let offset = try chip.offset(ofLine: name) { return (chip, offset) }
      }
      if let refused { throw refused }
      throw .noLine(name: name, chips: candidates.map(\.description))
    }
  }

  /// The chips to search, at least one.
  private func candidates() throws(GPIOError) -> [GPIOChip] {
    var found = chips
    if let wanted, !wanted.hasPrefix("/") {
      found = found.filter { $0.name == wanted || $0.name == "gpiochip\(wanted)" }
      if found.isEmpty { found = chips.filter { $0.label == wanted } }
    }
    if !found.isEmpty { return found }
    if let refused { throw absent(refused) }
    throw .noChip(wanted: wanted, present: chips.map(\.description))
  }

  /// Treats a configured device file that does not exist as a chip that may still come.
  private func absent(_ error: GPIOError) -> GPIOError {
    if case .closed(_, let cause) = error, cause.code == ENOENT || cause.code == ENODEV {
      return .noChip(wanted: wanted, present: [])
    }
    return error
  }
}
