import MapGeometry
import Pixels
import TileSources

@testable import MapScene
@testable import TileLoading

/// Paints a pattern of the world's pixels at the zoom for which it is asked: right only if each
/// pixel of the tile is a pixel of the screen.
struct ZoomPattern: TilePainter {
  /// Whether it has holes, and so transparency.
  var hasHoles = false

  var needsPayload: Bool { false }
  var dependsOnZoom: Bool { true }

  /// The colour of a pixel of the world that is `columns` cells of `cell` pixels wide.
  static func word(_ x: Int, _ y: Int, cell: Int, hasHoles: Bool = false) -> UInt32 {
    if hasHoles, x / 40 % 3 != 1 { return 0 }
    var hash = UInt64(truncatingIfNeeded: x &* 0x9E37_79B9 &+ y &* 0x85EB_CA6B &+ cell)
    hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
    // Few bits, so that 16 bits per pixel hold them exactly.
    return 0xFF00_0000 | UInt32(truncatingIfNeeded: hash >> 8) & 0x0080_8080
  }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
    let edge = target.edge
    for y in 0..<edge {
      for x in 0..<edge {
        canvas.pixels[y * canvas.stride + x] = ZoomPattern.word(
          tile.x * edge + x, tile.y * edge + y, cell: edge, hasHoles: hasHoles)
      }
    }
    if hasHoles { return .painted(.argb8888) }
    if target.opaque == .rgb565 {
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: target.pixels, count: edge * edge * 4), edge: edge,
        to: .rgb565)
    }
    return .painted(target.opaque)
  }
}

/// A map that paints the pattern at every level.
final class ZoomPatternSource: DrawnSource {
  let info = SourceInfo(kind: "pattern", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter = ZoomPattern()
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead { .nothing }
}

extension SceneStage {
  /// Paints what `update` requests with the pattern; `holes` are the sources with transparency.
  func paint(_ update: Scene.Update, scale: Int, holes: Set<Int> = [], most: Int = .max) {
    let tools = PaintTools()
    for request in update.requests.filter({ $0.standing == .needed }).prefix(most) {
      let bytes = request.edge * request.edge * 4
      guard cache.peek(request.key) == nil,
        let buffer = cache.reserve(bytes, standing: .needed)
      else { continue }
      var target = PaintTarget(
        pixels: buffer, rowBytes: request.edge * 4, edge: request.edge, room: bytes, scale: scale,
        opaque: TilePixelFormat(opaqueFor: format), tools: tools)
      let painter = ZoomPattern(hasHoles: holes.contains(request.key.source))
      guard case .painted(let painted) = painter.paint(nil, request.tile, into: &target) else {
        cache.cancel(buffer, bytes: bytes)
        continue
      }
      cache.insert(
        request.key, buffer: buffer, bytes: bytes, edge: request.edge, format: painted,
        standing: .needed)
    }
  }
}
