import Glibc

/// One line of the table.
struct Row {
  var figure: String
  var reference: String
  /// The largest value that meets the goal; nil: there is no goal.
  var goal: Double?
  var value: Double
  /// The ratio of the smallest times; nil if there is only one time.
  var best: Double?
  /// "x" for a ratio, otherwise a unit.
  var unit = "x"
  /// The figure and its reference, as text: "1.31 ms / 1.02 ms".
  var detail: String

  /// Whether the goal is met; nil without a goal.
  var isMet: Bool? { goal.map { value <= $0 } }

  /// Creates a row with the ratio of two times.
  init(_ figure: String, to reference: String, goal: Double?, _ comparison: Comparison) {
    self.figure = figure
    self.reference = reference
    self.goal = goal
    value = comparison.ratio
    best = comparison.bestRatio
    detail =
      Text.time(Statistics.median(comparison.measured)) + " / "
      + Text.time(Statistics.median(comparison.reference))
  }

  /// Creates a row with a figure that has no reference.
  init(
    _ figure: String, goal: Double?, _ value: Double, unit: String, detail: String = "",
    to reference: String = ""
  ) {
    self.figure = figure
    self.reference = reference
    self.goal = goal
    self.value = value
    self.unit = unit
    self.detail = detail
  }
}

/// Numbers as text.
enum Text {
  /// `value` with `digits` decimals.
  static func number(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "-" }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((abs(value) * scale).rounded())
    let sign = value < 0 ? "-" : ""
    if digits == 0 { return sign + String(whole) }
    let rest = String(whole % Int(scale))
    let zeros = String(repeating: "0", count: digits - rest.count)
    return "\(sign)\(whole / Int(scale)).\(zeros)\(rest)"
  }

  /// Nanoseconds in a suitable unit.
  static func time(_ nanoseconds: Double) -> String {
    if nanoseconds < 1000 { return number(nanoseconds, 1) + " ns" }
    if nanoseconds < 1_000_000 { return number(nanoseconds / 1000, 1) + " us" }
    return number(nanoseconds / 1_000_000, 2) + " ms"
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A string in JSON's notation.
  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { out += "\\" }
      if scalar.value >= 32 { out.unicodeScalars.append(scalar) }
    }
    return out + "\""
  }
}

/// Prints the rows as they are measured, and again at the end.
struct Report {
  private(set) var rows: [Row] = []
  let asJSON: Bool

  init(asJSON: Bool) { self.asJSON = asJSON }

  mutating func add(_ row: Row) {
    rows.append(row)
    if !asJSON { Report.say(Report.line(row)) }
  }

  /// Reports a figure that is left out, and why.
  func skip(_ what: String, _ reason: String) {
    Report.note("skipped: \(what): \(reason)")
  }

  static func note(_ text: String) { say("waypost-bench: \(text)", to: 2) }

  /// Writes a line without buffering.
  static func say(_ text: String, to fd: Int32 = 1) {
    let line = Array("\(text)\n".utf8)
    _ = line.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
  }

  static func head() -> String {
    Text.padded("figure", 58) + Text.padded("value", 11) + Text.padded("best", 8)
      + Text.padded("goal", 8) + Text.padded("", 10) + "measured / reference"
  }

  private static func line(_ row: Row) -> String {
    let digits = row.unit == "x" ? 2 : row.value < 100 ? 1 : 0
    let unit = row.unit == "x" ? "x" : " " + row.unit
    var text = Text.padded(row.figure, 58)
    text += Text.padded(Text.number(row.value, digits) + unit, 11)
    text += Text.padded(row.best.map { Text.number($0, 2) } ?? "", 8)
    text += Text.padded(row.goal.map { Text.number($0, $0 < 10 ? 2 : 0) } ?? "", 8)
    text += Text.padded(row.isMet.map { $0 ? "met" : "NOT MET" } ?? "", 10)
    text += row.detail
    if !row.reference.isEmpty { text += "  (\(row.reference))" }
    return text
  }

  /// All rows as a Markdown table.
  func markdown(machine: String) -> String {
    var lines = [
      machine, "", "| figure | reference in the same run | goal | measured | |",
      "| --- | --- | --- | --- | --- |",
    ]
    for row in rows {
      let digits = row.unit == "x" ? 2 : row.value < 100 ? 1 : 0
      let unit = row.unit.isEmpty || row.unit == "x" ? row.unit : " " + row.unit
      let value = Text.number(row.value, digits) + unit
      let goal = row.goal.map { Text.number($0, row.unit == "x" ? 2 : 0) + unit } ?? ""
      let mark = row.isMet.map { $0 ? "met" : "**not met**" } ?? ""
      lines.append(
        "| \(row.figure) | \(row.reference) | \(goal) | \(value) (\(row.detail)) | \(mark) |")
    }
    return lines.joined(separator: "\n")
  }

  /// All rows as JSON: an object with the machine and an array of rows.
  func json(machine: String) -> String {
    var lines: [String] = []
    for row in rows {
      var members = [
        "\"figure\":\(Text.quoted(row.figure))", "\"reference\":\(Text.quoted(row.reference))",
        "\"value\":\(Text.number(row.value, 4))", "\"unit\":\(Text.quoted(row.unit))",
        "\"detail\":\(Text.quoted(row.detail))",
      ]
      if let best = row.best { members.append("\"best\":\(Text.number(best, 4))") }
      if let goal = row.goal { members.append("\"goal\":\(Text.number(goal, 4))") }
      if let isMet = row.isMet { members.append("\"met\":\(isMet)") }
      lines.append("{\(members.joined(separator: ","))}")
    }
    return "{\"machine\":\(Text.quoted(machine)),\"rows\":[\n\(lines.joined(separator: ",\n"))\n]}"
  }
}
