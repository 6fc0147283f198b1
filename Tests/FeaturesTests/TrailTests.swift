import Foundation
import TestSupport
import Testing

@testable import Features

/// What is measured of lines: as gpxpy measures it, and bounded whatever the file says.
@Suite struct TrailTests {
  /// A track or a route as gpxpy measured it.
  struct Figure: Sendable {
    var path: String
    var length: Double
    var ascent: Double?
    var descent: Double?
  }

  static let figures: [Figure] = {
    let path = TestData.fixtures + "/overlays/gpxpy-figures.tsv"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { line in
      let row = line.split(separator: "\t").map(String.init)
      guard row.count == 7, let length = Double(row[4]) else { return nil }
      return Figure(path: row[0], length: length, ascent: Double(row[5]), descent: Double(row[6]))
    }
  }()

  /// Fails unless `value` is within 1 % of `right`, or 2 cm: what a file's digits resolve.
  private func expect(_ value: Double, isAbout right: Double, _ what: String) {
    #expect(abs(value - right) <= max(right * 0.01, 0.02), "\(what): \(value), gpxpy \(right)")
  }

  private func compare(_ path: String, _ figures: [Figure], colorBy: FeatureOptions.ColorBy?) throws
  {
    let set = try FeatureSet(path: path, options: FeatureOptions(colorBy: colorBy))
    let ruler = LineRuler(set)
    var number = 0
    for figure in figures {
      while number < set.features.count,
        set.parts[Int(set.features[number].firstPart)].kind != .line
      { number += 1 }
      guard number < set.features.count else {
        Issue.record("\(path) has fewer lines than gpxpy finds")
        return
      }
      let trail = set.trail(of: number)
      let range = trail?.featureRange ?? number..<number + 1
      #expect(range.lowerBound == number)
      expect(ruler.length(of: range, in: set), isAbout: figure.length, "\(path): ruler")
      if let trail { expect(Double(trail.length), isAbout: figure.length, "\(path): length") }
      #expect((trail?.hasElevations ?? false) == (figure.ascent != nil), "\(path): elevations")
      if let trail, let ascent = figure.ascent, let descent = figure.descent {
        expect(Double(trail.ascent), isAbout: ascent, "\(path): ascent")
        expect(Double(trail.descent), isAbout: descent, "\(path): descent")
        #expect(!set.profile(of: trail).isEmpty)
      }
      number = range.upperBound
    }
    let rest = set.features[number...].filter { set.parts[Int($0.firstPart)].kind == .line }
    #expect(rest.isEmpty, "\(path) has more lines than gpxpy finds")
  }

  /// Compares the files with figures for which `file` has a path, at least `least` of them.
  private func compareAll(_ least: Int, file: (String) -> String?) throws {
    let groups = Dictionary(grouping: Self.figures, by: \.path)
    var count = 0
    for (path, figures) in groups.sorted(by: { $0.key < $1.key }) {
      guard let file = file(path) else { continue }
      try compare(file, figures, colorBy: nil)
      try compare(file, figures, colorBy: .elevation)
      count += 1
    }
    #expect(count >= least)
  }

  @Test func lengthAndAscentOfTheFixturesAreThoseOfGpxpy() throws {
    let folder = TestData.fixtures + "/overlays/gpx"
    let carried = Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    try compareAll(11) { path in
      let name = path.split(separator: "/").last.map(String.init) ?? ""
      return carried.contains(name) ? "\(folder)/\(name)" : nil
    }
  }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"))
  func lengthAndAscentOfEveryTrackOfTheDataSetAreThoseOfGpxpy() throws {
    let root = try #require(TestData.large) + "/"
    // A file that is missing cannot be read, and the test fails.
    try compareAll(32) { root + $0 }
  }

  /// A GeoJSON line of these positions.
  private func line(_ positions: String, type: String = "LineString", _ properties: String = "")
    throws -> FeatureSet
  {
    try FeatureSet(
      bytes: Array(
        """
        {"type": "Feature", "properties": {\(properties)},
        "geometry": {"type": "\(type)", "coordinates": [\(positions)]}}
        """.utf8), name: "inline", options: options)
  }

  private var options: FeatureOptions {
    var options = FeatureOptions()
    options.cardKeys = ["name", "surface"]
    return options
  }

