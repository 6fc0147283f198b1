import Control
import Drawing
import Glibc
import MapGeometry
import MapLabels
import MapStyle
import TileLoading
import TileSources
import VectorMaps
import VectorPainting

/// A vector tile of the data set, and what paints it, on this thread.
final class VectorTileBench {
  let painter: VectorPainter
  let payload: TilePayload
  let tile: TileID
  private let tools = PaintTools()
  private let pixels = UnsafeMutableRawPointer.allocate(byteCount: 512 * 512 * 4, alignment: 64)
  private let type: LabelType?
  private var placer: LabelPlacer?
  private var artist: LabelArtist?
  private let view: Viewport

  /// Prepares the tile `z`/`x`/`y` of `pack` in the style of the file `style`; nil if the pack does
  /// not have it.
  init?(_ data: BenchData, pack: String, style: String, _ z: Int, _ x: Int, _ y: Int) {
    guard let path = data.vector(pack), let id = TileID(z: z, x: x, y: y) else { return nil }
    let source = data.open(SourceSpec(name: pack, location: .path(path)))
    guard case .payload(let payload)? = try? source.read(id),
      let map = try? MapStyle(json: Array(Files.text(style).utf8))
    else { return nil }
    self.payload = payload
    tile = id
    painter = VectorPainter(style: map, cache: ParsedTileCache(maximumBytes: 64 << 20))
    type = try? LabelType(.bundled)
    let world = Double(1 << z)
    let center = WebMercator.unproject(
      WorldPoint(x: (Double(x) + 0.5) / world, y: (Double(y) + 0.5) / world))
    view = Viewport(center: center, zoom: Double(z + 1), width: 512, height: 512)
  }

  deinit { pixels.deallocate() }

  /// Paints it as one picture of 512 pixels, from its uncompressed bytes.
  @discardableResult
  func paint(labels: Bool = false) -> TileLabels? {
    painter.cache.removeAll()
    return paint(.whole, edge: 512, labels)
  }

  /// Paints it as a kiosk does: as four tiles of 256 pixels.
  func paintQuarters(labels: Bool = false) {
    painter.cache.removeAll()
    for number in 0..<4 {
      guard let part = VectorTilePart(levels: 1, column: number & 1, row: number >> 1) else {
        continue
      }
      _ = paint(part, edge: 256, labels)
    }
  }

  private func paint(_ part: VectorTilePart, edge: Int, _ labels: Bool) -> TileLabels? {
    var target = PaintTarget(
      pixels: pixels, rowBytes: edge * 4, edge: edge, room: edge * edge * 4, tools: tools)
    let request = VectorPaintRequest(
      tile: tile, part: part, zoom: Double(tile.z), hasLabels: labels)
    guard case .painted = painter.paint(payload.bytes, request, into: &target) else {
      stop("\(tile) is not painted")
    }
    return target.companion as? TileLabels
  }

  /// Places and draws labels as for a view of the tile, and returns how many there are. `isFirst`:
  /// no text was measured or drawn before, as for a first view.
  @discardableResult
  func place(_ labels: TileLabels?, isFirst: Bool = false) -> Int {
    if isFirst || placer == nil {
      placer = type.map { LabelPlacer(type: $0, icons: .none) }
      artist = type.map { LabelArtist(type: $0) }
    }
    guard let labels, let placer, let artist else { return 0 }
    let request = LabelRequest(tiles: [LabelTile(tile, labels: labels)], view: view)
    let placement = placer.place(request, after: nil)
    artist.beginPlacement()
    for label in placement.labels { _ = artist.picture(of: label.shape) }
    return placement.labels.count
  }

  /// What it draws, without labels.
  var shapes: [PaintedShape] {
    let request = VectorPaintRequest(tile: tile, zoom: Double(tile.z), hasLabels: false)
    return (try? painter.shapes(of: payload.bytes, request, edge: 512)) ?? []
  }
}

extension BenchData {
  static let paris = "packs/paris-ruhr-openmaptiles-z0-14.mbtiles"
  static let bright = "styles/omt-osm-bright.json"
  /// The middle of the Paris tiles of level 14: five from west to east, two from north to south.
  static let parisCenter = GeoPoint(lat: 48.87917, lon: 2.34009)

  /// A file of the vector maps' data; nil if it is not there.
  func vector(_ name: String) -> String? {
    folder.map { $0 + "/vector/" + name }.flatMap { access($0, R_OK) == 0 ? $0 : nil }
  }

  /// The style in the file `path` without its symbol layers, as a file.
  func withoutLabels(_ path: String) -> String? {
    guard case .object(var root)? = try? JSON.parse(Files.text(path)),
      case .array(let layers)? = root["layers"]
    else { return nil }
    root["layers"] = .array(layers.filter { $0["type"]?.string != "symbol" })
    var bytes: [UInt8] = []
    JSON.object(root).write(to: &bytes)
    let file = scratch + "/plain.json"
    Files.write(bytes, to: file)
    return file
  }
}
