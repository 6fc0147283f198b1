import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import Features

/// Every file of features there is: drawn as another program counted it, or refused with its line.
@Suite struct OverlayFilesTests {
  /// Files that hold nothing that can be drawn, and the line that says so.
  private static let refused: [String: Int] = [
    "bad-duplicate-properties.geojson": 1, "bad-featurelist.geojson": 1, "bad-json.geojson": 3,
    "badfeature.geojson": 1, "false.geojson": 3, "featurecollection-obj.geojson": 1,
    "featurecollection.geojson": 1, "nofeaturetype.geojson": 4,
    "point-labeled-as-a-multipolygon.geojson": 1, "point-string.geojson": 1, "point.geojson": 1,
    "short-multilinestring.geojson": 1, "furkot-mismatched-root.gpx": 13,
  ]
  /// Files of which a part is left out: how many features stay.
  private static let reduced: [String: Int] = ["stringcoord.geojson": 1]

  private static func files(below folder: String, _ ending: String) -> [String] {
    let names = FileManager.default.subpaths(atPath: folder) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
  }

  static let fixtures: [String] = {
    let folder = TestData.fixtures + "/overlays"
    return files(below: folder, "json") + files(below: folder, ".gpx")
  }()

  @Test(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
  func filesMadeToExhaustTheirReaderAreRefusedOrReadWithinTheLimits() throws {
    let folder = (TestData.large ?? "") + "/hostile/"
    do throws(FeatureError) {
      _ = try FeatureSet(path: folder + "lol.gpx")
      Issue.record("lol.gpx was read")
    } catch {
      #expect(error.line == 1 && error.reason.contains("DOCTYPE"))
    }
    let set = try FeatureSet(path: folder + "cross.geojson")
    #expect(set.points.count > 0 && set.points.count <= FeatureLimits.points)
  }

  @Test(arguments: fixtures)
  func everyFileIsDrawnOrRefusedWithItsLine(_ path: String) throws {
    let name = (path as NSString).lastPathComponent
    switch Self.read(path) {
    case .success(let set):
      #expect(Self.refused[name] == nil)
      #expect(
        set.warningCount == 0 || Self.reduced[name] == set.features.count || name == "bad.gpx")
    case .failure(let error):
      #expect(error.file == path)
      #expect(error.line == Self.refused[name], "\(error)")
    }
  }

  /// What a file is read as.
  private static func read(_ path: String) -> Result<FeatureSet, FeatureError> {
    do throws(FeatureError) {
      return .success(try FeatureSet(path: path))
    } catch {
      return .failure(error)
    }
  }

  private static func read(_ bytes: [UInt8]) -> Result<FeatureSet, FeatureError> {
    do throws(FeatureError) {
      return .success(
        try FeatureSet(
          bytes: bytes, name: "changed",
          options: FeatureOptions(labelKey: "name", colorBy: .speed)))
    } catch {
      return .failure(error)
    }
  }

