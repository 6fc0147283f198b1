import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import Kiosk

/// A place at a moment (seconds since 1970), and the sun's elevation there by the NOAA Solar
/// Calculator.
private struct SunPlace: Sendable {
  var name: String
  var lat: Double
  var lon: Double
  var time: Double
  var elevation: Double

  static let all: [SunPlace] = [
    // 2024-06-20 03:43 and 20:21 UTC: sunrise and sunset of London.
    SunPlace(name: "London rises", lat: 51.5, lon: -0.12, time: 1_718_854_980, elevation: -0.83),
    SunPlace(name: "London sets", lat: 51.5, lon: -0.12, time: 1_718_914_860, elevation: -0.83),
    // 2024-03-20 12:07 UTC: noon at an equinox, 90 - latitude.
    SunPlace(name: "Greenwich", lat: 51.48, lon: 0, time: 1_710_936_420, elevation: 38.6),
    // 2024-12-21 12:00 UTC at the poles: the obliquity.
    SunPlace(name: "North Pole", lat: 90, lon: 0, time: 1_734_782_400, elevation: -23.44),
    SunPlace(name: "South Pole", lat: -90, lon: 0, time: 1_734_782_400, elevation: 23.44),
  ]
}

@Test(arguments: SunPlace.all)
private func theSunStandsWhereTheAlmanacSays(_ place: SunPlace) {
  let elevation = Sun.elevation(
    at: GeoPoint(lat: place.lat, lon: place.lon), time: place.time)
  #expect(abs(elevation - place.elevation) < 0.3, "\(place.name): \(elevation)")
}

/// A moment at which the sun's ecliptic longitude is known to the minute: equinoxes, and the days
/// between them and the solstices (the solar terms of the Purple Mountain Observatory for 2024).
private struct SunTerm: Sendable {
  var time: Double
  var longitude: Double

  static let all: [SunTerm] = [
    SunTerm(time: 1_708_315_980, longitude: 330),
    SunTerm(time: 1_710_903_960, longitude: 0),
    SunTerm(time: 1_714_867_800, longitude: 45),
    SunTerm(time: 1_722_989_340, longitude: 135),
    SunTerm(time: 1_727_009_040, longitude: 180),
    SunTerm(time: 1_730_931_600, longitude: 225),
  ]
}

@Test(arguments: SunTerm.all)
private func theSunsWayThroughTheYearIsTheAlmanacs(_ term: SunTerm) {
  // At the pole the elevation is the declination.
  let elevation = Sun.elevation(at: GeoPoint(lat: 90, lon: 0), time: term.time)
  let obliquity = 23.4385 * Double.pi / 180
  let declination =
    asin(sin(obliquity) * sin(term.longitude * .pi / 180)) * 180 / .pi
  // The equation of centre's second term alone is 0.0045° and more here.
  #expect(abs(elevation - declination) < 0.003, "\(term.longitude)")
}

@Test func nightBeginsWhenTheSunIsDownAndEndsALittleAfterItIsUp() {
  #expect(!Sun.isNight(-0.83, wasNight: false))
  #expect(Sun.isNight(-0.84, wasNight: false))
  #expect(Sun.isNight(-0.7, wasNight: true))
  #expect(!Sun.isNight(-0.5, wasNight: true))
}

@Test func theNextChangeIsTheSunset() throws {
  let london = GeoPoint(lat: 51.5, lon: -0.12)
  let noon = 1_718_884_800.0
  let sunset = try #require(Sun.nextChange(after: noon, at: london, isNight: false))
  #expect(abs(sunset - 1_718_914_860) < 240)
  #expect(!Sun.isNight(Sun.elevation(at: london, time: sunset - 2), wasNight: false))
  #expect(Sun.isNight(Sun.elevation(at: london, time: sunset), wasNight: false))
  let sunrise = try #require(Sun.nextChange(after: sunset, at: london, isNight: true))
  #expect(sunrise > sunset && sunrise - sunset < 8 * 3600)
  // At midsummer there is none at the pole.
  #expect(
    Sun.nextChange(after: noon, at: GeoPoint(lat: 89.9, lon: 0), isNight: false) == nil)
}

@Test func aClockOfTheLastCenturyIsNotBelieved() {
  #expect(!WallClock.isPlausible(0))
  #expect(!WallClock.isPlausible(1_600_000_000))
  #expect(WallClock.isPlausible(1_790_000_000))
}

@Test func aBoardWithoutAClockThatKeepsTimeIsNotBelieved() throws {
  let folder = try TemporaryFolder()
  let now = 1_790_000_000.0
  for name in ["rtc0", "rtc1"] {
    try FileManager.default.createDirectory(
      atPath: folder[name], withIntermediateDirectories: true)
  }
  #expect(!WallClock.hasKeeper(now, folder: folder.path))
  try folder.write("12\n", to: "rtc0/since_epoch")
  #expect(!WallClock.hasKeeper(now, folder: folder.path))
  try folder.write("1790000100\n", to: "rtc1/since_epoch")
  #expect(WallClock.hasKeeper(now, folder: folder.path))
  #expect(WallClock.hasKeeper(now, folder: folder["none"]))
}

@Test func whereTheKernelMayNotBeAskedATimeServicesFileTells() throws {
  let folder = try TemporaryFolder()
  #expect(!WallClock.isReported(in: folder["synchronized"]))
  try folder.write("", to: "synchronized")
  #expect(WallClock.isReported(in: folder["synchronized"]))
}
