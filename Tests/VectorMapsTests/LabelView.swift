import Drawing
import Foundation
import MapGeometry
import TestSupport
import TileLoading
import TileSources

@testable import MapLabels
@testable import VectorMaps

/// A view of `reference/views.tsv` in the large test data, and where MapLibre Native places its
/// texts: `Tests/Fixtures/labels`.
struct LabelView: Sendable {
  /// A text with the centre of its visible part, in points.
  struct Text: Sendable {
    var text: String
    var x: Double
    var y: Double
    var layer: String
  }

  static let width = 800
  static let height = 480
  static var folder: String { (TestData.large ?? "") + "/vector" }

  var name: String
  var style: String
  var pack: String
  /// As MapLibre counts it.
  var zoom: Double
  var latitude: Double
  var longitude: Double
  var bearing: Double
  var sprite: String

  /// The views that have labels.
  static let all: [LabelView] = {
    let list = (try? String(contentsOfFile: folder + "/reference/views.tsv", encoding: .utf8)) ?? ""
    return list.split(separator: "\n").dropFirst().compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count >= 8, let zoom = Double(parts[3]), let latitude = Double(parts[4]),
        let longitude = Double(parts[5]), let bearing = Double(parts[6])
      else { return nil }
      let view = LabelView(
        name: parts[0], style: parts[1], pack: parts[2], zoom: zoom, latitude: latitude,
        longitude: longitude, bearing: bearing, sprite: parts[7])
      return FileManager.default.fileExists(atPath: view.fixture) ? view : nil
    }
  }()

  private var fixture: String { TestData.fixtures + "/labels/\(name).tsv" }

  /// What MapLibre shows.
  func expected() throws -> [Text] {
    let file = try String(contentsOfFile: fixture, encoding: .utf8)
    return file.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 4, let x = Double(parts[1]), let y = Double(parts[2]) else { return nil }
      return Text(text: Self.plain(parts[3]), x: x, y: y, layer: parts[0])
    }
  }

  /// A text in one line and in small letters.
  static func plain(_ text: String) -> String {
    text.lowercased().split { $0.isWhitespace }.joined(separator: " ")
  }

  /// The style's symbol layers alone, in a file beside what it names.
  private func styleFile(in folder: TemporaryFolder) throws -> String {
    let path = Self.folder + "/styles/" + style + ".json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard var root = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let layers = root["layers"] as? [[String: Any]]
    else { throw CocoaError(.fileReadCorruptFile) }
    root["layers"] = layers.filter { $0["type"] as? String == "symbol" }
    // Where the reference has no sprite sheet, neither has this.
    root["sprite"] = sprite.isEmpty ? nil : Self.folder + "/sprites-protomaps/v4/" + sprite
    let json = try JSONSerialization.data(withJSONObject: root)
    return try folder.write(String(decoding: json, as: UTF8.self), to: "style.json")
  }

  var viewport: Viewport {
    Viewport(
      center: GeoPoint(lat: latitude, lon: longitude), zoom: zoom + 1, bearing: bearing,
      width: Self.width, height: Self.height)
  }

  /// Waypost's labels.
  func placed() throws -> LabelPlacement {
    let folder = try TemporaryFolder()
    var spec = SourceSpec(
      name: "map", location: .path(Self.folder + "/packs/" + pack))
    spec.style = .file(try styleFile(in: folder))
    let source = try VectorMap.open(spec)
    guard let painter = (source as? any DrawnSource)?.painter as? any LabelledPainter else {
      throw CocoaError(.fileReadCorruptFile)
    }
    let view = viewport
    let margin = 128
    var tiles: [LabelTile] = []
    let level = Int(view.zoom.rounded())
    let edge = 256 * exp2(view.zoom - Double(level))
    let center = WebMercator.project(view.center)
    let count = exp2(Double(level))
    let across = Double(view.width / 2 + margin) / edge
    let down = Double(view.height / 2 + margin) / edge
    for y in Int(center.y * count - down)...Int(center.y * count + down) {
      for x in Int(center.x * count - across)...Int(center.x * count + across) {
        guard let tile = TileID(z: level, wrapping: x, row: y) else { continue }
        guard let labels = try labels(of: tile, source, painter, view.zoom) else { continue }
        tiles.append(LabelTile(tile, labels: labels))
      }
    }
    let type = try LabelType(.bundled)
    return LabelPlacer(type: type, icons: painter.labelIcons(isNight: false)).place(
      LabelRequest(tiles: tiles, view: view, margin: margin), after: nil)
  }

  private func labels(
    of tile: TileID, _ source: any TileSource, _ painter: any LabelledPainter, _ zoom: Double
  ) throws -> TileLabels? {
    guard case .payload(let payload) = try source.read(tile) else { return nil }
    let edge = 16
    var pixels = [UInt32](repeating: 0, count: edge * edge)
    return pixels.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return nil }
      var target = PaintTarget(
        pixels: base, rowBytes: edge * 4, edge: edge, room: memory.count, zoom: zoom,
        tools: PaintTools())
      _ = painter.paint(payload, tile, into: &target)
      return target.companion as? TileLabels
    }
  }

  /// The rectangle around the letters' pixels in the view.
  private static func visible(
    _ picture: LabelPicture, _ x: Int, _ y: Int, _ screen: PixelRect
  ) -> PixelRect {
    let area = picture.rect(x: x, y: y)
    let part = area.intersection(screen)
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    for row in part.y..<max(part.y, part.maxY) {
      for column in part.x..<max(part.x, part.maxX) {
        let pixel = picture.image.pixels[(row - area.y) * picture.image.width + column - area.x]
        if pixel >> 24 < 128 { continue }
        left = min(left, column)
        right = max(right, column + 1)
        top = min(top, row)
        bottom = max(bottom, row + 1)
      }
    }
    if left > right { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The texts of a placement in the view.
  func texts(of placement: LabelPlacement) throws -> [Text] {
    let artist = LabelArtist(type: try LabelType(.bundled))
    let screen = PixelRect(x: 0, y: 0, width: Self.width, height: Self.height)
    return placement.labels.compactMap { label in
      let shape = label.shape
      if shape.glyphs.isEmpty { return nil }
      let letters = LabelShape(
        glyphs: shape.glyphs, icon: nil, look: shape.look, scale: shape.scale, text: shape.text)
      let picture = artist.picture(of: letters)
      let rect = Self.visible(picture, label.x, label.y, screen)
      if rect.isEmpty { return nil }
      return Text(
        text: Self.plain(shape.text), x: Double(rect.x + rect.maxX) / 2,
        y: Double(rect.y + rect.maxY) / 2, layer: "\(label.layer)")
    }
  }
}
