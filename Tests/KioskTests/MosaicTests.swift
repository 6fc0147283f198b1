import Configuration
import Foundation
import Kiosk
import MapGeometry
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

/// Whole zooms show the tiles' own pixels: the screen equals the tiles decoded by another program
/// and laid side by side.
@Suite(.enabled(if: Mosaic.program != nil, "needs netpbm's pngtopam"))
struct MosaicTests {
  /// A view, by the world pixel in its middle.
  struct Place: CustomStringConvertible, Sendable {
    var zoom: Int
    var x: Double
    var y: Double
    var width = 1280
    var height = 720

    var center: GeoPoint {
      let size = WebMercator.worldSize(zoom: Double(zoom))
      return WebMercator.unproject(WorldPoint(x: x / size, y: y / size))
    }

    var description: String { "zoom \(zoom) at \(x), \(y), \(width)x\(height)" }

    init(_ zoom: Int, _ x: Double, _ y: Double, _ width: Int = 1280, _ height: Int = 720) {
      (self.zoom, self.x, self.y, self.width, self.height) = (zoom, x, y, width, height)
    }

    init(_ zoom: Int, lat: Double, lon: Double, _ width: Int = 1280, _ height: Int = 720) {
      let world = WebMercator.project(GeoPoint(lat: lat, lon: lon))
      let size = WebMercator.worldSize(zoom: Double(zoom))
      self.init(zoom, world.x * size, world.y * size, width, height)
    }
  }

  static let places = [
    Place(3, 1024, 1024), Place(3, 1024.5, 1023.5), Place(3, lat: 41.9, lon: 12.5),
    // The dateline, from both sides; wider than the world; smaller than a tile.
    Place(3, 0, 1024), Place(3, 2047.75, 700), Place(3, 300, 1024, 2600, 300),
    Place(3, 2000, 1024, 4200, 64), Place(3, 1030, 1020, 100, 75),
    // Beyond the northern and southern edge; the whole height of the world and more.
    Place(3, 1000, 0), Place(3, 1000, 2047), Place(3, 1024, 1024, 333, 2200),
    Place(4, lat: -33.92, lon: 18.42), Place(4, lat: 64.13, lon: -21.9), Place(4, 4095.5, 2048),
    Place(4, 2048, 2048, 1919, 1079), Place(4, 0.25, 100.75, 801, 479), Place(4, 2000, 4096),
    Place(4, 1, 1, 1, 1), Place(4, 777.3, 1555.7, 257, 255),
    // At zoom 5 around the holes 5/9/16…31 and 5/10/0…7.
    Place(5, 2304, 4096), Place(5, 2432, 6000), Place(5, 2432, 8191), Place(5, 2700, 0),
    Place(5, 2560, 1500), Place(5, 2690, 2048, 1001, 701), Place(5, lat: 41.9, lon: 12.5),
    Place(5, 8191, 4000), Place(5, 0, 4200.5), Place(5, lat: -45, lon: 170),
    Place(5, lat: 71, lon: -179.9),
  ]

  /// Places of which the project carries the tiles.
  static let carried = [
    Place(3, lat: 41.9, lon: 12.5, 400, 240), Place(3, 2048, 908, 300, 100),
    Place(3, 0, 100, 299, 301), Place(5, lat: 41.9, lon: 12.5, 401, 239),
    Place(5, 2304, 4352, 300, 200),
  ]

  static var large: String { (TestData.large ?? "") + "/raster-dirs/osm-standard-z3-5" }
  static let small = TestData.fixtures + "/tiles/osm"

  static func truth(_ mosaic: Mosaic, _ view: Viewport) throws -> [UInt32?] {
    let origin = view.origin
    return try mosaic.picture(
      level: Int(view.zoom), x: origin.x, y: origin.y, width: view.width, height: view.height)
  }

  static func bench(_ source: SourceSpec, _ place: Place) throws -> Bench {
    try Bench([source], width: place.width, height: place.height)
  }

  static func spec(_ path: String) -> SourceSpec { SourceSpec(name: "osm", location: .path(path)) }

  /// The small mosaic, and over it as faint layers, `count` in all.
  static func layers(_ count: Int) -> [SourceSpec] {
    (0..<count).map { n in
      var spec = spec(small)
      if n > 0 {
        spec.name = "layer \(n)"
        spec.role = .overlay
        spec.opacity = 0.3
      }
      return spec
    }
  }

  /// Compares `places` shown from a folder, an MBTiles and a PMTiles file made of it with the
  /// mosaic.
  static func compare(_ places: [Place], folder: String) throws {
    let temporary = try TemporaryFolder()
    let tiles = try TilePacks.tiles(of: folder)
    let packs = [
      folder, temporary["osm.mbtiles"], temporary["osm.pmtiles"], temporary["l.pmtiles"],
    ]
    try TilePacks.writeMBTiles(tiles, to: packs[1])
    try TilePacks.writePMTiles(tiles, to: packs[2])
    try TilePacks.writePMTiles(tiles, to: packs[3], leaf: 100)
    let before = try packs.dropFirst().map { try digests(of: $0) }
    let mosaic = Mosaic(folder: folder)
    // Under emulation every sixth.
    for place in places.enumerated().filter({ !Emulation.isOn || $0.offset % 6 == 0 }).map(
      \.element)
    {
      var first: Picture?
      for pack in packs {
        let bench = try bench(spec(pack), place)
        try bench.show(place.center, Double(place.zoom))
        if let first {
          #expect(bench.panel() == first, "\(pack) differs from the folder: \(place)")
          continue
        }
        let picture = try bench.picture()
        let wrong = try picture.differences(from: truth(mosaic, bench.kiosk.goal))
        #expect(wrong.count == 0, "\(place): \(wrong.count) pixels, \(wrong.first)")
        #expect(picture == bench.panel(), "the screenshot is not what is on the display: \(place)")
        first = picture
      }
    }
    #expect(try packs.dropFirst().map { try digests(of: $0) } == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary.path).count == packs.count - 1,
      "something was left beside the packs")
  }

  @Test(.enabled(if: TestData.large != nil, "needs the large data set"))
  func aWholeZoomShowsTheTilesPixelForPixelFromEveryContainer() throws {
    #expect(MosaicTests.places.count >= 24)
    try MosaicTests.compare(MosaicTests.places, folder: MosaicTests.large)
  }

  @Test func theCarriedTilesAreShownPixelForPixelFromEveryContainer() throws {
    try MosaicTests.compare(MosaicTests.carried, folder: MosaicTests.small)
  }
}
