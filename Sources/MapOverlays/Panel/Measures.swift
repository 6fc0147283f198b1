import Drawing
import Words

/// Lengths and heights as people say them.
extension Words {
  /// The length of a way: "851 m", "4.25 km", "12.4 km", "120 km". Rounding changes it by at most
  /// 0.5 %, or by half a metre or foot.
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
    let exact = metres / small.meters
    if exact.rounded() * small.meters < unit.meters {
      return length(number(exact, places: 0), small.word)
    }
    let large = metres / unit.meters
    let places = large < 9.995 ? 2 : large < 99.95 ? 1 : 0
    return length(number(large, places: places), unit.word)
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
