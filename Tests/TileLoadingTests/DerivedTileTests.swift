import Foundation
import Images
import MapGeometry
import Pixels
import TestSupport
import Testing
import TileSources

@testable import TileLoading

/// Tiles that are made of the tiles below them.
@Suite struct DerivedTileTests {
  /// Real pictures: the five tiles of a small folder.
  private static let pictures: [[UInt8]] = ["0/0/0", "1/0/0", "1/1/0", "2/1/1", "2/2/1"].compactMap
  {
    FileManager.default.contents(atPath: TestData.fixtures + "/packs/sparse-folder/\($0).png")
      .map { [UInt8]($0) }
  }

  private static func picture(_ id: TileID) -> [UInt8] {
    pictures[(id.x * 3 + id.y) % pictures.count]
  }

  @Test(arguments: 1...3)
  func aTileMadeOfThoseBelowIsTheirMosaicReduced(levels: Int) throws {
    #expect(DerivedTileTests.pictures.count == 5)
    let rig = Rig()
    rig.add(0) { $0.z == 2 + levels ? DerivedTileTests.picture($0) : nil }
    let above = tile(2, 2, 1)
    rig.want(rig.request(above, levels: levels, edge: 256))
    #expect(rig.runUntilIdle())
    #expect(rig.entry(above)?.format == .xrgb8888)
    let made = rig.pixels(above)
    try #require(made.count == 256 * 256)
    // Each pixel is the mean of a square of its child's.
    let (side, part, decoder) = (1 << levels, 256 >> levels, TileDecoder())
    var worst = 0
    for row in 0..<side {
      for column in 0..<side {
        let child = tile(2 + levels, above.x << levels + column, above.y << levels + row)
        #expect(child.ancestor(levels) == above)
        var whole = [UInt32](repeating: 0, count: 256 * 256)
        _ = try DerivedTileTests.picture(child).withUnsafeBytes { bytes in
          try whole.withUnsafeMutableBytes {
            try decoder.decode(bytes, edge: 256, opaque: .xrgb8888, into: $0)
          }
        }
        for y in 0..<part {
          for x in 0..<part {
            let pixel = made[(row * part + y) * 256 + column * part + x]
            for shift in [0, 8, 16] as [UInt32] {
              var sum = 0
              for i in 0..<side * side {
                let from = (y * side + i / side) * 256 + x * side + i % side
                sum += Int(whole[from] >> shift & 255)
              }
              let mean = (sum + side * side / 2) / (side * side)
              worst = max(worst, abs(Int(pixel >> shift & 255) - mean))
            }
          }
        }
      }
    }
    #expect(worst <= 1)
  }

  @Test func onA565DisplayTheMadeTileHasItsFormat() {
    let rig = Rig(opaque: .rgb565)
    rig.add(0) { _ in flatPNG(0xFF0000) }
    rig.want(rig.request(.world, levels: 2))
    #expect(rig.runUntilIdle())
    #expect(rig.entry(.world)?.format == .rgb565)
    #expect(rig.entry(.world)?.pixels.load(as: UInt16.self) == 0xF800)
  }

  @Test func whatIsMissingOrBrokenBelowIsEmptyAndTheRestIsThere() {
    let rig = Rig()
    // Whole rows of a large picture come before its end is found missing.
    let cut = Array(DerivedTileTests.pictures[0].dropLast(200))
    rig.add(0) { id throws(TileError) in
      switch (id.x, id.y) {
      case (0, 0): return flatPNG(0x00FF00)
      case (1, 0): return nil
      case (0, 1): return cut
      default: throw TileError(file: "/media/card", tile: id, reason: "it is gone")
      }
    }
    rig.want(rig.request(.world, levels: 1))
    #expect(rig.runUntilIdle())
    let pixels = rig.pixels(.world)
    #expect(pixels.count == 256 && rig.entry(.world)?.format == .argb8888)
    for (i, pixel) in pixels.enumerated() {
      #expect(pixel == (i % 16 < 8 && i / 16 < 8 ? 0xFF00_FF00 : 0))
    }
    #expect(Set(rig.tileErrors.map(\.tile)) == [tile(1, 0, 1), tile(1, 1, 1)])
    #expect(Set(rig.tileErrors.map(\.file)) == ["source 0", "/media/card"])
    #expect(rig.missing.count == 0)
  }

  @Test func whereAllBelowIsBrokenOrMissingThereIsNoTile() {
    let rig = Rig()
    rig.add(0) { _ in [1, 2, 3] }
    rig.add(1) { _ in nil }
    rig.want(
      rig.request(.world, levels: 1), rig.request(.world, source: 1, levels: 1))
    #expect(rig.runUntilIdle())
    #expect(rig.entry(.world) == nil && rig.entry(.world, source: 1) == nil)
    #expect(rig.tileErrors.count == 4)
    #expect(
      rig.missing.find(TileKey(source: 0, tile: .world))
        == .init(ancestorLevel: nil, failed: true))
    #expect(
      rig.missing.find(TileKey(source: 1, tile: .world))
        == .init(ancestorLevel: nil, failed: false))
  }

  @Test func theLoaderWithoutThreadsMakesTheSame() throws {
    let rig = Rig()
    rig.add(0) { DerivedTileTests.picture($0) }
    rig.want(rig.request(.world, levels: 2, edge: 256), rig.request(tile(3, 1, 1), edge: 256))
    #expect(rig.runUntilIdle())
    let (cache, missing) = (TileCache(limit: 8 << 20), MissingTiles())
    let other = SynchronousLoader(cache: cache, missing: missing, opaque: .xrgb8888)
    other.setSource(
      0,
      FunctionSource(SourceControl(), maxZoom: 24, has: { _ in true }) {
        id throws(TileError) in id.z == 9 ? [0] : DerivedTileTests.picture(id)
      }, name: "own")
    for (id, levels) in [(TileID.world, 2), (tile(3, 1, 1), 0)] {
      #expect(other.load(rig.request(id, levels: levels, edge: 256)))
      let slot = try #require(cache.peek(TileKey(source: 0, tile: id)))
      let entry = cache.entry(slot)
      let bytes = UnsafeRawBufferPointer(start: entry.pixels, count: 256 * 256 * 4)
      let own = rig.pixels(id).withUnsafeBytes { Array($0) }
      #expect(own.elementsEqual(bytes))
    }
    #expect(other.load(rig.request(tile(9, 1, 1))))
    #expect(other.errors.map(\.file) == ["own"] && other.errorCount == 1)
    #expect(!other.load(rig.request(tile(3, 0, 0), edge: 0)))
    #expect(!other.load(rig.request(tile(3, 0, 0), source: 4)))
  }
}
