import Configuration
import Control

@testable import Kiosk

/// What the tests of overlays share: a square that covers the middle of a small map.
protocol OverlayCase {}

extension OverlayCase {
  /// An area that covers the middle of the world, filled with one colour.
  static func square(_ color: String) -> String {
    #"{"type":"Feature","properties":{"fill":"\#(color)","fill-opacity":1,"stroke-opacity":0},"#
      + #""geometry":{"type":"Polygon","coordinates":"#
      + "[[[-40,-40],[40,-40],[40,40],[-40,40],[-40,-40]]]}}"
  }

  static func table(_ name: String, _ color: String, level: String? = nil) throws -> JSON {
    var table: JSONObject = ["name": .string(name), "geojson": try JSON.parse(square(color))]
    table["level"] = level.map { .string($0) }
    return .object(table)
  }

  static func overlay(_ name: String, _ path: String) -> Configuration.Overlay {
    Configuration.Overlay(name: name, content: .file(path), level: .aboveRoads)
  }

  func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    try Bench([MosaicTests.spec(MosaicTests.small)], width: 400, height: 300, set)
  }

  /// The colour in the middle of the screen.
  func middle(_ bench: Bench) -> UInt32 { bench.panel()[200, 150] }

  var red: UInt32 { 0xffff_0000 }
  var blue: UInt32 { 0xff00_00ff }

  func add(_ bench: Bench, _ name: String, _ color: String, level: String? = nil) throws {
    _ = try bench.kiosk.addOverlay(Self.table(name, color, level: level), trusted: false)
  }
}
