import MapGeometry
import Words

/// A round distance on the ground and its length on the screen.
public struct ScaleBar: Sendable, Equatable {
  /// The system of units of a bar.
  public enum Units: String, Sendable, CaseIterable {
    case metric, imperial, nautical

    /// The unit of short distances.
    var small: Unit { self == .imperial ? .feet : .meters }

    /// The unit of long distances.
    var large: Unit {
      switch self {
      case .metric: .kilometers
      case .imperial: .miles
      case .nautical: .nauticalMiles
      }
    }

    /// The unit in which people are told a distance: feet below a fifth of a mile, as on
    /// signposts; metres below a kilometre, or at sea below a cable, a tenth of a nautical mile.
    func unit(of meters: Double) -> Unit {
      let share =
        switch self {
        case .metric: 1.0
        case .imperial: 0.2
        case .nautical: 0.1
        }
      return meters < share * large.meters ? small : large
    }
  }
  /// The unit of a bar's distance.
  public enum Unit: String, Sendable {
    case meters = "m"
    case kilometers = "km"
    case feet = "ft"
    case miles = "mi"
    case nauticalMiles = "NM"

    /// The unit in metres: the international foot is 0.3048 m, the mile 5,280 feet, the nautical
    /// mile 1,852 m.
    public var meters: Double {
      switch self {
      case .meters: 1
      case .kilometers: 1000
      case .feet: 0.3048
      case .miles: 1609.344
      case .nauticalMiles: 1852
      }
    }

    /// The unit as a word.
    var word: Words.LengthUnit {
      switch self {
      case .meters: .metres
      case .kilometers: .kilometres
      case .feet: .feet
      case .miles: .miles
      case .nauticalMiles: .nauticalMiles
      }
    }
  }

  /// The distance in `unit`, 1, 2 or 5 times a power of ten.
  public var amount: Double
  /// The unit of `amount`.
  public var unit: Unit
  /// The bar's length in pixels.
  public var pixels: Int

  /// Creates a scale bar.
  ///
  /// - Parameters:
  ///   - amount: The distance, 1, 2 or 5 times a power of ten.
  ///   - unit: The unit of `amount`.
  ///   - pixels: The length on the screen in pixels.
  public init(amount: Double, unit: Unit, pixels: Int) {
    self.amount = amount
    self.unit = unit
    self.pixels = pixels
  }

  /// The longest round distance that fits into `points` at the centre of a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - units: The units to choose from.
  ///   - points: The space on the screen in points.
  /// - Returns: The scale bar.
  public static func fitting(_ view: Viewport, units: Units, points: Double) -> ScaleBar {
    let perPoint = max(
      WebMercator.metersPerPoint(lat: view.center.lat, zoom: view.zoom), 1e-6)
    let longest = points * perPoint
    let unit = units.unit(of: longest)
    let amount = round125(longest / unit.meters)
    let pixels = amount * unit.meters / perPoint * Double(view.scale)
    return ScaleBar(amount: amount, unit: unit, pixels: max(1, Int(pixels.rounded())))
  }

  /// The largest 1, 2 or 5 times a power of ten that is not above `value`.
  static func round125(_ value: Double) -> Double {
    var power = 1e-4
    // Allows for rounding errors, so that 0.1 does not fall below its own step.
    let limit = value * (1 + 1e-9)
    while power * 10 <= limit, power < 1e9 { power *= 10 }
    let step = power * 5 <= limit ? 5.0 : power * 2 <= limit ? 2 : 1
    let amount = step * power
    return amount >= 1 ? amount.rounded() : (amount * 1e4).rounded() / 1e4
  }

  /// The distance with its unit: "500 m", "20 000 km", "0.2 NM".
  ///
  /// - Parameter words: The language.
  /// - Returns: The text beside the bar.
  public func text(_ words: Words) -> String {
    words.length(words.number(amount, places: 4, trimmed: true), unit.word)
  }
}
