import Glibc
import Platform

/// Shows how far long work is, on standard error: on a terminal one line with a bar, the rate and
/// the time left, drawn over itself; elsewhere a plain line now and then.
struct ProgressLine {
  /// What is counted.
  enum Unit { case bytes, tiles }

  private let title: String
  private let unit: Unit
  private let isTerminal: Bool
  private let start: UInt64
  private var lastShown: UInt64 = 0
  private var first: UInt64?
  private var isOpen = false
  /// The end has been shown.
  private var isAtEnd = false

  /// Seconds between two lines elsewhere, and between two looks of the bar.
  private static let (linePause, barPause) = (10.0, 0.1)
  private static let width = 24

  init(_ title: String, unit: Unit) {
    self.title = title
    self.unit = unit
    isTerminal = isatty(STDERR_FILENO) == 1
    start = ProgressLine.now
    lastShown = start
  }

  /// Shows that `done` of `total` are complete; nil: it is not known how many there are.
  mutating func show(_ done: UInt64, of total: UInt64?) {
    let now = ProgressLine.now
    // What was there before this run says nothing of its rate.
    let base = first ?? done
    first = base
    // Some packs say fewer tiles than they have.
    let total = total.flatMap { done <= $0 ? $0 : nil }
    let pause = isTerminal ? ProgressLine.barPause : ProgressLine.linePause
    let ends = isOpen && !isAtEnd && done == total
    guard Double(now - lastShown) / 1e9 >= pause || ends else { return }
    lastShown = now
    isOpen = true
    isAtEnd = done == total
    let text = ProgressLine.text(
      title, unit: unit, done: done, of: total, base: base, seconds: Double(now - start) / 1e9)
    if isTerminal {
      let bar = total.map { ProgressLine.bar(done, of: $0) + " " } ?? ""
      Output.errorText("\r\u{1b}[K" + bar + text)
    } else {
      Output.error(text)
    }
  }

  /// Ends the line on a terminal.
  mutating func end() {
    if isTerminal, isOpen { Output.errorText("\n") }
    isOpen = false
  }

  static func bar(_ done: UInt64, of total: UInt64) -> String {
    let part = total > 0 ? min(Double(done) / Double(total), 1) : 1
    let full = Int(part * Double(width))
    return "[" + String(repeating: "#", count: full)
      + String(repeating: "-", count: width - full) + "]"
  }

  /// "extract: 43 %, 12 MiB of 28 MiB, 4.1 MiB/s, 4 s left", "verify: 1200 tiles, 300 a second".
  static func text(
    _ title: String, unit: Unit, done: UInt64, of total: UInt64?, base: UInt64, seconds: Double
  ) -> String {
    func amount(_ value: UInt64) -> String {
      unit == .bytes ? ByteCount.text(Int(clamping: value)) : "\(value)"
    }
    var text = "\(title): "
    if let total {
      let percent = total > 0 ? Int(Double(done) / Double(total) * 100) : 100
      text += "\(min(percent, 100)) %, \(amount(done)) of \(amount(total))"
    } else {
      text += amount(done)
    }
    if unit == .tiles { text += " tiles" }
    let gained = done > base ? done - base : 0
    if seconds >= 0.5, gained > 0 {
      let rate = Double(gained) / seconds
      text += ", \(amount(UInt64(rate)))\(unit == .bytes ? "/s" : " a second")"
      if let total, done < total {
        text += ", \(Tables.duration((Double(total - done) / rate).rounded(.up))) left"
      }
    }
    return text
  }

  private static var now: UInt64 { SystemClock.monotonic() }
}
