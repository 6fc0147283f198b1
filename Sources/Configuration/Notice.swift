import Glibc
import Platform

extension Configuration {
  /// `[[notice]]`: something that people must know, on a banner over the map.
  public struct Notice: Sendable, Equatable {
    /// How bad it is.
    public enum Severity: String, Sendable, CaseIterable { case info, warning, danger }

    /// Until when a notice is shown.
    public struct Until: Sendable, Equatable {
      /// A date, at whose end the notice goes, or a time: as it was written.
      public var text: String
      /// Seconds since 1970, UTC.
      public var time: Double
    }

    /// What a notice closes.
    public enum Closure: Sendable, Equatable {
      /// An overlay's features of that name; nil: all of them.
      case overlay(String, feature: String?)
      /// These features, as GeoJSON.
      case geoJSON(String)
    }

    /// The notice's name in messages and commands, 1 to 100 bytes, unique among notices.
    public var id: String
    /// The text, at most `longestText` bytes of UTF-8; nil: only `texts`.
    public var text: String?
    /// Its translations.
    public var texts: Translations = [:]
    /// How bad it is.
    public var severity = Severity.info
    /// When it goes; nil: it stays.
    public var until: Until?
    /// What it closes; nil: nothing.
    public var closes: Closure?

    /// There may be at most this many notices.
    public static let most = 64
    /// A text has at most this many bytes of UTF-8.
    public static let longestText = 500
    /// The features that a notice closes have at most this many bytes of GeoJSON.
    public static let longestGeoJSON = 60_000

    /// Creates a notice.
    public init(id: String, text: String?) {
      self.id = id
      self.text = text
    }

    /// Bytes of its texts and features.
    public var byteCount: Int {
      var count = id.utf8.count + (text?.utf8.count ?? 0)
      for (tag, text) in texts { count += tag.utf8.count + text.utf8.count }
      if case .geoJSON(let json) = closes { count += json.utf8.count }
      return count
    }
  }
}

extension Configuration.Notice.Until {
  /// Reads "2027-06-01" (until the end of that day in local time) or "2027-06-01T18:00:00+02:00"
  /// (RFC 3339); nil: it is neither, or no such day exists.
  public init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(64))
    func number(_ range: Range<Int>) -> Int32? {
      guard range.upperBound <= bytes.count else { return nil }
      var value: Int32 = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int32(byte - UInt8(ascii: "0"))
      }
      return value
    }
    func isSign(_ at: Int, _ sign: Character) -> Bool {
      at < bytes.count && bytes[at] == sign.asciiValue
    }
    guard let year = number(0..<4), isSign(4, "-"), let month = number(5..<7), isSign(7, "-"),
      let day = number(8..<10), (1970...9999).contains(year), (1...12).contains(month),
      (1...31).contains(day)
    else { return nil }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month - 1, day)
    var same = parts
    let midnight = timegm(&same)
    // The 31st of a month with 30 days would be the 1st of the next.
    guard same.tm_mday == day else { return nil }
    self.text = text
    if bytes.count == 10 {
      parts.tm_mday += 1
      parts.tm_isdst = -1
      time = Double(mktime(&parts))
      return
    }
    guard isSign(10, "T") || isSign(10, "t") || isSign(10, " "), let hour = number(11..<13),
      isSign(13, ":"), let minute = number(14..<16), isSign(16, ":"),
      let second = number(17..<19), hour < 24, minute < 60, second <= 60
    else { return nil }
    var end = 19
    if isSign(19, ".") {
      end = 20
      while number(end..<end + 1) != nil { end += 1 }
      if end == 20 { return nil }
    }
    let zone: Int32
    if isSign(end, "Z") || isSign(end, "z") {
      (zone, end) = (0, end + 1)
    } else if isSign(end, "+") || isSign(end, "-"), let hours = number(end + 1..<end + 3),
      isSign(end + 3, ":"), let minutes = number(end + 4..<end + 6), hours < 24, minutes < 60
    {
      zone = (hours * 60 + minutes) * (isSign(end, "-") ? -60 : 60)
      end += 6
    } else {
      return nil
    }
    guard end == text.utf8.count else { return nil }
    time = Double(midnight) + Double(hour * 3600 + minute * 60 + second - zone)
  }
}

/// Checks one notice, from `[[notice]]` in a file or from `notice.set` over the socket.
///
/// - Parameters:
///   - table: The table.
///   - geoJSON: The features that it closes, if they came with the call.
/// - Returns: The notice, or nil if a finding is an error; and the findings.
public func parseNotice(
  _ table: ConfigValue, geoJSON: String? = nil
) -> (Configuration.Notice?, [Finding]) {
  let findings = Findings()
  guard let entries = table.table else {
    findings.error("notice = \(table.shown): a table", at: table.origin)
    return (nil, findings.all)
  }
  let reader = TableReader("notice", entries, table.origin, findings)
  let notice = ConfigurationReader(findings: findings).notice(reader, geoJSON: geoJSON)
  reader.finish()
  let bad = findings.all.contains { $0.severity == .error }
  return (bad ? nil : notice, findings.all)
}

extension ConfigurationReader {
  func notices(_ root: TableReader) -> [Configuration.Notice] {
    var all: [Configuration.Notice] = []
    root.tables("notice", upTo: Configuration.Notice.most) { t in
      if let notice = notice(t) { all.append(notice) }
    }
    return all
  }

  func notice(_ t: TableReader, geoJSON: String? = nil) -> Configuration.Notice? {
    let id = name(t, "id")
    let text = t.localText("text", Configuration.Notice.longestText, least: 1, isSeen: true)
    for key in ["id", "text"] where t.value(key) == nil && (key == "id" || text.others.isEmpty) {
      t.findings.error("notice: \(key) is missing; id and text are required", at: t.origin)
    }
    let severity = t.choice("severity", Configuration.Notice.Severity.self)
    let until = t.read(
      "until",
      "a date in quotation marks, such as \"2027-06-01\", or a time: \"2027-06-01T18:00:00Z\""
    ) { $0.string.flatMap { Configuration.Notice.Until($0) } }
    let overlay = t.read("closes", "an overlay's name") { value in
      value.string.flatMap { (1...100).contains($0.utf8.count) ? $0 : nil }
    }
    let feature = t.read("feature", "the name of a feature, at most 200 bytes") { value in
      value.string.flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
    }
    if feature != nil, overlay == nil {
      t.findings.error(
        "notice.feature: closes is missing, the overlay that has it", at: t.place("feature"))
    }
    let longest = Configuration.Notice.longestGeoJSON
    let inline =
      geoJSON
      ?? t.read("geojson", "GeoJSON in a string of at most \(longest) bytes") { value in
        value.string.flatMap { $0.utf8.count <= longest ? $0 : nil }
      }
    if inline != nil, overlay != nil {
      t.findings.error("notice: one of closes and geojson, not both", at: t.place("closes"))
    }
    guard let id, text.text != nil || !text.others.isEmpty else { return nil }
    var notice = Configuration.Notice(id: id, text: text.text)
    notice.texts = text.others
    if let severity { notice.severity = severity }
    notice.until = until
    notice.closes =
      overlay.map { .overlay($0, feature: feature) } ?? inline.map { .geoJSON($0) }
    return notice
  }
}
