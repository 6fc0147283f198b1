import Foundation
import Images
import MapGeometry
import MapLabels
import MapScene
import TestSupport
import TileLoading
import TileSources

@testable import VectorMaps
@testable import VectorPainting

/// A test of MapLibre's renderer: a style, and the picture that MapLibre draws of it.
struct RenderTest: Sendable {
  static let folder = (TestData.large ?? "") + "/vector/render-tests"

  /// Its folder, as `line-width/literal`.
  let name: String

  /// The names of all tests.
  static let all: [String] = {
    let root = folder + "/tests"
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix("/style.json") }.map { String($0.dropLast(11)) }.sorted()
  }()

  /// A picture as 0xFFRRGGBB, on white.
  struct Picture {
    var pixels: [UInt32]
    var width: Int
    var height: Int
  }

  /// Why a test cannot be drawn.
  struct Unusable: Error, CustomStringConvertible {
    var description: String
  }

  private var path: String { RenderTest.folder + "/tests/" + name }

  private static func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      throw Unusable(description: "\(path) is no object")
    }
    return root
  }

  /// The pictures that MapLibre may draw; they differ between machines.
  func expected() throws -> [Picture] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return try names.filter { $0.hasPrefix("expected") && $0.hasSuffix(".png") }.sorted().map {
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + $0)))
      let picture = try file.withUnsafeBytes { try TileDecoder().picture($0, maxPixels: 1 << 24) }
      // Some of the files hold premultiplied colours, which the decoder has multiplied once more.
      // In the others a colour can be brighter than its opacity.
      let isDoubled = !picture.pixels.contains { pixel in
        let alpha = pixel >> 24
        return [0, 8, 16].contains { (shift: UInt32) in
          (pixel >> shift & 255) * 255 > alpha * (alpha + 1) + 128
        }
      }
      let pixels = picture.pixels.map { RenderTest.onWhite($0, isDoubled: isDoubled) }
      return Picture(pixels: pixels, width: picture.width, height: picture.height)
    }
  }

  /// A premultiplied pixel on white.
  private static func onWhite(_ pixel: UInt32, isDoubled: Bool) -> UInt32 {
    let alpha = pixel >> 24
    var word: UInt32 = 0xFF
    for shift in [16, 8, 0] as [UInt32] {
      var channel = pixel >> shift & 255
      if isDoubled, alpha > 0 { channel = (channel * 255 + alpha / 2) / alpha }
      word = word << 8 | min(255, channel + 255 - alpha)
    }
    return word
  }

  /// Whether it has layers of symbols.
  func hasLabels() throws -> Bool {
    let layers = try RenderTest.json(path + "/style.json")["layers"] as? [[String: Any]] ?? []
    return layers.contains { $0["type"] as? String == "symbol" }
  }

  /// What Waypost draws: with labels, and without what layers of symbols draw.
  func drawn() throws -> (labelled: Picture, bare: Picture, scale: Int) {
    var root = try RenderTest.json(path + "/style.json")
    let source = try RenderSource(root["sources"] as? [String: Any] ?? [:])
    var layers = root["layers"] as? [[String: Any]] ?? []
    for index in layers.indices {
      guard let name = layers[index]["source"] as? String, source.made[name] != nil else {
        continue
      }
      layers[index]["source-layer"] = RenderSource.layer(name)
    }
    // Pictures are compared on white.
    layers.insert(
      ["id": "white ground", "type": "background", "paint": ["background-color": "#fff"]], at: 0)
    root["sprite"] = RenderTest.sprite(root["sprite"])
    let view = try self.view(root)
    let bareLayers = layers.filter { $0["type"] as? String != "symbol" }
    root["layers"] = layers
    let labelled = try draw(root, source, view)
    if bareLayers.count == layers.count { return (labelled, labelled, view.scale) }
    root["layers"] = bareLayers
    return (labelled, try draw(root, source, view), view.scale)
  }

  private func view(_ root: [String: Any]) throws -> Viewport {
    let metadata = root["metadata"] as? [String: Any]
    let test = metadata?["test"] as? [String: Any] ?? [:]
    func number(_ value: Any?, _ fallback: Double) -> Double {
      (value as? NSNumber)?.doubleValue ?? fallback
    }
    let ratio = number(test["pixelRatio"], 1)
    guard (1...4).contains(ratio), ratio == ratio.rounded() else {
      throw Unusable(description: "pixel ratio \(ratio)")
    }
    let center = (root["center"] as? [NSNumber])?.map(\.doubleValue) ?? [0, 0]
    return Viewport(
      center: GeoPoint(lat: center[1], lon: center[0]), zoom: number(root["zoom"], 0) + 1,
      bearing: number(root["bearing"], 0), width: Int(number(test["width"], 512) * ratio),
      height: Int(number(test["height"], 512) * ratio), scale: Int(ratio))
  }

  /// A style's sprite sheets as files of the test data.
  private static func sprite(_ value: Any?) -> Any {
    func path(_ url: String) -> String {
      folder + "/assets/" + url.replacingOccurrences(of: "local://", with: "")
    }
    if let url = value as? String { return path(url) }
    return (value as? [[String: Any]] ?? []).map { sheet in
      ["id": sheet["id"] ?? "", "url": path(sheet["url"] as? String ?? "")]
    }
  }

  private func draw(
    _ style: [String: Any], _ source: RenderSource, _ view: Viewport
  ) throws -> Picture {
    let folder = try TemporaryFolder()
    let data = try JSONSerialization.data(withJSONObject: style)
    var spec = SourceSpec(name: "test", location: .path("test"))
    spec.style = .file(
      try folder.write(String(bytes: data, encoding: .utf8) ?? "", to: "style.json"))
    guard
      let plain = try VectorMap.painted(source, spec, scale: view.scale) as? VectorMapSource,
      let painter = plain.painter as? PartPainter, let drawing = plain.info.drawing
    else { throw Unusable(description: "is not painted") }
    let painted = VectorMapSource(
      source, drawing, painter: NudgedPainter(painter.styles, view.resting))
    let renderer = StillRenderer(
      view: view, source: painted, levels: painted.info.tileLevels, tileSize: 256)
    let labels = VectorMap.labels(of: painted, in: renderer)
    var pixels: [UInt32] = []
    renderer.render(sprites: labels) { rows, count in
      pixels += UnsafeBufferPointer(start: rows, count: count * view.width)
    }
    if let error = renderer.errors.first { throw error }
    return Picture(pixels: pixels, width: view.width, height: view.height)
  }
}