  /// One row of a table of facts that another program found out.
  private static func rows(_ table: String) throws -> [[String]] {
    let text = try String(
      contentsOfFile: try #require(TestData.large) + "/facts/" + table, encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// "1.5..2" as numbers.
  private static func range(_ text: String) -> (Double, Double)? {
    let ends = text.components(separatedBy: "..").compactMap { Double($0) }
    return ends.count == 2 ? (ends[0], ends[1]) : nil
  }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"))
  func everyGeoJSONOfTheDataSetIsAsItWasCounted() throws {
    let root = try #require(TestData.large) + "/"
    var checked = 0
    for row in try Self.rows("geojson.tsv") {
      let name = (row[0] as NSString).lastPathComponent
      guard FileManager.default.fileExists(atPath: root + row[0]) else { continue }
      checked += 1
      switch Self.read(root + row[0]) {
      case .success(let set):
        #expect(Self.refused[name] == nil, "\(row[0])")
        #expect(set.features.count == Self.reduced[name] ?? Int(row[4]), "\(row[0])")
        guard row.count > 8, let lats = Self.range(row[8]), let bounds = set.bounds,
          !row[0].contains("antimeridian"), Self.reduced[name] == nil
        else { continue }
        let limit = WebMercator.maxLatitude
        #expect(abs(bounds.south - max(lats.0, -limit)) < 1e-6, "\(row[0])")
        #expect(abs(bounds.north - min(lats.1, limit)) < 1e-6, "\(row[0])")
        // Rings: as many as there are, if none is cut.
        let rings = set.parts.filter { $0.kind == .ring }.count
        let counted = Int(row[6].split(separator: "/")[0])
        if bounds.longitudeSpan < 350, bounds.west < bounds.east {
          #expect(rings == counted, "\(row[0])")
        }
      case .failure(let error):
        #expect(error.file == root + row[0])
        #expect(error.line == Self.refused[name], "\(error)")
        // Where it is no JSON at all, in the line that the other program names too.
        if row[2].hasPrefix("INVALID") {
          #expect(row[2].contains("line \(error.line ?? 0) "), "\(row[2])")
        }
      }
    }
    #expect(checked > 90)
  }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"))
  func everyGPXOfTheDataSetIsAsItWasCounted() throws {
    let root = try #require(TestData.large) + "/"
    var checked = 0
    for row in try Self.rows("gpx.tsv") {
      guard FileManager.default.fileExists(atPath: root + row[0]) else { continue }
      checked += 1
      switch Self.read(root + row[0]) {
      case .success(let set):
        #expect(row[2].hasPrefix("ok"), "\(row[0])")
        guard row.count > 11, !row[2].contains("bad_coords") else {
          #expect(set.features.isEmpty, "\(row[0])")
          continue
        }
        let counts = row[4...9].compactMap { Int($0) }
        let (segments, points) = (counts[1], counts[2] + counts[4])
        let lines = set.parts.filter { $0.kind == .line }.count
        let places = set.parts.filter { $0.kind == .point }.count
        #expect(places == counts[5], "\(row[0])")
        // Empty segments are none; points that repeat the one before are one.
        #expect(lines <= segments + counts[3], "\(row[0])")
        #expect(set.points.count - places <= points, "\(row[0])")
        #expect(set.points.count - places > points / 2 || points < 2, "\(row[0])")
        if let lats = Self.range(row[10]), let lons = Self.range(row[11]) {
          let bounds = try #require(set.bounds)
          let found = [bounds.south, bounds.north, bounds.west, bounds.east]
          for (found, known) in zip(found, [lats.0, lats.1, lons.0, lons.1]) {
            #expect(abs(found - known) < 1e-6, "\(row[0]): \(found) \(known)")
          }
        } else {
          #expect(set.features.isEmpty, "\(row[0])")
        }
      case .failure(let error):
        #expect(row[2].contains("line \(error.line ?? 0),"), "\(row[0]): \(error)")
      }
    }
    #expect(checked > 40)
  }

  /// Numbers that are the same in every run.
  private struct Numbers {
    var state: UInt64
    mutating func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, below)
    }
  }

  @Test func noChangeOfAFileTraps() throws {
    let kml = """
      <kml><Document><Style id="a"><LineStyle><color>7fff0000</color></LineStyle></Style>
      <Placemark><styleUrl>#a</styleUrl><Polygon><outerBoundaryIs><LinearRing><coordinates>
      170,40 -170,40 -170,60 170,60</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
      <Placemark><gx:Track><gx:coord>1 2 3</gx:coord></gx:Track></Placemark></Document></kml>
      """
    var seeds = [Array(kml.utf8)]
    for path in Self.fixtures {
      let bytes = FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? []
      if bytes.count < 4000 { seeds.append(bytes) }
    }
    let numbers: [String] = [
      "1e999", "-1e999", "1e-999", "99999999999999999999", "-180", "180", "540", "-0", "null", "[",
      "]", "{", "}", "<", ">", "\"", ",", "NaN", "\u{0}", "\\u", "&", "<![CDATA[",
    ]
    var random = Numbers(state: 4)
    var read = 0
    for seed in seeds {
      for _ in 0..<Emulation.rounds(60) {
        var bytes = seed
        for _ in 0...random.next(3) {
          guard !bytes.isEmpty else { break }
          let at = random.next(bytes.count)
          switch random.next(5) {
          case 0: bytes[at] = UInt8(random.next(256))
          case 1: bytes.removeSubrange(at..<min(bytes.count, at + random.next(20)))
          case 2: bytes.insert(contentsOf: numbers[random.next(numbers.count)].utf8, at: at)
          case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 30)], at: at)
          default: bytes.removeSubrange(at...)
          }
        }
        switch Self.read(bytes) {
        case .success(let set):
          _ = set.bounds
          #expect(set.parts.last.map { Int($0.end) } ?? 0 == set.points.count)
          read += 1
        case .failure(let error):
          #expect(error.file == "changed")
        }
      }
    }
    #expect(read > 0)
  }
}