  @Test func thirdCoordinatesOfGeoJSONAreElevations() throws {
    let set = try line("[7,46,1000],[7.001,46,1010],[7.002,46,1020],[7.003,46,1000]")
    let trail = try #require(set.trail(of: 0))
    #expect(trail.lowest == 1000 && trail.highest == 1020)
    // Smoothed: 1000, 1010, 1014, 1000 become 1000, 1010, 1011, 1000.
    #expect(abs(trail.ascent - 11) < 0.01 && abs(trail.descent - 11) < 0.01)
    let profile = set.profile(of: trail)
    #expect(profile.map { $0.elevation.rounded() } == [1000, 1010, 1020, 1000])
    #expect(abs((profile.last?.distance ?? 0) - Double(trail.length)) < 1)
  }

  @Test func aLineOfSeveralPartsIsMeasuredWithoutItsGaps() throws {
    let set = try line(
      "[[7,46,100],[7.001,46,110]],[[8,46,500],[8.001,46,510]]", type: "MultiLineString")
    let trail = try #require(set.trail(of: 0))
    #expect(abs(trail.ascent - 20) < 0.01 && trail.descent == 0)
    #expect(abs(trail.length - 2 * 77.33) < 0.5)
    let ruler = LineRuler(set).length(of: 0..<1, in: set)
    #expect(abs(ruler - Double(trail.length)) < 0.1)
  }

  @Test func linesWithoutElevationsHaveNoTrail() throws {
    #expect(try line("[7,46],[7.001,46]").trails.isEmpty)
  }

  @Test(arguments: ["1e300", "-9999", "-32768", "1e999", "null", "\"x\""])
  func anElevationThatCannotBeOneIsLeftOut(_ text: String) throws {
    let set: FeatureSet
    do throws(FeatureError) {
      set = try FeatureSet(
        bytes: Array(
          """
          {"type": "LineString", "coordinates":
          [[7,46,100],[7.001,46,\(text)],[7.002,46,110],[7.003,46,120]]}
          """.utf8), name: "inline")
    } catch {
      // A number that no Double holds may be refused with the file.
      #expect(text == "1e999")
      return
    }
    let trail = try #require(set.trail(of: 0))
    #expect(trail.lowest == 100 && trail.highest == 120)
    #expect(abs(trail.ascent - 20) < 0.01 && trail.descent == 0)
  }

  @Test func manyPointsAreReducedToAProfileOfFixedSize() throws {
    var meter = TrailMeter()
    let places = (0..<150_000).map { (lon: Double($0) * 1e-5, lat: 0.0) }
    let heights = places.indices.map { Float(1000 + ($0 % 2000 < 1000 ? $0 % 1000 : 0) / 10) }
    meter.add(places[...], heights[...])
    let knots = meter.knots
    #expect(knots.count <= TrailMeter.mostKnots && knots.count > TrailMeter.mostKnots / 3)
    #expect(zip(knots, knots.dropFirst()).allSatisfy { $0.distance < $1.distance })
    #expect(meter.lowest == 1000 && meter.highest == 1099)
  }

  @Test func altitudesOfZeroInKMLAreNoElevations() throws {
    func kml(_ coordinates: String, _ more: String = "") throws -> FeatureSet {
      try .text(
        "<kml><Placemark><LineString>\(more)<coordinates>\(coordinates)</coordinates>"
          + "</LineString></Placemark></kml>")
    }
    #expect(try kml("7,46,0 7.001,46,0").trails.isEmpty)
    #expect(
      try kml("7,46,5 7.001,46,9", "<altitudeMode>relativeToGround</altitudeMode>").trails.isEmpty)
    let set = try kml("7,46,100 7.001,46,130")
    #expect(set.trail(of: 0)?.ascent == 30)
  }

  @Test func textsForCardsComeFromPropertiesAndExtensions() throws {
    let set = try line("[7,46],[7.001,46]", "\"surface\": \"gravel\", \"name\": \"Loop\", \"x\": 1")
    let texts = set.cardTexts(of: 0)
    #expect(texts.map(\.key) == [0, 1])
    #expect(texts.map(\.text) == ["Loop", "gravel"])
    let gpx = try FeatureSet(
      bytes: Array(
        """
        <gpx version="1.1"><trk><name>Loop</name><extensions><x:surface>rock</x:surface></extensions>
        <trkseg><trkpt lat="46" lon="7"/><trkpt lat="46" lon="7.1"/></trkseg></trk></gpx>
        """.utf8), name: "inline", options: options)
    #expect(gpx.cardTexts(of: 0).map(\.text) == ["Loop", "rock"])
    // Areas and points have no card.
    let point = try FeatureSet(
      bytes: Array(
        """
        {"type": "Feature", "properties": {"name": "Hut"},
        "geometry": {"type": "Point", "coordinates": [7, 46]}}
        """.utf8), name: "inline", options: options)
    #expect(point.cardTexts(of: 0).isEmpty)
  }
}
