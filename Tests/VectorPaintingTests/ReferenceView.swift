import Foundation
import MapGeometry
import MapStyle
import TestSupport
import TileLoading
import TileSources

@testable import Images
@testable import VectorPainting

/// A view of `reference/views.tsv` in the large test data, which MapLibre Native drew.
struct ReferenceView: Sendable {
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

  /// The views of which there is a picture without labels.
  static let all: [ReferenceView] = {
    let list = (try? String(contentsOfFile: folder + "/reference/views.tsv", encoding: .utf8)) ?? ""
    return list.split(separator: "\n").dropFirst().compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count >= 7, let zoom = Double(parts[3]), let latitude = Double(parts[4]),
        let longitude = Double(parts[5]), let bearing = Double(parts[6])
      else { return nil }
      let view = ReferenceView(
        name: parts[0], style: parts[1], pack: parts[2], zoom: zoom, latitude: latitude,
        longitude: longitude, bearing: bearing)
      return FileManager.default.fileExists(atPath: view.reference) ? view : nil
    }
  }()

  private var reference: String {
    Self.folder + "/reference/" + name + "_nolabels.png"
  }

  /// MapLibre's picture, as argb pixels.
  func expected() throws -> [UInt32] {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: reference)))
    var pixels = [UInt32](repeating: 0, count: Self.width * Self.height)
    try file.withUnsafeBytes { bytes in
      try pixels.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        _ = try TileDecoder().render(
          bytes, width: Self.width, height: Self.height, into: base, rowBytes: Self.width * 4)
      }
    }
    return pixels
  }

  /// The style without symbols, and without what the reference left out.
  private func mapStyle() throws -> MapStyle {
    let path = Self.folder + "/styles/" + style + ".json"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    guard var root = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let layers = root["layers"] as? [[String: Any]]
    else { throw CocoaError(.fileReadCorruptFile) }
    root["layers"] = layers.filter {
      !["symbol", "fill-extrusion", "raster"].contains($0["type"] as? String ?? "")
    }
    return try MapStyle(json: [UInt8](JSONSerialization.data(withJSONObject: root)))
  }

  private func source() throws -> any TileSource {
    let path = Self.folder + "/packs/" + pack
    return pack.hasSuffix(".pmtiles")
      ? try PMTilesSource(path: path) : try MBTilesSource(path: path)
  }

  /// Waypost's picture, and which of its pixels are on tiles that the pack has.
  func drawn() throws -> (pixels: [UInt32], isKnown: [Bool]) {
    let source = try source()
    let painter = VectorPainter(style: try mapStyle())
    let level = min(Int(zoom), source.info.maxZoom)
    // Tiles have whole pixels: the scale is off by less than 1/1000.
    let edge = Int((512 * exp2(zoom - Double(level))).rounded())
    let world = Double(edge) * exp2(Double(level))
    let sine = sin(latitude * .pi / 180)
    let left = (longitude / 360 + 0.5) * world - Double(Self.width) / 2
    let top =
      (0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * world - Double(Self.height) / 2
    let (originX, originY) = (left.rounded(.down), top.rounded(.down))
    var pixels = [UInt32](repeating: 0, count: Self.width * Self.height)
    var isKnown = [Bool](repeating: false, count: Self.width * Self.height)
    let columns = Int(originX) / edge...(Int(originX) + Self.width - 1) / edge
    let rows = Int(originY) / edge...(Int(originY) + Self.height - 1) / edge
    for y in rows {
      for x in columns {
        guard let id = TileID(z: level, wrapping: x, row: y) else { continue }
        var request = VectorPaintRequest(tile: id, zoom: zoom, hasLabels: false)
        request.nudgeX = Int64(((left - originX) * 256).rounded())
        request.nudgeY = Int64(((top - originY) * 256).rounded())
        guard let tile = try paint(id, request, edge: edge, source, painter) else { continue }
        for row in 0..<edge {
          let toY = y * edge + row - Int(originY)
          guard (0..<Self.height).contains(toY) else { continue }
          for column in 0..<edge {
            let toX = x * edge + column - Int(originX)
            guard (0..<Self.width).contains(toX) else { continue }
            pixels[toY * Self.width + toX] = tile[row * edge + column]
            isKnown[toY * Self.width + toX] = true
          }
        }
      }
    }
    return (pixels, isKnown)
  }

  private func paint(
    _ id: TileID, _ request: VectorPaintRequest, edge: Int, _ source: any TileSource,
    _ painter: VectorPainter
  ) throws -> [UInt32]? {
    guard let bytes = try source.tile(at: id) else { return nil }
    var pixels = [UInt32](repeating: 0, count: edge * edge)
    let outcome = pixels.withUnsafeMutableBytes { memory -> PaintOutcome? in
      guard let base = memory.baseAddress else { return nil }
      var target = PaintTarget(
        pixels: base, rowBytes: edge * 4, edge: edge, room: edge * edge * 4, tools: PaintTools())
      return bytes.withUnsafeBytes { painter.paint($0, request, into: &target) }
    }
    guard case .painted = outcome else { return nil }
    return pixels
  }
}
