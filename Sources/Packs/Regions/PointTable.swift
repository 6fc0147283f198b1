import MapGeometry

/// The places of a table of comma-separated values (RFC 4180), whose first line names the columns.
///
/// Columns are found by name; values may be separated by commas, semicolons or tabs, and with
/// semicolons or tabs a decimal comma is taken as well.
struct PointTable {
  private(set) var points: [GeoPoint] = []
  /// What was left out.
  private(set) var notes: [String] = []

  private static let latitudes = ["lat", "latitude", "y", "lat_deg", "breite", "breitengrad"]
  private static let longitudes = [
    "lon", "lng", "long", "longitude", "x", "lon_deg", "länge", "längengrad",
  ]
  /// The most places.
  static let limit = 1_000_000

  /// Whether bytes are a table rather than JSON or XML.
  static func isTable(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = bytes[start...].first(where: { ![9, 10, 13, 32].contains($0) }) else {
      return false
    }
    // Beside text this takes in neither what is compressed nor UTF-16, which errors name better.
    return first > 32 && first < 0xFE && first != UInt8(ascii: "<") && first != UInt8(ascii: "{")
      && first != UInt8(ascii: "[") && !bytes.starts(with: [0x50, 0x4B, 0x03, 0x04])
  }

  /// - Throws: `PackError` with the line.
  init(_ bytes: [UInt8], file: String) throws(PackError) {
    var rows = TableRows(bytes)
    guard let head = rows.next() else { throw PackError(file: file, reason: "is empty") }
    let names = head.map { $0.lowercased() }
    func column(_ known: [String]) -> Int? {
      known.lazy.compactMap { name in names.firstIndex(of: name) }.first
    }
    guard let lat = column(PointTable.latitudes), let lon = column(PointTable.longitudes) else {
      throw PackError(
        file: "\(file):1",
        reason: "the first line names no columns lat and lon: it has "
          + "\(names.prefix(8).map { "\"\($0.prefix(24))\"" }.joined(separator: ", "))")
    }
    var leftOut = 0
    var firstBad: Int?
    while let row = rows.next() {
      if row.count == 1, row[0].isEmpty { continue }
      guard points.count < PointTable.limit else {
        throw PackError(file: file, reason: "holds more than \(PointTable.limit) places")
      }
      guard row.count > max(lat, lon), let north = rows.number(row[lat]),
        let east = rows.number(row[lon]), abs(north) <= 90, abs(east) <= 540
      else {
        leftOut += 1
        firstBad = firstBad ?? rows.line
        continue
      }
      points.append(GeoPoint(lat: north, lon: WebMercator.wrapLongitude(east)))
    }
    guard !points.isEmpty else {
      throw PackError(
        file: file,
        reason: "holds no line with a latitude and a longitude, separated as in its first line")
    }
    if let firstBad {
      notes.append(
        "\(file):\(firstBad): \(leftOut) lines without a place are ignored; this is the first")
    }
  }
}

/// The rows of a table, one at a time.
struct TableRows {
  private let bytes: [UInt8]
  private var place: Int
  private let separator: UInt8
  /// The line on which the last row began, from 1.
  private(set) var line = 0
  private var nextLine = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let head = bytes[place...].prefix { $0 != 10 && $0 != 13 }
    separator =
      [UInt8(ascii: "\t"), UInt8(ascii: ";")].first { head.contains($0) } ?? UInt8(ascii: ",")
  }

  /// A number as this table writes them.
  func number(_ text: String) -> Double? {
    if separator != UInt8(ascii: ","), !text.contains(".") {
      return RegionText.number(String(text.map { $0 == "," ? "." : $0 }))
    }
    return RegionText.number(text)
  }

  /// The next row's values without quotes and the spaces around them; nil at the end.
  mutating func next() -> [String]? {
    guard place < bytes.count else { return nil }
    line = nextLine
    var row: [String] = []
    var value: [UInt8] = []
    var isQuoted = false
    func text(_ value: [UInt8]) -> String {
      let text = String(decoding: value, as: UTF8.self)
      return String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == 10 { nextLine += 1 }
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          value.append(byte)
        } else if place < bytes.count, bytes[place] == byte {
          value.append(byte)
          place += 1
        } else {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\"") where value.isEmpty: isQuoted = true
      case separator:
        row.append(text(value))
        value = []
      case 10:
        row.append(text(value))
        return row
      case 13: break
      default: value.append(byte)
      }
    }
    row.append(text(value))
    return row
  }
}
