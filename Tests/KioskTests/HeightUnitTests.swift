import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Configuration
@testable import Kiosk
@testable import MapLabels

/// The heights of peaks on a vector map are in the units of the display.
@Suite struct HeightUnitTests {
  /// A field of bytes (Protocol Buffers, wire type 2).
  private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  /// A tile of OpenMapTiles with one peak in its middle (Vector Tile Specification 2.1, 4).
  private static func tile(name: String, height: UInt8) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { field(4, field(1, Array(text.utf8))) }
    var feature = field(2, [0, 0, 1, 1, 2, 2])  // tags
    feature += [3 << 3, 1]  // a point
    feature += field(4, [9, 0x80, 0x20, 0x80, 0x20])  // to (2048, 2048)
    var layer = field(1, Array("mountain_peak".utf8))
    layer += field(2, feature)
    for key in ["class", "name", "ele"] { layer += field(3, Array(key.utf8)) }
    layer += text("peak")
    layer += text(name)
    // An unsigned number of two bytes.
    layer += field(4, [5 << 3, 0x80 | height & 0x7F, 8])
    layer += [15 << 3, 2]
    let empty = ["transportation", "water", "place"].flatMap { name in
      field(3, field(1, Array(name.utf8)) + [15 << 3, 2])
    }
    return field(3, layer) + empty
  }

  @Test func heightsAreInFeetWhereTheUnitsAreImperialAndFollowThem() throws {
    let folder = try TemporaryFolder()
    let tiles = URL(fileURLWithPath: folder.path).appendingPathComponent("9/256")
    try FileManager.default.createDirectory(at: tiles, withIntermediateDirectories: true)
    // 8 * 128 + 76 metres.
    try Data(Self.tile(name: "Alp", height: 76)).write(
      to: tiles.appendingPathComponent("256.pbf"))
    let spec = SourceSpec(name: "map", location: .path(folder.path))
    let bench = try Bench([spec], width: 480, height: 320) {
      $0.view.center = GeoPoint(lat: -0.35, lon: 0.35)
      $0.view.zoom = 10
      $0.hud.units = .imperial
    }
    try bench.settle()
    func text() -> [String] {
      bench.kiosk.baseLabels.placement?.labels.filter { !$0.isLeaving }.map(\.shape.text) ?? []
    }
    #expect(text() == ["Alp\n3609 ft"])
    for (units, height) in [
      (Configuration.Hud.Units.metric, "1100 m"), (.imperial, "3609 ft"), (.nautical, "1100 m"),
    ] {
      var new = bench.kiosk.configuration
      new.hud.units = units
      bench.kiosk.apply(new)
      try bench.settle()
      #expect(text() == ["Alp\n\(height)"], "\(units)")
    }
  }
}
