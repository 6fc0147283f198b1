import Glibc
import MapGeometry

/// The position of the sun by the Astronomical Almanac's low-precision formulas (section C, "Sun"),
/// accurate to about 0.01° from 1950 to 2050. Refraction is not included; the −0.833° of sunrise
/// and sunset account for it and for the sun's radius.
enum Sun {
  /// The elevation of the sun's centre at sunrise and sunset, in degrees.
  static let horizon = -0.833

  /// The sun's elevation in degrees above the horizon of `place` at `time`, in seconds since 1970,
  /// UTC.
  static func elevation(at place: GeoPoint, time: Double) -> Double {
    let radians = Double.pi / 180
    // Days since 2000-01-01 12:00 UTC.
    let n = time / 86400 - 10957.5
    let meanLongitude = 280.460 + 0.985_647_4 * n
    let anomaly = (357.528 + 0.985_600_3 * n) * radians
    let longitude = (meanLongitude + 1.915 * sin(anomaly) + 0.020 * sin(2 * anomaly)) * radians
    let obliquity = (23.439 - 0.000_000_4 * n) * radians
    let rightAscension = atan2(cos(obliquity) * sin(longitude), cos(longitude))
    let declination = asin(sin(obliquity) * sin(longitude))
    // Greenwich mean sidereal time in hours.
    let sidereal = 18.697_374_558 + 24.065_709_824_419_08 * n
    let hourAngle =
      (sidereal.truncatingRemainder(dividingBy: 24) * 15 + place.lon) * radians
      - rightAscension
    let latitude = place.lat * radians
    return asin(
      sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hourAngle))
      / radians
  }

  /// Whether it is night, given whether it `wasNight` before. Night begins at sunset and ends a
  /// little after sunrise, so that the theme does not flicker at twilight.
  static func isNight(_ elevation: Double, wasNight: Bool) -> Bool {
    elevation < (wasNight ? horizon + 0.25 : horizon)
  }

  /// When day next becomes night or night day, in seconds since 1970; nil: not within a day after
  /// `time`.
  static func nextChange(after time: Double, at place: GeoPoint, isNight: Bool) -> Double? {
    func changes(_ t: Double) -> Bool {
      Sun.isNight(elevation(at: place, time: t), wasNight: isNight) != isNight
    }
    let step = 300.0
    for i in 1...(86400 / Int(step)) where changes(time + Double(i) * step) {
      var (before, after) = (time + Double(i - 1) * step, time + Double(i) * step)
      while after - before > 1 {
        let middle = (before + after) / 2
        if changes(middle) { after = middle } else { before = middle }
      }
      return after
    }
    return nil
  }
}
