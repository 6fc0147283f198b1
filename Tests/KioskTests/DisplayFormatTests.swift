import Configuration
import Images
import Kiosk
import MapGeometry
import Pixels
import TestSupport
import Testing
import TileSources

/// Every format, mounting and scale of a display shows the same tiles.
@Suite(.enabled(if: Mosaic.program != nil, "needs netpbm's pngtopam"))
struct DisplayFormatTests {
  typealias Place = MosaicTests.Place

  private static var folder: String {
    TestData.large == nil ? MosaicTests.small : MosaicTests.large
  }

  private static var places: [Place] {
    TestData.large == nil
      ? MosaicTests.carried
      : [
        Place(3, lat: 41.9, lon: 12.5, 641, 401), Place(4, 3.5, 2047, 640, 360),
        Place(5, 2304, 4096, 500, 333), Place(5, 1234.5, 0, 320, 240),
      ]
  }

  @Test(arguments: [0, 90, 180, 270], [PixelFormat.xrgb8888, .rgb565])
  func aMountedDisplayShowsTheMosaicUpright(rotation: Int, format: PixelFormat) throws {
    let mosaic = Mosaic(folder: DisplayFormatTests.folder)
    for place in DisplayFormatTests.places {
      let turned = rotation % 180 != 0
      let bench = try Bench(
        [MosaicTests.spec(DisplayFormatTests.folder)], width: turned ? place.height : place.width,
        height: turned ? place.width : place.height
      ) {
        $0.display.rotation = rotation
        $0.display.format = format
      }
      try bench.show(place.center, Double(place.zoom))
      let view = bench.kiosk.goal
      #expect(view.width == place.width && view.height == place.height)
      var truth = try MosaicTests.truth(mosaic, view)
      if format == .rgb565 {
        let origin = view.origin
        for i in truth.indices {
          // A tile's edge is a multiple of the pattern's, so the world's pixels anchor it as well.
          let (x, y) = (origin.x + i % view.width, origin.y + i / view.width)
          truth[i] = truth[i].map { widened(RGB565Dither.pack($0, x: x, y: y)) }
        }
      }
      let picture = try bench.picture()
      let wrong = picture.differences(from: truth)
      #expect(wrong.count == 0, "\(place): \(wrong.count) pixels, \(wrong.first)")
      #expect(truth.contains { $0 != nil })
      // The panel's memory: view pixel (x, y) of a display mounted at 90° is (H−1−y, x), and so on.
      let panel = bench.panel()
      let (w, h) = (view.width, view.height)
      var misplaced = 0
      for y in 0..<h {
        for x in 0..<w {
          let at =
            rotation == 0
            ? (x, y)
            : rotation == 90
              ? (h - 1 - y, x) : rotation == 180 ? (w - 1 - x, h - 1 - y) : (y, w - 1 - x)
          if panel[at.0, at.1] != picture[x, y] { misplaced += 1 }
        }
      }
      #expect(misplaced == 0, "\(place)")
    }
  }

  /// rgb565 with its highest bits repeated below.
  private func widened(_ pixel: UInt16) -> UInt32 {
    let (r, g, b) = (UInt32(pixel >> 11), UInt32(pixel >> 5 & 63), UInt32(pixel & 31))
    return 0xFF00_0000 | (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2)
  }

  @Test func aDisplayOfScaleTwoShowsTheDoubleTilesOneToOne() throws {
    let folder =
      TestData.large.map { $0 + "/variants/osm-z3-2x" } ?? TestData.fixtures + "/tiles/osm-2x"
    var spec = SourceSpec(name: "osm", location: .url("file://\(folder)/{z}/{x}/{y}{ratio}.png"))
    spec.minZoom = 3
    spec.maxZoom = 3
    let mosaic = Mosaic(folder: folder, edge: 512, ending: "@2x.png")
    for place in [
      Place(3, 1152, 640, 640, 400), Place(3, 1100.25, 768, 333, 222), Place(3, 1024, 0, 800, 100),
      Place(3, 0, 1000, 641, 480),
    ] {
      let bench = try Bench([spec], width: place.width, height: place.height) {
        $0.display.scale = 2
      }
      try bench.show(place.center, 3)
      let truth = try MosaicTests.truth(mosaic, bench.kiosk.goal)
      let wrong = try bench.picture().differences(from: truth)
      #expect(wrong.count == 0, "\(place): \(wrong.count) pixels, \(wrong.first)")
    }
  }

  /// Tiles of 512 px are 512 points where the source says so: the picture is the tiles', although a
  /// view zoom is one more than their level. WebP has no decoder among the other programs here, so
  /// the truth are the same pictures in a folder, decoded one by one.
  @Test(.enabled(if: TestData.large != nil, "needs the large data set"))
  func tilesOf512PointsAreShownOneToOne() throws {
    let pack =
      try #require(TestData.large) + "/pmtiles/protomaps/usgs-mt-whitney-8-15-webp-512.pmtiles"
    var spec = SourceSpec(name: "usgs", location: .path(pack))
    spec.tileSize = 512
    let source = try spec.open()
    let decoder = TileDecoder()
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 512 * 512 * 4, alignment: 16)
    defer { room.deallocate() }
    var seen = 0
    for level in [11, 12, 13, 14, 15] {
      let zoom = Double(level + 1)
      let bench = try Bench([spec], width: 900, height: 700)
      try bench.show(GeoPoint(lat: 36.5785, lon: -118.2923), zoom)
      let view = bench.kiosk.goal
      let origin = view.origin
      var truth = [UInt32?](repeating: nil, count: view.width * view.height)
      for row in origin.y >> 9...(origin.y + view.height - 1) >> 9 {
        for column in origin.x >> 9...(origin.x + view.width - 1) >> 9 {
          guard let id = TileID(z: level, x: column, y: row), let bytes = try source.tile(at: id)
          else { continue }
          seen += 1
          let format = try bytes.withUnsafeBytes {
            try decoder.decode($0, edge: 512, opaque: .xrgb8888, into: room)
          }
          #expect(format == .drawn(.xrgb8888))
          for y in max(0, origin.y - row << 9)..<min(512, origin.y + view.height - row << 9) {
            for x in max(0, origin.x - column << 9)..<min(512, origin.x + view.width - column << 9)
            {
              truth[(row << 9 + y - origin.y) * view.width + column << 9 + x - origin.x] =
                room.load(fromByteOffset: (y * 512 + x) * 4, as: UInt32.self) | 0xFF00_0000
            }
          }
        }
      }
      let wrong = try bench.picture().differences(from: truth)
      #expect(wrong.count == 0, "level \(level): \(wrong.count) pixels, \(wrong.first)")
    }
    #expect(seen >= 8)
  }
}
