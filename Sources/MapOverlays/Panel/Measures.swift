import Drawing
import Words

/// Lengths and heights as people say them.
extension Words {
  /// The length of a way: "851 m", "4.25 km", "12.4 km", "120 km"; "1000 ft", "0.5 mi", "1.25 mi".
  /// Rounding changes it by at most 0.5 %, by half a metre or foot, or by a 200th of a mile.
  ///
  /// - Parameters:
  ///   - metres: Its length in metres.
  ///   - units: The system of units.
  /// - Returns: The number with its unit.
  public func way(_ metres: Double, _ units: ScaleBar.Units) -> String {
    let small = units.small
    let exact = (metres / small.meters).rounded()
    let unit = units.unit(of: exact * small.meters)
    if unit == small { return length(number(exact, places: 0), small.word) }
    let large = metres / unit.meters
    let places = large < 9.995 ? 2 : large < 99.95 ? 1 : 0
    // Half a mile is "0.5 mi", as on signposts.
    return length(number(large, places: places, trimmed: large < 0.995), unit.word)
  }

  /// A height, or a climb: "446 m", "1463 ft".
  ///
  /// - Parameters:
  ///   - metres: In metres.
  ///   - units: The system of units.
  /// - Returns: The number with its unit.
  public func height(_ metres: Double, _ units: ScaleBar.Units) -> String {
    let unit: ScaleBar.Unit = units == .imperial ? .feet : .meters
    return length(number(metres / unit.meters, places: 0), unit.word)
  }

  /// What an icon of markers stands for.
  public func icon(_ icon: MarkerIcon) -> String {
    Word(rawValue: "icon-\(icon.rawValue)").map { self($0) } ?? icon.rawValue
  }
}
