import TestSupport
import Testing

@testable import Features

@Suite struct GPXTests {
  private func gpx(_ body: String, root: String = "version=\"1.1\"") -> String {
    "<?xml version=\"1.0\"?>\n<gpx \(root)>\(body)</gpx>"
  }

  @Test func tracksRoutesAndWaypointsAreFeatures() throws {
    let set = try FeatureSet.text(
      gpx(
        """
        <wpt lat="47" lon="8"><name>Hut</name></wpt>
        <rte><name>Way</name><rtept lat="47" lon="8"/><rtept lat="47.1" lon="8.1"/></rte>
        <trk><name>Walk</name><trkseg><trkpt lat="47" lon="8"/><trkpt lat="47.2" lon="8"/></trkseg>
        <trkseg><trkpt lat="48" lon="8"/></trkseg></trk>
        """), label: "name")
    #expect(set.kind == .gpx)
    #expect(set.features.map { set.label(of: $0) } == ["Hut", "Way", "Walk"])
    #expect(set.kinds == [.point: 1, .line: 3])
  }

  @Test func aNamespacesPrefixIsNoMatter() throws {
    let set = try FeatureSet.text(
      """
      <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:wpt lat=" 47 " lon="8"/></g:gpx>
      """)
    #expect(set.kinds == [.point: 1])
  }

  @Test func pointsWithoutAPlaceAreLeftOut() throws {
    let set = try FeatureSet.text(
      gpx(
        """
        <wpt lat="undefined" lon="8"/><wpt lat="0x10" lon="8"/><wpt lat="nan" lon="8"/>
        <wpt lon="8"/><wpt lat="91" lon="8"/>
        <trk><trkseg><trkpt lat="47" lon="8"/>
        <trkpt lat="" lon="8"/><trkpt lat="47.2" lon="8"/></trkseg></trk>
        """))
    #expect(set.features.count == 1 && set.points.count == 2)
    #expect(set.warningCount == 6 && set.warnings[0].line == 2)
  }

  @Test func coloursOfExtensionsAreTaken() throws {
    let set = try FeatureSet.text(
      gpx(
        """
        <trk><extensions><line xmlns="x"><color>00ff7f</color><opacity>0.5</opacity>
        <width>4</width></line></extensions>
        <trkseg><trkpt lat="47" lon="8"/><trkpt lat="48" lon="8"/></trkseg></trk>
        <trk><extensions><gpxx:TrackExtension xmlns:gpxx="y"><gpxx:DisplayColor>DarkRed</gpxx:DisplayColor>
        </gpxx:TrackExtension></extensions>
        <trkseg><trkpt lat="47" lon="8"/><trkpt lat="48" lon="8"/></trkseg></trk>
        """))
    #expect(set.style(0).stroke == 0x00FF7F && set.style(0).strokeOpacity == 0.5)
    #expect(set.style(0).strokeWidth == 4)
    #expect(set.style(1).stroke == 0x8B0000)
  }

