import Foundation
import Images
import MapGeometry
import TestSupport
import Testing
import TileLoading
import TileSources

@testable import VectorMaps

/// Styles that draw pictures of another source: which tile lies where, and what is reported.
@Suite struct PictureLayerTests {
  private static let earth = TestData.fixtures + "/vector/natural-earth-z0-1.mbtiles"
  private static let osm = TestData.fixtures + "/tiles/osm"

  private static let water = ##"""
    , {"id": "water", "type": "fill", "source": "earth", "source-layer": "water",
       "paint": {"fill-color": "#3366cc", "fill-antialias": false}}
    """##

  private func style(
    _ source: String = "{}", paint: String = "", layer: String = "", after: String = ""
  ) -> String {
    """
    {"version": 8, "sources": {"earth": {"type": "vector"}, "relief": \(source)}, "layers": [
      {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
      {"id": "shade", "type": "raster", "source": "relief", "paint": {\(paint)}\(layer)}\(after)]}
    """
  }

  /// The map of the earth in a style; `pictures` has the configured sources.
  private func open(
    _ style: String, _ pictures: [SourceSpec] = [], in folder: TemporaryFolder,
    map: String = earth, night: String? = nil
  ) throws -> any TileSource {
    var spec = SourceSpec(name: "map", location: .path(map))
    spec.style = .file(try folder.write(style, to: "style.json"))
    spec.nightStyle = try night.map { try folder.write($0, to: "night.json") }
    return try VectorMap.open(
      spec, pictures: { name in pictures.first { $0.name == name } })
  }

  private func relief(_ change: (inout SourceSpec) -> Void = { _ in }) -> SourceSpec {
    var spec = SourceSpec(name: "relief", location: .path(Self.osm))
    change(&spec)
    return spec
  }

  private func id(_ z: Int, _ x: Int, _ y: Int) -> TileID { MadeMap.id(z, x, y) }

  /// What is read for a tile.
  private func read(_ source: any TileSource, _ tile: TileID) throws -> TilePayload {
    guard case .payload(let payload) = try source.read(tile) else {
      throw Missing(description: "\(tile)")
    }
    return payload
  }

  private struct Missing: Error { var description: String }

  private func picture(_ source: any TileSource, _ tile: TileID) throws -> TileID? {
    try read(source, tile).pictures.first?.tile
  }

  /// A painted tile of 256 pixels, and what could not be painted.
  private func paint(
    _ source: any TileSource, _ tile: TileID, isNight: Bool = false
  ) throws -> (pixels: [UInt32], faults: [TileError]) {
    let painter = try #require((source as? any DrawnSource)?.painter)
    let payload = try read(source, tile)
    var pixels = [UInt32](repeating: 0, count: 256 * 256)
    var faults: [TileError] = []
    let outcome = pixels.withUnsafeMutableBytes { memory -> PaintOutcome in
      guard let base = memory.baseAddress else { return .nothing }
      var target = PaintTarget(
        pixels: base, rowBytes: 1024, edge: 256, room: 1 << 18, tools: PaintTools())
      target.isNight = isNight
      defer { faults = target.faults }
      return painter.paint(payload, tile, into: &target)
    }
    #expect(outcome == .painted(.xrgb8888))
    return (pixels, payload.faults + faults)
  }

  /// The pixels of a tile of OpenStreetMap, mixed with white.
  private func osm(_ tile: TileID, share: Double) throws -> [UInt32] {
    let path = Self.osm + "/\(tile.z)/\(tile.x)/\(tile.y).png"
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let picture = try file.withUnsafeBytes { try TileDecoder().picture($0, maxPixels: 1 << 16) }
    return picture.pixels.map { word in
      [16, 8, 0].reduce(0xFF as UInt32) { sum, shift in
        let channel = Double(word >> UInt32(shift) & 255)
        return sum << 8 | UInt32((channel * share + 255 * (1 - share)).rounded())
      }
    }
  }

  private func near(_ a: UInt32, _ b: UInt32, by most: Int = 1) -> Bool {
    for shift in [16, 8, 0] as [UInt32]
    where abs(Int(a >> shift & 255) - Int(b >> shift & 255)) > most {
      return false
    }
    return true
  }

  @Test func aConfiguredSourceLiesUnderTheMapsLayers() throws {
    let folder = try TemporaryFolder()
    let (half, tile) = (#""raster-opacity": 0.5"#, id(3, 4, 2))
    let source = try open(style(paint: half, after: Self.water), [relief()], in: folder)
    #expect(VectorMap.findings(of: source).isEmpty && source.problems.isEmpty)
    #expect(source.info.drawing?.files == [Self.osm])
    #expect(source.info.drawing?.pictures == ["relief"])
    let (pixels, faults) = try paint(source, tile)
    #expect(faults.isEmpty)
    let under = try osm(tile, share: 0.5)
    var (sea, land) = (0, 0)
    for i in pixels.indices {
      if pixels[i] == 0xFF33_66CC {
        sea += 1
      } else {
        land += near(pixels[i], under[i]) ? 1 : 0
      }
    }
    #expect(sea > 1000 && land > 1000 && sea + land == pixels.count)
  }

  @Test func theTileIsThatOfTheSameAreaOrAnAncestorBeyondTheDeepestLevel() throws {
    let folder = try TemporaryFolder()
    let source = try open(style(), [relief()], in: folder)
    #expect(try picture(source, id(3, 4, 2)) == id(3, 4, 2))
    #expect(try picture(source, id(5, 16, 11)) == id(5, 16, 11))
    #expect(try picture(source, id(8, 135, 91)) == id(5, 16, 11))
    // Above its shallowest level, and where it has a hole, there is nothing.
    #expect(try picture(source, id(2, 2, 1)) == nil)
    #expect(try picture(source, id(5, 9, 16)) == nil)
    let wide = try open(style(), [relief { $0.tileSize = 512 }], in: folder)
    #expect(try picture(wide, id(4, 9, 5)) == id(3, 4, 2))
    #expect(try picture(wide, id(3, 4, 2)) == nil)
    let less = try open(style(), [relief { ($0.minZoom, $0.maxZoom) = (4, 4) }], in: folder)
    #expect(try picture(less, id(3, 4, 2)) == nil)
    #expect(try picture(less, id(5, 8, 17)) == id(4, 4, 8))
  }

  @Test func whatNoLayerDrawsAtThatZoomIsNotRead() throws {
    let folder = try TemporaryFolder()
    let upTo = try open(style(layer: #", "maxzoom": 2"#), [relief()], in: folder)
    #expect(try picture(upTo, id(3, 4, 2)) != nil)
    #expect(try picture(upTo, id(5, 16, 11)) == nil)
    let hidden = try open(
      style(layer: #", "layout": {"visibility": "none"}"#), [relief()], in: folder)
    #expect(hidden.info.drawing?.pictures == [] && hidden.info.drawing?.files == [])
    #expect(try picture(hidden, id(3, 4, 2)) == nil)
  }

  @Test func aPackBesideTheStyleMayBeNamedByItsPath() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: Self.osm, toPath: folder["osm"])
    for url in ["osm", "./osm", "file://" + folder["osm"], folder["osm"]] {
      let stated = #"{"type": "raster", "url": "\#(url)", "tileSize": 256}"#
      let source = try open(style(stated), in: folder)
      #expect(VectorMap.findings(of: source).isEmpty, "\(url)")
      #expect(try picture(source, id(3, 4, 2)) == id(3, 4, 2))
    }
    // Where the style does not say, tiles have 512 points.
    let source = try open(style(#"{"type": "raster", "url": "osm"}"#), in: folder)
    #expect(try picture(source, id(4, 9, 5)) == id(3, 4, 2))
  }

  @Test(arguments: [
    ("{\"type\": \"raster\", \"tiles\": [\"https://a.example/{z}/{x}/{y}.png\"]}", "not fetched"),
    ("{\"type\": \"raster\", \"url\": \"https://a.example/a.pmtiles\"}", "not fetched"),
    ("{\"type\": \"raster-dem\", \"url\": \"a.pmtiles\"}", "raster-dem"),
    ("{\"type\": \"raster\", \"url\": \"a.pmtiles\", \"tileSize\": 300}", "neither 256 nor 512"),
    ("null", "no source \"relief\""),
  ])
  func aMissingSourceIsAFindingWithTheLayersID(stated: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let source = try open(style(stated, after: Self.water), in: folder)
    let findings = VectorMap.findings(of: source)
    #expect(findings.map(\.finding.layer) == ["shade"])
    let text = try #require(findings.first?.description)
    #expect(text.contains(reason), "\(text)")
    #expect(source.info.drawing?.pictures == ["relief"])
    let pixels = try paint(source, id(3, 4, 2)).pixels
    #expect(pixels.contains(0xFF33_66CC) && pixels.contains(0xFFFF_FFFF))
  }

  @Test func aSourceOfVectorTilesIsAFindingAndOneThatDoesNotOpenAProblem() throws {
    let folder = try TemporaryFolder()
    let vector = try open(style(), [relief { $0.location = .path(Self.earth) }], in: folder)
    #expect(VectorMap.findings(of: vector).first?.description.contains("vector tiles") == true)
    let gone = folder["gone.mbtiles"]
    let source = try open(
      style(after: Self.water), [relief { $0.location = .path(gone) }], in: folder)
    #expect(source.problems.map(\.file) == [gone])
    #expect(source.info.drawing?.files == [gone])
    #expect(try paint(source, id(3, 4, 2)).pixels.contains(0xFF33_66CC))
  }

  @Test func aBrokenPictureIsAnErrorOfItsTileAndTheMapIsDrawn() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder["osm/3/4"], withIntermediateDirectories: true)
    try folder.write("", to: "osm/3/4/2.png")
    let whole = try Data(contentsOf: URL(fileURLWithPath: Self.osm + "/3/4/3.png"))
    try whole.prefix(900).write(to: URL(fileURLWithPath: folder["osm/3/4/3.png"]))
    let pictures = [relief { $0.location = .path(folder["osm"]) }]
    let source = try open(style(after: Self.water), pictures, in: folder)
    for tile in [id(3, 4, 2), id(3, 4, 3)] {
      let (pixels, faults) = try paint(source, tile)
      #expect(faults.map(\.tile) == [tile])
      #expect(faults.first?.file.hasPrefix(folder["osm"]) == true)
      #expect(pixels.contains(0xFF33_66CC) && pixels.contains(0xFFFF_FFFF))
    }
  }

  @Test func theNightsStyleDrawsItsOwnPictures() throws {
    let folder = try TemporaryFolder()
    let dark = style(paint: #""raster-brightness-max": 0"#)
    let source = try open(style(), [relief()], in: folder, night: dark)
    #expect(source.info.drawing?.files == [Self.osm])
    let tile = id(3, 4, 2)
    #expect(try read(source, tile).pictures.count == 1)
    #expect(try paint(source, tile, isNight: true).pixels.allSatisfy { $0 == 0xFF00_0000 })
    let (day, expected) = (try paint(source, tile).pixels, try osm(tile, share: 1))
    #expect(day == expected)
  }

  @Test func aStyleHasAtMostFourSourcesOfPictures() throws {
    let folder = try TemporaryFolder()
    var layers: [String] = []
    for n in 0..<6 { layers.append(#"{"id": "l\#(n)", "type": "raster", "source": "s\#(n)"}"#) }
    let text = #"{"version": 8, "sources": {}, "layers": [\#(layers.joined(separator: ","))]}"#
    let specs = (0..<6).map { n in relief { ($0.name, $0.minZoom) = ("s\(n)", n % 4) } }
    let source = try open(text, specs, in: folder)
    #expect(VectorMap.findings(of: source).map(\.finding.layer) == ["l4", "l5"])
  }

  @Test func theCreditOfThePicturesFollowsTheMaps() throws {
    let folder = try TemporaryFolder()
    let source = try open(style(), [relief { $0.attribution = "Relief: the survey" }], in: folder)
    #expect(source.info.attribution.hasSuffix("Relief: the survey"))
  }
}
