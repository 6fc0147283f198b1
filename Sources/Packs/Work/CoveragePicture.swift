import CBundled
import Drawing
import Images
import MapGeometry
import TileSources

/// Draws which tiles of a pack exist: a small map for each zoom, all of the same area, over the
/// bundled world map.
package enum CoveragePicture {
  /// The edge of a map in pixels.
  private static let edge = CoverageGrid.edge
  private static let caption = 22
  private static let gap = 8
  private static let background: UInt32 = 0xffff_ffff
  private static let ink: UInt32 = 0xff20_2020

  /// Draws the pack at `path`.
  ///
  /// - Parameters:
  ///   - path: the pack.
  ///   - scratch: the folder for temporary files; nil: the system's for those.
  ///   - report: hears how far it is.
  /// - Returns: a PNG file.
  /// - Throws: `PackError` if the pack cannot be read, or is empty.
  package static func draw(
    _ path: String, scratch: String? = nil, report: @escaping WorkReport
  ) throws(PackError) -> [UInt8] {
    let survey = try PackSurvey.run(path, scratch: scratch, report: report)
    guard let bounds = survey.tally.bounds else {
      throw PackError(file: path, reason: "holds no tiles: there is nothing to draw")
    }
    let area = CoverageArea(bounds)
    var grids = survey.tally.levels.map { $0 == nil ? nil : CoverageGrid(area) }
    _ = try PackSurvey.run(
      path, scratch: scratch,
      visit: { stretch in
        HilbertSquares.each(first: stretch.first, count: stretch.count) { square in
          grids[square.z]?.add(square)
        }
      }, report: report)
    let map = WorldBackground.draw(area, edge: edge)
    let shown = grids.enumerated().compactMap { zoom, grid in grid.map { (zoom, $0) } }
    let columns = Int(Double(shown.count).squareRoot().rounded(.up))
    let rows = (shown.count + columns - 1) / columns
    let width = columns * (edge + gap) + gap
    let height = rows * (edge + caption + gap) + gap + caption
    var pixels = [UInt32](repeating: background, count: width * height)
    let text = try? TextRenderer(
      font: UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
    for (index, (zoom, grid)) in shown.enumerated() {
      let left = gap + index % columns * (edge + gap)
      let top = gap + index / columns * (edge + caption + gap)
      for y in 0..<edge {
        for x in 0..<edge {
          pixels[(top + caption + y) * width + left + x] = grid.shaded(
            map[y * edge + x], x: x, y: y)
        }
      }
      let tiles = survey.tally.levels[zoom]?.tiles ?? 0
      pixels.withUnsafeMutableBufferPointer { canvas in
        guard let base = canvas.baseAddress else { return }
        text?.draw(
          "zoom \(zoom): \(tiles) \(tiles == 1 ? "tile" : "tiles")",
          size: 14, color: ink, halo: nil, into: base,
          stride: width, width: width, height: height, at: left, baselineY: top + 16)
      }
    }
    let attribution = WorldBackground.attribution
    pixels.withUnsafeMutableBufferPointer { canvas in
      guard let base = canvas.baseAddress else { return }
      text?.draw(
        attribution, size: 11, color: ink, halo: nil, into: base, stride: width, width: width,
        height: height, at: gap, baselineY: height - 8)
    }
    do throws(ImageError) {
      return try pixels.withUnsafeBytesTyped { raw throws(ImageError) in
        try PNGWriter.encode(raw, width: width, height: height, rowBytes: width * 4)
      }
    } catch {
      throw PackError(file: path, reason: "its coverage cannot be drawn: \(error.reason)")
    }
  }
}

extension [UInt32] {
  fileprivate func withUnsafeBytesTyped<Value, Failure: Error>(
    _ body: (UnsafeRawPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var result: Result<Value, Failure>?
    withUnsafeBytes { raw in
      guard let base = raw.baseAddress else { return }
      do throws(Failure) { result = .success(try body(base)) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("an empty picture") }
    return try result.get()
  }
}

/// The square of the unit world that the maps show: what the pack covers, with some room around.
struct CoverageArea {
  let left, top, side: Double

  init(_ bounds: GeoBounds) {
    let northWest = WebMercator.project(GeoPoint(lat: bounds.north, lon: bounds.west))
    let south = WebMercator.project(GeoPoint(lat: bounds.south, lon: bounds.west)).y
    let width = bounds.longitudeSpan / 360
    let height = south - northWest.y
    // The world map has no more to show than this.
    side = min(1, max(width, height, 1 / 4096) * 1.3)
    left = min(max(northWest.x + width / 2 - side / 2, 0), 1 - side)
    top = min(max(northWest.y + height / 2 - side / 2, 0), 1 - side)
  }
}

/// How much of each pixel of a map the tiles of one zoom cover.
struct CoverageGrid {
  static let edge = 256

  private let area: CoverageArea
  private var shares = [Float](repeating: 0, count: edge * edge)

  init(_ area: CoverageArea) { self.area = area }

  /// Adds a square of tiles.
  mutating func add(_ square: HilbertSquares.Square) {
    let scale = Double(CoverageGrid.edge) / area.side
    let count = Double(1 << square.z)
    let left = (Double(square.x) / count - area.left) * scale
    let top = (Double(square.y) / count - area.top) * scale
    let side = Double(square.side) / count * scale
    let most = Double(CoverageGrid.edge)
    let (right, bottom) = (min(left + side, most), min(top + side, most))
    let (first, above) = (max(left, 0), max(top, 0))
    guard first < right, above < bottom else { return }
    for y in Int(above)..<Int(bottom.rounded(.up)) {
      let high = min(bottom, Double(y + 1)) - max(above, Double(y))
      for x in Int(first)..<Int(right.rounded(.up)) {
        let wide = min(right, Double(x + 1)) - max(first, Double(x))
        shares[y * CoverageGrid.edge + x] += Float(high * wide)
      }
    }
  }

  /// The map's pixel `color` where tiles cover it: more so the more they do, and never so little
  /// that a single tile is lost.
  func shaded(_ color: UInt32, x: Int, y: Int) -> UInt32 {
    let share = min(shares[y * CoverageGrid.edge + x], 1)
    guard share > 0 else { return color }
    let strength = 0.35 + 0.35 * share
    let tint: [Float] = [0xd0, 0x30, 0x10]
    var mixed: UInt32 = 0xff
    for (index, part) in tint.enumerated() {
      let below = Float(color >> UInt32(16 - 8 * index) & 255)
      mixed = mixed << 8 | UInt32(below + (part - below) * strength)
    }
    return mixed
  }
}

/// The bundled world map, paled, as the ground of the maps.
enum WorldBackground {
  private static let tile = 256
  private static let deepest = 3

  /// Whose the map is.
  static var attribution: String { source?.info.attribution ?? "" }

  private static var source: PMTilesSource? {
    try? PMTilesSource(
      StaticBytes(
        name: "the bundled world map", start: waypost_world_map_bytes(),
        count: waypost_world_map_size(), isPartOfProgram: true))
  }

  /// `edge` by `edge` pixels of `area`, `0xffRRGGBB`.
  static func draw(_ area: CoverageArea, edge: Int) -> [UInt32] {
    var pixels = [UInt32](repeating: 0xffe0_e8f0, count: edge * edge)
    guard let source else { return pixels }
    var level = 0
    while level < deepest, area.side * Double(1 << level) < 1 { level += 1 }
    let count = Double(1 << level)
    var tiles: [TileID: [UInt32]] = [:]
    for y in 0..<edge {
      let worldY = (area.top + (Double(y) + 0.5) / Double(edge) * area.side) * count
      for x in 0..<edge {
        let worldX = (area.left + (Double(x) + 0.5) / Double(edge) * area.side) * count
        guard let id = TileID(z: level, x: Int(worldX), y: Int(worldY)) else { continue }
        if tiles[id] == nil { tiles[id] = decode(id, source) }
        guard let picture = tiles[id], !picture.isEmpty else { continue }
        let column = Int((worldX - Double(id.x)) * Double(tile))
        let row = Int((worldY - Double(id.y)) * Double(tile))
        let color = picture[min(row, tile - 1) * tile + min(column, tile - 1)]
        // Half way to white.
        pixels[y * edge + x] = 0xff80_8080 + (color >> 1 & 0x7f_7f7f)
      }
    }
    return pixels
  }

  private static func decode(_ id: TileID, _ source: PMTilesSource) -> [UInt32] {
    guard let bytes = try? source.tile(at: id) else { return [] }
    var pixels = [UInt32](repeating: 0, count: tile * tile)
    let isDrawn = pixels.withUnsafeMutableBytes { target in
      bytes.withUnsafeBytes { raw in
        guard let base = target.baseAddress else { return false }
        return
          (try? TileDecoder().decodeARGB(raw, edge: tile, into: base, rowBytes: tile * 4)) != nil
      }
    }
    return isDrawn ? pixels : []
  }
}