  @Test func aDoctypeIsRefused() throws {
    let error = try #require(
      refusal(
        "<!DOCTYPE gpx [\n<!ENTITY a \"aaaaaaaaaa\">\n]>\n<gpx><wpt lat=\"1\" lon=\"1\"/></gpx>"))
    #expect(error.line == 1 && error.reason.contains("DOCTYPE"))
  }

  private static let broken: [(String, Int)] = [
    ("<gpx>", 1), ("<gpx>\n</gpz>", 2), ("<osm/>", 1), ("<gpx><wpt lat=1/></gpx>", 1),
    ("<html>\n</html>", 1), ("<gpx/>\n<gpx/>", 2), ("<", 1), ("<?xml version=\"1.0\"?>\n", 2),
  ]

  @Test(arguments: broken)
  func whatIsNoGPXIsRefusedWithItsLine(_ text: String, _ line: Int) throws {
    let error = try #require(refusal(text))
    #expect(error.line == line, "\(error)")
  }

  @Test func endlessNestingIsRefused() throws {
    let error = try #require(refusal(String(repeating: "<gpx>", count: 10_000)))
    #expect(error.reason.contains("deeply"))
  }

  @Test func aTrackIsColouredByElevation() throws {
    let points = (0..<64).map { step in
      "<trkpt lat=\"\(47 + Double(step) / 100)\" lon=\"8\"><ele>\(400 + step * 10)</ele></trkpt>"
    }
    let text = gpx("<trk><name>Up</name><trkseg>\(points.joined())</trkseg></trk>")
    let set = try FeatureSet(
      bytes: Array(text.utf8), name: "inline",
      options: FeatureOptions(labelKey: "name", colorBy: .elevation))
    let stretches = stretches(set)
    #expect(stretches.count == TrackColours.classes)
    let colors = stretches.compactMap { set.style($0).stroke }
    #expect(colors.first == 0x2C5FD1 && colors.last == 0xD7263D)
    #expect(set.features.compactMap { set.label(of: $0) } == ["Up"])
    // Each goes on where the one before ended.
    let first = set.pointRange(Int(set.features[stretches[0]].firstPart))
    let second = set.pointRange(Int(set.features[stretches[1]].firstPart))
    #expect(set.points[second.lowerBound] == set.points[first.upperBound - 1])
  }

  @Test func theColoursReachTheElevationsThatACardStatesButNoOutlier() throws {
    func set(_ elevations: [Double]) throws -> FeatureSet {
      let points = elevations.enumerated().map { step, elevation in
        "<trkpt lat=\"\(47 + Double(step) / 100)\" lon=\"8\"><ele>\(elevation)</ele></trkpt>"
      }
      return try FeatureSet(
        bytes: Array(gpx("<trk><trkseg>\(points.joined())</trkseg></trk>").utf8), name: "inline",
        options: FeatureOptions(colorBy: .elevation))
    }
    // Long on level ground, and a short way up to a summit.
    var way = (0..<90).map { 1600 + Double($0) }
    way += [1700, 1715, 1730, 1728, 1690]
    let plain = try set(way)
    let (trail, ramp) = (try #require(plain.trails.first), try #require(plain.ramp))
    #expect(trail.lowest == 1600 && trail.highest == 1730)
    #expect(ramp.least == trail.lowest && ramp.most == trail.highest)
    // Some receivers write 0 for "unknown".
    way[40] = 0
    let wrong = try #require(try set(way).ramp)
    #expect(wrong.least > 1595 && wrong.most == 1730)
  }

  /// The features that are a stretch of one colour.
  private func stretches(_ set: FeatureSet) -> [Int] {
    set.features.indices.filter { set.style($0).lines == .ink }
  }

  /// A track that climbs and speeds up, with `extra` at the end of each point.
  private func track(
    by key: FeatureOptions.ColorBy, _ extra: (Int) -> String
  ) throws -> FeatureSet {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let points = (0..<64).map { step in
      let time = step * (128 - step)
      let clock = [10 + time / 3600, time / 60 % 60, time % 60].map(two).joined(separator: ":")
      return "<trkpt lat=\"\(47 + Double(step) / 100)\" lon=\"8\"><ele>\(400 + step * 10)</ele>"
        + "<time>2012-04-30T\(clock)Z</time>\(extra(step))</trkpt>"
    }
    return try FeatureSet(
      bytes: Array(gpx("<trk><trkseg>\(points.joined())</trkseg></trk>").utf8), name: "inline",
      options: FeatureOptions(colorBy: key))
  }

  private static let measures: [FeatureOptions.ColorBy] = [.elevation, .speed]

  @Test(arguments: measures)
  func aMeasureIsThePointsOwnAndNotOneOfItsExtensions(by key: FeatureOptions.ColorBy) throws {
    func other(_ step: Int) -> String {
      "<ele>\(9000 - step * 100)</ele><time>2001-01-01T00:\(10 + step * 7 % 50):00Z</time>"
    }
    let plain = try track(by: key) { _ in "" }
    #expect(plain.features.count > 3)
    let colors = (0..<plain.features.count).map { plain.style($0).stroke }
    let extensions: [(Int) -> String] = [
      { "<extensions>\(other($0))</extensions>" },
      { "<extensions><x xmlns=\"y\">\(other($0))</x></extensions>" },
    ]
    for extra in extensions {
      let extended = try track(by: key, extra)
      #expect(extended.points == plain.points)
      #expect((0..<extended.features.count).map { extended.style($0).stroke } == colors)
    }
  }

  @Test func aTrackIsColouredBySpeedFromItsTimes() throws {
    let file = TestData.fixtures + "/overlays/gpx/Friday-Evening-Run.gpx"
    let plain = try FeatureSet(path: file)
    let set = try FeatureSet(path: file, options: FeatureOptions(colorBy: .speed))
    #expect(plain.features.count == 1)
    #expect(set.features.count > 3)
    #expect(stretches(set).allSatisfy { set.style($0).stroke != nil })
    // Without times there is one colour.
    let untimed = try FeatureSet(
      bytes: Array(
        gpx(
          "<trk><trkseg><trkpt lat=\"1\" lon=\"1\"/><trkpt lat=\"2\" lon=\"1\"/></trkseg></trk>"
        ).utf8), name: "inline", options: FeatureOptions(colorBy: .speed))
    #expect(untimed.features.count == 1 && untimed.style(0).stroke == nil)
  }

  private static let wild: [FeatureOptions.ColorBy] = [.elevation, .speed]

  @Test(arguments: wild)
  func whatCannotBeMeasuredColoursNothing(by key: FeatureOptions.ColorBy) throws {
    let zeros = String(repeating: "0", count: 400)
    let values = ["0", "0", "1.7e308", "1.7e308", "-1.7e308", "3"]
    let points = values.enumerated().map { index, value in
      let time = "2012-04-30T19:40:00.\(zeros)\(index)Z"
      return "<trkpt lat=\"1\" lon=\"\(index)\"><ele>\(value)</ele><speed>\(value)</speed>"
        + "<time>\(time)</time></trkpt>"
    }
    let text = gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")
    let options = FeatureOptions(colorBy: key)
    let set = try FeatureSet(bytes: Array(text.utf8), name: "inline", options: options)
    #expect(set.points.count >= values.count)
  }

  @Test func timesTooNearToEachOtherAreNoSpeed() throws {
    let zeros = String(repeating: "0", count: 320)
    let points = (0..<9).map { index in
      "<trkpt lat=\"1\" lon=\"\(index)\"><time>1970-01-01T00:00:00.\(zeros)\(index)Z</time></trkpt>"
    }
    let text = gpx("<trk><trkseg>\(points.joined())</trkseg></trk>")
    let options = FeatureOptions(colorBy: .speed)
    let set = try FeatureSet(bytes: Array(text.utf8), name: "inline", options: options)
    #expect(set.features.count == 1 && set.style(0).stroke == nil)
  }

  @Test func timesAreReadWithFractionsAndOffsets() {
    #expect(ISOTime.seconds("1970-01-01T00:00:00Z") == 0)
    #expect(ISOTime.seconds("2012-04-30T19:40:00.500Z") == 1_335_814_800.5)
    #expect(ISOTime.seconds("2012-04-30T21:40:00+02:00") == 1_335_814_800)
    #expect(ISOTime.seconds("2000-02-29T12:00:00Z") == 951_825_600)
    #expect(ISOTime.seconds("soon") == nil && ISOTime.seconds("2012-13-30T21:40:00Z") == nil)
  }
}
