import MapGeometry
import TileLoading
import TileSources

@testable import VectorMaps

/// A vector map in memory, whose tiles are made for a test.
final class MadeMap: TileSource {
  var info = SourceInfo(kind: "made", format: "mvt", minZoom: 0, maxZoom: 3)
  var tiles: [TileID: [UInt8]] = [:]
  var promised: Set<TileID> = []
  /// The tiles that were asked for.
  private(set) var asked: [TileID] = []

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    asked.append(id)
    if promised.contains(id) { return .later(TileRetry()) }
    guard let bytes = tiles[id] else { return .nothing }
    buffer.set(bytes)
    return .payload(buffer.payload(format: bytes.isEmpty ? .mvt : nil))
  }

  func contains(_ id: TileID) throws(TileError) -> Bool { tiles[id] != nil }

  func sampleTiles(upTo limit: Int) -> [TileID] { Array(tiles.keys.prefix(limit)) }

  /// A tile of empty layers with these names (Vector Tile Specification 2.1, 4.1).
  static func tile(_ layers: String...) -> [UInt8] {
    layers.flatMap { name -> [UInt8] in
      let inside: [UInt8] = [0x0a, UInt8(name.utf8.count)] + Array(name.utf8) + [0x78, 2]
      return [0x1a, UInt8(inside.count)] + inside
    }
  }

  /// The tile at `z`/`x`/`y`.
  static func id(_ z: Int, _ x: Int, _ y: Int) -> TileID { TileID(z: z, x: x, y: y) ?? .world }

  /// This map painted as `spec` says. Its tiles are kept apart from those of other tests.
  func painted(
    kept: KeptTiles = KeptTiles(), _ change: (inout SourceSpec) -> Void = { _ in }
  ) throws -> any TileSource {
    var spec = SourceSpec(name: "made", location: .path("made.pmtiles"))
    change(&spec)
    return try VectorMap.painted(self, spec, scale: 1, kept: kept)
  }
}
