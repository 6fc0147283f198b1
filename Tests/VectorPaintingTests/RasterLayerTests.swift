import Glibc
import Images
import MapGeometry
import MapStyle
import Platform
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import VectorPainting

/// Layers of pictures: what they draw, where, and in which colours.
@Suite struct RasterLayerTests {
  private let ground =
    ##"{"id":"ground","type":"background","paint":{"background-color":"#ffffff"}}"##
  private let png = PlainPNG.tile(7)

  private func raster(_ paint: String = "", _ more: String = "") -> String {
    #"{"id":"p","type":"raster","source":"relief","paint":{\#(paint)}\#(more)}"#
  }

  private func picture(
    _ bytes: [UInt8]? = nil, part: VectorTilePart = .whole, source: String = "relief"
  ) -> VectorPicture {
    VectorPicture(
      source: source, file: "relief.mbtiles", tile: .world, part: part,
      payload: TilePayload(bytes ?? png))
  }

  private func part(_ column: Int, _ row: Int) throws -> VectorTilePart {
    try #require(VectorTilePart(levels: 1, column: column, row: row))
  }

  /// The picture's pixels, fitted to `edge`.
  private func pixels(edge: Int = 16) throws -> [UInt32] {
    var pixels = [UInt32](repeating: 0, count: edge * edge)
    try pixels.withUnsafeMutableBytes { memory in
      let base = try #require(memory.baseAddress)
      try png.withUnsafeBytes {
        _ = try TileDecoder().decodeARGB($0, edge: edge, into: base, rowBytes: edge * 4)
      }
    }
    return pixels
  }

  private func channels(_ word: UInt32) -> [Double] {
    [16, 8, 0].map { Double(word >> UInt32($0) & 255) }
  }

  /// The largest difference of a channel.
  private func distance(_ a: [UInt32], _ b: [UInt32]) -> Double {
    guard a.count == b.count else { return .infinity }
    var most = 0.0
    for index in a.indices {
      let (one, other) = (channels(a[index]), channels(b[index]))
      for channel in 0..<3 { most = max(most, abs(one[channel] - other[channel])) }
    }
    return most
  }

  @Test func aPictureIsDrawnInItsPlaceAmongTheLayers() throws {
    var layer = TileWriter.Layer("l")
    layer.add(.polygon, [[0, 0, 2048, 0, 2048, 4096, 0, 4096]])
    let fill =
      ##"{"id":"f","type":"fill","source-layer":"l","paint":{"fill-color":"#ff0000","##
      + ##""fill-antialias":false}}"##
    let over = try Painting(
      layer.bytes, layers: [ground, raster(), fill].joined(separator: ","), edge: 16,
      pictures: [picture()])
    #expect(over.outcome == .painted(.xrgb8888) && over.faults.isEmpty)
    let expected = try pixels()
    for y in 0..<16 {
      for x in 0..<16 {
        #expect(over[x, y] == (x < 8 ? 0xFFFF_0000 : expected[y * 16 + x]), "\(x), \(y)")
      }
    }
    let under = try Painting(
      layer.bytes, layers: [ground, fill, raster()].joined(separator: ","), edge: 16,
      pictures: [picture()])
    #expect(under.pixels == expected)
  }

  @Test func anOpaquePictureMakesATileOpaque() throws {
    let painting = try Painting([], layers: raster(), edge: 16, pictures: [picture()])
    #expect(painting.outcome == .painted(.xrgb8888))
    let expected = try pixels()
    #expect(painting.pixels == expected)
  }

  @Test func halfOfAPictureShowsTheGround() throws {
    let half = #""raster-opacity":["interpolate",["linear"],["zoom"],0,0,8,1]"#
    let painting = try Painting(
      [], layers: ground + "," + raster(half), edge: 16, zoom: 4, pictures: [picture()])
    let expected = try pixels().map { word in
      channels(word).reduce(0xFF as UInt32) { $0 << 8 | UInt32((($1 + 255) / 2).rounded()) }
    }
    #expect(distance(painting.pixels, expected) <= 1)
    // Without a ground, the tile has that much transparency.
    let bare = try Painting(
      [], layers: raster(half), edge: 16, zoom: 4, pictures: [picture()])
    #expect(bare.outcome == .painted(.argb8888))
    #expect(bare.pixels.allSatisfy { $0 >> 24 == 128 })
    let none = try Painting(
      [], layers: ground + "," + raster(half), edge: 16, zoom: 0, pictures: [picture()])
    #expect(none.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
  }

