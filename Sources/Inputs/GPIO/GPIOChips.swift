import Configuration
import Glibc
import Platform

/// The machine's GPIO chips, in the order of their numbers, and which of them a line is on.
struct GPIOChips {
  private let chips: [GPIOChip]
  /// Why a chip that is there is not among them.
  private let refused: GPIOError?
  /// The chip that the configuration names; nil: "auto".
  private let wanted: String?

  /// Opens what there is.
  init(wanted: String?) {
    self.wanted = wanted
    var (chips, refused): ([GPIOChip], GPIOError?) = ([], nil)
    for path in wanted.map({ $0.hasPrefix("/") ? [$0] : Self.paths() }) ?? Self.paths() {
      do throws(GPIOError) {
        let chip = try GPIOChip(path: path)
        // A Raspberry Pi 5 has a second name for its first chip.
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

  /// The chip and offset of `line`.
  ///
  /// A name is looked for on the configured chip, or with "auto" on all, in order. An offset is the
  /// configured chip's, or with "auto" the one of the Raspberry Pi 5's header if there is one
  /// (label "pinctrl-rp1": it is not the first everywhere), else gpiochip0's.
  func find(_ line: Configuration.Gpio.Line) throws(GPIOError) -> (chip: GPIOChip, offset: Int) {
    let candidates = try self.candidates()
    switch line {
    case .offset(let offset):
      if wanted == nil {
        let header = candidates.first { $0.label == "pinctrl-rp1" }
        let first = candidates.first { $0.name == "gpiochip0" }
        if let chip = header ?? first { return (chip, offset) }
        // Another chip's line of that number is another line.
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

  /// At least one.
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

  /// A configured device file that is not there is a chip that may come.
  private func absent(_ error: GPIOError) -> GPIOError {
    if case .closed(_, let cause) = error, cause.code == ENOENT || cause.code == ENODEV {
      return .noChip(wanted: wanted, present: [])
    }
    return error
  }
}