/// Paints tiles moved by the part of a pixel by which Waypost moves the view: its tiles begin at
/// whole pixels, MapLibre's anywhere.
struct NudgedPainter: LabelledPainter {
  let styles: PaintedStyles
  private var nudgeX: Int64 = 0
  private var nudgeY: Int64 = 0

  init(_ styles: PaintedStyles, _ view: Viewport) {
    self.styles = styles
    // Turned maps are not drawn pixel by pixel.
    guard view.bearing == 0 else { return }
    let center = view.centerPixel
    let (left, top) = (center.x - Double(view.width) / 2, center.y - Double(view.height) / 2)
    nudgeX = Int64(((left - (left + 0.5).rounded(.down)) * 256).rounded())
    nudgeY = Int64(((top - (top + 0.5).rounded(.down)) * 256).rounded())
  }

  var needsPayload: Bool { true }
  var mayTakeLong: Bool { true }
  var dependsOnZoom: Bool { true }
  var hasNight: Bool { false }

  func labelIcons(isNight: Bool) -> LabelIcons { styles.icons(isNight: isNight) }

  func paint(
    _ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget
  ) -> PaintOutcome {
    let origin = payload?.origin ?? tile
    guard let payload, let part = VectorTilePart(of: tile, in: origin),
      let painter = styles.painter(for: payload.bytes, isNight: false)
    else { return .nothing }
    var request = VectorPaintRequest(
      tile: origin, part: part, zoom: (target.zoom ?? Double(tile.z)) - 1,
      pixelsPerPoint: Double(target.scale), hasLabels: !target.isPart)
    (request.nudgeX, request.nudgeY) = (nudgeX, nudgeY)
    return painter.painter.paint(payload.bytes, request, into: &target)
  }
}

