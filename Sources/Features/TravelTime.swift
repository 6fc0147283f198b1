#if canImport(Glibc)
  import Glibc
#endif

/// How long a way takes.
public struct TravelTime: Equatable, Sendable {
  /// How people travel.
  public enum Mode: String, Sendable, CaseIterable {
    /// On foot: the polynomial of Schweizer Wanderwege, as its signs say it.
    case hiking
    /// By bicycle: level speed, and 400 m of climbing an hour at 15 km/h.
    case cycling
  }

  /// How people travel.
  public var mode: Mode
  /// Kilometres an hour on level ground, 0.1 to 200; nil: 4.2 on foot, 15 by bicycle. All times
  /// change with it, those of climbs too.
  public var speed: Double?

  /// Creates a way to travel; a nil `speed` is the mode's own.
  public init(_ mode: Mode, speed: Double? = nil) {
    self.mode = mode
    self.speed = speed
  }

  /// The least length of a step whose slope counts, in metres: elevations of receivers are too
  /// rough for shorter ones.
  static let step = 50.0
  /// Climbing, in metres an hour, of a cyclist who rides 15 km/h on level ground.
  static let cyclistsClimb = 400.0

  /// The coefficients of the minutes per kilometre, a polynomial of the slope in tenths.
  private static let polynomial = [
    14.271, 3.6991, 2.5922, -1.4384, 0.32105, 0.81542, -0.090261, -0.20757, 0.010192, 0.028588,
    -0.00057466, -0.0021842, 1.5176e-5, 8.6894e-5, -1.3584e-7, -1.4026e-6,
  ]

  /// Minutes per kilometre on foot.
  ///
  /// - Parameter slope: The metres up per metre; negative downhill.
  /// - Returns: The minutes.
  static func minutesPerKilometre(slope: Double) -> Double {
    let tenths = slope * 10
    // The polynomial holds up to 40 %; beyond, the time grows with the height.
    if tenths >= 4 { return 17 * tenths }
    if tenths <= -4 { return -9 * tenths }
    return polynomial.reversed().reduce(0) { $0 * tenths + $1 }
  }

  /// The seconds that a way takes in the direction of its points.
  ///
  /// - Parameters:
  ///   - length: The length in metres.
  ///   - profile: Distances from the start and elevations in metres; empty: it counts as level.
  /// - Returns: The seconds.
  public func seconds(length: Double, profile: [(distance: Double, elevation: Double)]) -> Double {
    let level = mode == .hiking ? 60 / TravelTime.polynomial[0] : 15
    let factor = level / min(max(speed ?? level, 0.1), 200)
    var seconds = 0.0
    var rest = length
    if var start = profile.first {
      for (index, point) in profile.enumerated().dropFirst() {
        let way = point.distance - start.distance
        guard way >= TravelTime.step || index == profile.count - 1, way > 0 else { continue }
        seconds += self.seconds(way: way, up: point.elevation - start.elevation)
        rest -= way
        start = point
      }
    }
    if rest > 0 { seconds += self.seconds(way: rest, up: 0) }
    return seconds * factor
  }

  private func seconds(way: Double, up: Double) -> Double {
    switch mode {
    case .hiking:
      return way / 1000 * TravelTime.minutesPerKilometre(slope: up / way) * 60
    case .cycling:
      return way / 15_000 * 3600 + max(up, 0) / TravelTime.cyclistsClimb * 3600
    }
  }
}