  /// The properties as MapLibre's shader applies them, to channels of 0 ... 1.
  static let changes: [(paint: String, change: @Sendable ([Double]) -> [Double])] = [
    (#""raster-brightness-min":0.25"#, { $0.map { 0.25 + 0.75 * $0 } }),
    (#""raster-brightness-max":0.5"#, { $0.map { 0.5 * $0 } }),
    (#""raster-brightness-min":1,"raster-brightness-max":0"#, { $0.map { 1 - $0 } }),
    (#""raster-contrast":0.5"#, { $0.map { ($0 - 0.5) * 2 + 0.5 } }),
    (#""raster-contrast":-1"#, { $0.map { _ in 0.5 } }),
    (
      #""raster-saturation":-1"#,
      { rgb in rgb.map { _ in (rgb[0] + rgb[1] + rgb[2]) / 3 } }
    ),
    (
      #""raster-saturation":0.5"#,
      { rgb in
        let grey = (rgb[0] + rgb[1] + rgb[2]) / 3
        return rgb.map { $0 + (grey - $0) * (1 - 1 / (1.001 - 0.5)) }
      }
    ),
    (#""raster-hue-rotate":120"#, { [$0[2], $0[0], $0[1]] }),
    (#""raster-hue-rotate":-240"#, { [$0[2], $0[0], $0[1]] }),
    (#""raster-hue-rotate":360,"raster-fade-duration":300"#, { $0 }),
  ]

  @Test(arguments: 0..<changes.count) func coloursChangeAsMapLibresDo(_ index: Int) throws {
    let (paint, change) = Self.changes[index]
    let painting = try Painting(
      [], layers: ground + "," + raster(paint), edge: 16, pictures: [picture()])
    let expected = try pixels().map { word in
      change(channels(word).map { $0 / 255 }).reduce(0xFF as UInt32) {
        $0 << 8 | UInt32((min(max($1, 0), 1) * 255).rounded())
      }
    }
    #expect(distance(painting.pixels, expected) <= 2, "\(paint)")
  }

  @Test func extremeColoursAreCutOff() throws {
    for paint in [
      #""raster-contrast":1,"raster-saturation":1,"raster-hue-rotate":1e300"#,
      #""raster-contrast":9,"raster-saturation":-9,"raster-brightness-min":-4"#,
    ] {
      let painting = try Painting(
        [], layers: ground + "," + raster(paint), edge: 16, pictures: [picture()])
      #expect(painting.outcome == .painted(.xrgb8888))
    }
  }

  @Test func aPartOfAPictureIsEnlarged() throws {
    let near = raster(#""raster-resampling":"nearest""#)
    let painting = try Painting(
      [], layers: near, edge: 16, pictures: [picture(part: try part(1, 0))])
    let whole = try pixels()
    for y in 0..<16 {
      for x in 0..<16 { #expect(painting[x, y] == whole[y / 2 * 16 + 8 + x / 2], "\(x), \(y)") }
    }
  }

  @Test func partsOfAnEnlargedPictureMeet() throws {
    let whole = try Painting([], layers: raster(), edge: 64, pictures: [picture()])
    for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let quarter = try Painting(
        [], layers: raster(), edge: 32, pictures: [picture(part: try part(column, row))])
      var expected: [UInt32] = []
      for y in 0..<32 {
        let start = (row * 32 + y) * 64 + column * 32
        expected += whole.pixels[start..<start + 32]
      }
      #expect(distance(quarter.pixels, expected) <= 3, "\(column), \(row)")
    }
  }

  @Test func aReducedPictureIsAnAverage() throws {
    let painting = try Painting([], layers: raster(), edge: 8, pictures: [picture()])
    let whole = try pixels(edge: 8)
    #expect(painting.pixels == whole)
    let quarter = try Painting(
      [], layers: raster(), edge: 4, pictures: [picture(part: try part(1, 1))])
    #expect(quarter[0, 0] == whole[4 * 8 + 4] && quarter[3, 2] == whole[6 * 8 + 7])
  }

  @Test func whereThereIsNoPictureTheLayerIsEmpty() throws {
    let layers = ground + "," + raster()
    for pictures in [[], [picture(source: "other")]] {
      let painting = try Painting([], layers: layers, edge: 16, pictures: pictures)
      #expect(painting.pixels.allSatisfy { $0 == 0xFFFF_FFFF } && painting.faults.isEmpty)
    }
    for more in [#","minzoom":5"#, #","maxzoom":4"#, #","layout":{"visibility":"none"}"#] {
      let painting = try Painting(
        [], layers: ground + "," + raster("", more), edge: 16, zoom: 4, pictures: [picture()])
      #expect(painting.pixels.allSatisfy { $0 == 0xFFFF_FFFF }, "\(more)")
    }
  }

  @Test func aBrokenPictureIsAFaultAndTheRestIsDrawn() throws {
    for bytes in [Array(png.prefix(200)), [0x89, 0x50], Array("<html>".utf8), []] {
      let painting = try Painting(
        [], layers: ground + "," + raster(), edge: 16, pictures: [picture(bytes)])
      #expect(painting.outcome == .painted(.xrgb8888))
      #expect(painting.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
      #expect(painting.faults.map(\.file) == ["relief.mbtiles"])
      #expect(painting.faults.map(\.tile) == [.world])
    }
  }

  @Test func withoutMemoryForAPictureTheTileIsAskedForAgain() throws {
    let picture = picture()
    let painting = try SpareMemory.$most.withValue(1000) {
      try Painting([], layers: ground + "," + raster(), edge: 16, pictures: [picture])
    }
    guard case .lacksMemory = painting.outcome else {
      Issue.record("\(painting.outcome)")
      return
    }
  }
}
