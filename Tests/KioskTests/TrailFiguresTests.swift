import Features
import Foundation
import MapOverlays
import TestSupport
import Testing
import Words

@testable import Kiosk

/// What the cards of tracks and routes say: within 1 % of what gpxpy measures, in all units.
@Suite struct TrailFiguresTests {
  /// A track or a route as gpxpy measured it, in metres.
  struct Figure: Sendable {
    var path: String
    var length: Double
    var ascent: Double?
    var descent: Double?
  }

  static let figures: [String: [Figure]] = {
    let path = TestData.fixtures + "/overlays/gpxpy-figures.tsv"
    let all = rows(path).compactMap { row -> Figure? in
      guard row.count == 7, let length = Double(row[4]) else { return nil }
      return Figure(path: row[0], length: length, ascent: Double(row[5]), descent: Double(row[6]))
    }
    return Dictionary(grouping: all, by: \.path)
  }()

  /// The files with figures that the project carries.
  static let fixtures: [String] = figures.keys.filter { path in
    FileManager.default.fileExists(atPath: fixture(path))
  }.sorted()

  private static func fixture(_ path: String) -> String {
    TestData.fixtures + "/overlays/gpx/" + (path.split(separator: "/").last ?? "")
  }

  private static func rows(_ path: String) -> [[String]] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// The cards of the lines of a file, as a selection makes them.
  private func cards(_ set: FeatureSet, _ units: ScaleBar.Units) -> [TrailCard] {
    let drawing = FeatureDrawing(set)
    let selection = LineSelection(Outbox())
    var cards: [TrailCard] = []
    var number = 0
    while number < set.features.count {
      let features = drawing.line(of: number)
      if set.parts[Int(set.features[number].firstPart)].kind == .line {
        selection.select(
          .init(
            overlay: "walks", overlayTitle: "Walks", drawing: drawing, features: features,
            travel: TravelTime(.hiking), properties: []), at: nil)
        if let card = selection.card(.english, units) { cards.append(card) }
      }
      number = features.upperBound
    }
    return cards
  }

  /// The length that a text says, in metres; and how much less or more it can stand for if it is in
  /// whole metres or feet, or less than a mile in hundredths.
  private func length(_ text: String) -> (metres: Double, half: Double)? {
    let units = ["m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344, "NM": 1852]
    let parts = text.split(separator: " ")
    guard parts.count == 2, let unit = units[String(parts[1])],
      let number = Double(parts[0].filter { $0 != "\u{A0}" })
    else { return nil }
    return (number * unit, unit <= 1 ? unit / 2 : number < 1 ? unit / 200 : 0)
  }

  private func expect(_ text: String?, says right: Double, _ what: String) {
    guard let text, let said = length(text) else {
      Issue.record("\(what): \(text ?? "nothing")")
      return
    }
    // What a file's digits resolve, as in TrailTests.
    let most = max(right * 0.01, said.half + 0.02)
    #expect(abs(said.metres - right) <= most, "\(what): \(text), gpxpy \(right) m")
  }

  private func compare(_ path: String, with figures: [Figure]) throws {
    let set = try FeatureSet(path: path)
    for units in ScaleBar.Units.allCases {
      let cards = cards(set, units)
      #expect(cards.count == figures.count, "\(path)")
      for (n, (card, figure)) in zip(cards, figures).enumerated() {
        func value(_ word: Word) -> String? {
          card.figures.first { $0.label == Words.english(word) }?.value
        }
        let what = "\(path), line \(n)"
        expect(value(.trailLength), says: figure.length, what)
        guard let ascent = figure.ascent, let descent = figure.descent else {
          #expect(value(.trailAscent) == nil && value(.trailDescent) == nil, "\(what)")
          continue
        }
        expect(value(.trailAscent), says: ascent, "\(what), ascent")
        expect(value(.trailDescent), says: descent, "\(what), descent")
        if let profile = card.profile { #expect(profile.length == value(.trailLength), "\(what)") }
      }
    }
  }

  @Test(arguments: fixtures)
  func theCardOfEachLineOfTheFixturesSaysWhatGpxpyMeasures(_ path: String) throws {
    #expect(Self.fixtures.count >= 11)
    try compare(Self.fixture(path), with: Self.figures[path] ?? [])
  }

  @Test(.enabled(if: TestData.large != nil, "needs the data set"), arguments: figures.keys.sorted())
  func theCardOfEachLineOfTheDataSetSaysWhatGpxpyMeasures(_ path: String) throws {
    try compare(try #require(TestData.large) + "/" + path, with: Self.figures[path] ?? [])
  }

  /// The table counts tracks and routes without points, too, which have no figures and no card.
  @Test(.enabled(if: TestData.large != nil, "needs the data set"))
  func thereIsACardForEachTrackAndRouteThatWasCounted() throws {
    let root = try #require(TestData.large) + "/"
    var checked = 0
    // path, bytes, xml, version, trk, trkseg, trkpt, rte, rtept, …
    for row in Self.rows(root + "facts/gpx.tsv").dropFirst() where row.count > 8 {
      guard FileManager.default.fileExists(atPath: root + row[0]), row[2] == "ok",
        let tracks = Int(row[4]), let routes = Int(row[7])
      else { continue }
      checked += 1
      let cards = cards(try FeatureSet(path: root + row[0]), .metric)
      let measured = Self.figures[row[0]]?.count ?? 0
      #expect(cards.count == measured && cards.count <= tracks + routes, "\(row[0])")
      if Int(row[6]) == 0, Int(row[8]) == 0 { #expect(cards.isEmpty, "\(row[0])") }
    }
    #expect(checked >= 32)
  }
}
