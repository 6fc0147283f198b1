import MapGeometry

/// What people write for a region on the command line.
package enum RegionText {
  /// Why a text is not part of a region: what would be right.
  package struct Misuse: Error, Equatable, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
  }

  /// `W,S,E,N` in degrees.
  package static func box(_ text: String) throws(Misuse) -> GeoBounds {
    let numbers = numbers(text)
    guard let numbers, numbers.count == 4 else {
      throw Misuse("\(text): a box is W,S,E,N in degrees, as in 5.9,45.8,10.5,47.8")
    }
    let box = GeoBounds(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    for lat in [box.south, box.north] where abs(lat) > 90 {
      throw Misuse("\(text): a latitude of \(lat); a box is W,S,E,N, the longitude first")
    }
    for lon in [box.west, box.east] where abs(lon) > 540 {
      throw Misuse("\(text): a longitude of \(lon); it is -180 to 180")
    }
    guard box.south <= box.north else {
      throw Misuse("\(text): the south edge is north of the north edge; a box is W,S,E,N")
    }
    return box
  }

  /// `LAT,LON,RADIUS`: degrees, and a length.
  package static func circle(_ text: String) throws(Misuse) -> (center: GeoPoint, radius: Double) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let lat = number(parts[0]), let lon = number(parts[1]),
      let radius = length(parts[2])
    else {
      throw Misuse("\(text): a circle is LAT,LON,RADIUS, as in 46.02,7.75,5000 or 46.02,7.75,5km")
    }
    guard abs(lat) <= 90, abs(lon) <= 540 else {
      throw Misuse("\(text): no place on Earth; a circle is LAT,LON,RADIUS, the latitude first")
    }
    return (GeoPoint(lat: lat, lon: WebMercator.wrapLongitude(lon)), radius)
  }

  /// `FILE` or `FILE,LENGTH`; the file's name may hold commas.
  package static func fileAndLength(_ text: String) -> (file: String, length: Double?) {
    guard let comma = text.lastIndex(of: ","),
      let length = length(text[text.index(after: comma)...]), comma > text.startIndex
    else { return (text, nil) }
    return (String(text[..<comma]), length)
  }

  /// `A-B` or `A`: tile levels.
  package static func zooms(_ text: String) throws(Misuse) -> ClosedRange<Int> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let levels = parts.compactMap { level($0) }
    guard (1...2).contains(parts.count), levels.count == parts.count, let first = levels.first,
      let last = levels.last
    else { throw Misuse("\(text): zooms are A-B or A, 0 to \(TileID.maxLevel), as in 0-14") }
    guard first <= last else {
      throw Misuse("\(text): the lower zoom comes first: \(last)-\(first)")
    }
    return first...last
  }

  private static func level(_ text: Substring) -> Int? {
    guard text.utf8.count <= 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let level = Int(text), level <= TileID.maxLevel
    else { return nil }
    return level
  }

  /// Metres of "5000", "5000m", "5km", "3mi" or "2nmi"; nil for anything else, and for what is
  /// longer than half the way round the Earth.
  package static func length(_ text: some StringProtocol) -> Double? {
    let units: [(name: String, metres: Double)] = [
      ("nmi", 1852), ("km", 1000), ("mi", 1609.344), ("m", 1), ("", 1),
    ]
    let lower = text.lowercased()
    for unit in units where lower.hasSuffix(unit.name) {
      guard let value = number(lower.dropLast(unit.name.count)) else { continue }
      let metres = value * unit.metres
      return metres >= 0 && metres <= 20_100_000 ? metres : nil
    }
    return nil
  }

  private static func numbers(_ text: String) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.prefix(8).compactMap { number($0) }
    return numbers.count == parts.count ? numbers : nil
  }

  /// A finite decimal number; spaces around it do not matter.
  static func number(_ text: some StringProtocol) -> Double? {
    let bytes = text.utf8
    guard bytes.count <= 64 else { return nil }
    let plain = String(text.drop { $0 == " " || $0 == "\t" })
    let trimmed = plain.split(separator: " ", omittingEmptySubsequences: true)
    guard trimmed.count == 1, trimmed[0].utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }),
      let value = Double(trimmed[0]), value.isFinite
    else { return nil }
    return value
  }
}
