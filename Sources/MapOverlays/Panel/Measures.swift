import Drawing
import Words

/// Lengths and heights as people say them.
extension Words {
  /// A way: "850 m", "4.2 km", "120 km".
  ///
  /// - Parameters:
  ///   - metres: Its length in metres.
  ///   - units: The system of units.
  /// - Returns: The number with its unit.
  public func way(_ metres: Double, _ units: ScaleBar.Units) -> String {
    let (unit, small): (ScaleBar.Unit, ScaleBar.Unit) =
      switch units {
      case .metric: (.kilometers, .meters)
      case .imperial: (.miles, .feet)
      case .nautical: (.nauticalMiles, .meters)
      }
    let large = metres / unit.meters
    if large < (units == .metric ? 0.9995 : 0.1) {
      let exact = metres / small.meters
      let step = exact < 100 ? 1.0 : 10
      return length(number((exact / step).rounded() * step, places: 0), small.word)
    }
    return length(number(large, places: large < 99.95 ? 1 : 0), unit.word)
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