/// The sources of a test as one source of vector tiles.
final class RenderSource: TileSource {
  private static let assets = RenderTest.folder + "/assets/"

  var info = SourceInfo(kind: "test", format: "mvt", minZoom: 0, maxZoom: 18)
  /// The sources of GeoJSON by name.
  private(set) var made: [String: GeoTiles] = [:]
  /// Where vector tiles lie.
  private var templates: [(path: String, isFlipped: Bool, bounds: [Double]?)] = []

  /// The layer that holds a source of GeoJSON.
  static func layer(_ source: String) -> String { "source \(source)" }

  init(_ sources: [String: Any]) throws {
    var deepest: [Int] = []
    for (name, value) in sources.sorted(by: { $0.key < $1.key }) {
      guard var source = value as? [String: Any] else { continue }
      if source["type"] as? String == "geojson" {
        made[name] = GeoTiles(Self.data(source["data"]))
        deepest.append((source["maxzoom"] as? NSNumber)?.intValue ?? 18)
        continue
      }
      if let url = source["url"] as? String {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.path(url)))
        let stated = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        source.merge(stated) { first, _ in first }
      }
      guard let template = (source["tiles"] as? [String])?.first else { continue }
      templates.append(
        (
          Self.path(template), source["scheme"] as? String == "tms",
          (source["bounds"] as? [NSNumber])?.map(\.doubleValue)
        ))
      deepest.append((source["maxzoom"] as? NSNumber)?.intValue ?? 22)
    }
    info.maxZoom = deepest.min() ?? 18
  }

  private static func path(_ url: String) -> String {
    assets
      + url.replacingOccurrences(of: "local://", with: "")
      .replacingOccurrences(of: "http://localhost:2900/", with: "")
  }

  private static func data(_ value: Any?) -> Any {
    guard let url = value as? String else { return value ?? NSNull() }
    let data = try? Data(contentsOf: URL(fileURLWithPath: path(url)))
    return data.flatMap { try? JSONSerialization.jsonObject(with: $0) } ?? NSNull()
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    var bytes: [UInt8] = []
    for (name, tiles) in made { bytes += tiles.layer(Self.layer(name), z: id.z, x: id.x, y: id.y) }
    var isThere = !made.isEmpty
    for template in templates {
      guard Self.reaches(id, template.bounds) else { continue }
      if let file = Self.file(template.path, template.isFlipped, id) {
        bytes += file
        isThere = true
      }
    }
    // A tile of nothing where there is none above either, so that its background is drawn.
    if !isThere, hasAncestor(id) { return .nothing }
    buffer.set(bytes)
    return .payload(buffer.payload(format: .mvt))
  }

  private func hasAncestor(_ id: TileID) -> Bool {
    templates.contains { template in
      Self.reaches(id, template.bounds)
        && (0..<id.z).contains { level in
          guard let parent = id.ancestor(atLevel: level) else { return false }
          return Self.reaches(parent, template.bounds)
            && Self.file(template.path, template.isFlipped, parent) != nil
        }
    }
  }

  private static func reaches(_ id: TileID, _ bounds: [Double]?) -> Bool {
    guard let bounds, bounds.count == 4 else { return true }
    let tiles = exp2(Double(id.z))
    let first = WebMercator.project(GeoPoint(lat: bounds[3], lon: bounds[0]))
    let last = WebMercator.project(GeoPoint(lat: bounds[1], lon: bounds[2]))
    let (x, y) = (Double(id.x), Double(id.y))
    return x + 1 > first.x * tiles && x < last.x * tiles && y + 1 > first.y * tiles
      && y < last.y * tiles
  }

  private static func file(_ template: String, _ isFlipped: Bool, _ id: TileID) -> [UInt8]? {
    let y = isFlipped ? (1 << id.z) - 1 - id.y : id.y
    let path = template.replacingOccurrences(of: "{z}", with: "\(id.z)")
      .replacingOccurrences(of: "{x}", with: "\(id.x)")
      .replacingOccurrences(of: "{y}", with: "\(y)")
    return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }
}
