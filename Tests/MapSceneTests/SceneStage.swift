import MapGeometry
import Pixels
import TileSources

@testable import MapScene
@testable import TileLoading

/// A scene with its cache and compositor, over tiles that the test makes: what a frame looks like
/// without a loader, a source or a display.
final class SceneStage {
  /// What a source answers when one of its tiles is wanted.
  enum Answer {
    /// Opaque, or with transparency.
    case tile(alpha: Bool)
    case missing(ancestorLevel: Int?)
    /// It has not come yet.
    case late
  }

  let cache: TileCache
  let missing = MissingTiles()
  let scene: Scene
  let compositor: Compositor
  let format: PixelFormat
  private let pictures: TilePictures

  init(
    view: Viewport, layers: [SceneLayer], format: PixelFormat = .xrgb8888,
    cacheLimit: Int = 96 << 20, pictures: TilePictures = TilePictures(), leastShared: Int? = nil
  ) {
    self.format = format
    self.pictures = pictures
    cache = TileCache(limit: cacheLimit)
    scene = Scene(
      cache: cache, missing: missing, opaque: TilePixelFormat(opaqueFor: format), view: view)
    scene.setLayers(layers)
    compositor = Compositor(cache: cache, leastShared: leastShared)
  }

  /// Puts a tile into the cache.
  func insert(_ source: Int, _ tile: TileID, edge: Int = 256, alpha: Bool = false) {
    let bytes = edge * edge * 4
    let key = TileKey(source: source, tile: tile)
    guard cache.peek(key) == nil, let buffer = cache.reserve(bytes, standing: .needed) else {
      return
    }
    pictures.draw(source, tile, edge: edge, alpha: alpha, into: buffer)
    let opaque = TilePixelFormat(opaqueFor: format)
    if !alpha {
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: buffer, count: bytes), edge: edge, to: opaque)
    }
    cache.insert(
      key, buffer: buffer, bytes: bytes, edge: edge, format: alpha ? .argb8888 : opaque,
      standing: .needed)
  }

  /// Plans `view` until nothing new is wanted, and answers what is wanted meanwhile.
  @discardableResult
  func settle(_ view: Viewport, _ answer: (_ source: Int, _ tile: TileID) -> Answer)
    -> Scene.Update
  {
    var update = scene.update(view: view)
    for _ in 0..<8 {
      var isNew = false
      let quiet = update.quietCells.map { TileKey(quietCellOf: $0) }
      for request in update.requests
      where request.standing == .needed && !quiet.contains(request.key) {
        switch answer(request.key.source, request.tile) {
        case .tile(let alpha):
          insert(request.key.source, request.tile, edge: request.edge, alpha: alpha)
          isNew = true
        case .missing(let level):
          missing.insert(request.key, .init(ancestorLevel: level, failed: false))
          isNew = true
        case .late: break
        }
      }
      for source in update.quietCells { isNew = insertQuietCell(of: source, view) || isNew }
      if !isNew { break }
      update = scene.update(view: view)
    }
    return update
  }

  /// Paints the quiet cell of a source as the loader does.
  private func insertQuietCell(of source: Int, _ view: Viewport) -> Bool {
    let edge = scene.cell ?? 256 * view.scale
    let bytes = edge * edge * 4
    guard let buffer = cache.reserve(bytes, standing: .needed) else { return false }
    var target = PaintTarget(
      pixels: buffer, rowBytes: edge * 4, edge: edge, room: bytes, scale: view.scale,
      opaque: TilePixelFormat(opaqueFor: format), tools: PaintTools())
    let cell = QuietCell(edge: edge, scale: view.scale)
    guard case .painted(let painted) = cell.paint(nil, .world, into: &target) else { return false }
    cache.insert(
      TileKey(quietCellOf: source), buffer: buffer, bytes: bytes, edge: edge, format: painted,
      standing: .needed)
    return true
  }

  /// The panel's bytes after `parts` of the plan were drawn; 0x55 where nothing was.
  func draw(
    _ parts: [PixelRect]? = nil, rotation: MountingRotation = .none, sprites: [Sprite] = [],
    labels: Int = 0
  ) -> [UInt8] {
    let (width, height) = (scene.plan.transform.width, scene.plan.transform.height)
    let panel = rotation.turnedSize(width: width, height: height)
    var bytes = [UInt8](repeating: 0x55, count: panel.width * panel.height * format.bytes)
    compositor.place(sprites, labels: labels, width: width, height: height)
    bytes.withUnsafeMutableBytes { raw in
      guard let base = raw.baseAddress else { return }
      let target = ScanoutBuffer(
        base: base, rowBytes: panel.width * format.bytes, width: panel.width,
        height: panel.height, format: format)
      for part in parts ?? [PixelRect(x: 0, y: 0, width: width, height: height)] {
        compositor.draw(scene.plan, in: part, to: target, rotation: rotation)
      }
    }
    withExtendedLifetime(sprites) {}
    return bytes
  }
}

/// Pictures of tiles by whole numbers alone: the same on every machine. Each is made once.
final class TilePictures {
  private var made: [String: [UInt32]] = [:]

  /// Writes the tile's words: opaque noise over a slope; with `alpha` premultiplied areas, some of
  /// them opaque, and lines, with whole blocks of nothing between.
  func draw(
    _ source: Int, _ tile: TileID, edge: Int, alpha: Bool, into buffer: UnsafeMutableRawPointer
  ) {
    let name = "\(source) \(tile) \(edge) \(alpha)"
    let words = made[name] ?? TilePictures.words(source, tile, edge, alpha)
    made[name] = words
    words.withUnsafeBytes { buffer.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }

  private static func words(_ source: Int, _ tile: TileID, _ edge: Int, _ alpha: Bool) -> [UInt32] {
    let (a, b) = (UInt32(tile.x & 255), UInt32(tile.y & 255))
    let c = UInt32(tile.z * 37 + source * 11)
    return [UInt32](unsafeUninitializedCapacity: edge * edge) { out, count in
      var i = 0
      var y: UInt32 = 0
      while y < edge {
        var x: UInt32 = 0
        while x < edge {
          if !alpha {
            let red = (x &+ a &* 40) & 255
            let green = (y &* 2 &+ b &* 60) & 255
            out[i] = 0xFF00_0000 | red << 16 | green << 8 | ((x ^ y) &+ c) & 255
          } else if x == 0 || y == c & 63 {
            out[i] = 0xFF10_2030
          } else if x > 64 && x < 150 && y > 40 && y < 200 {
            out[i] = x < 104 ? 0xFF20_9040 : 0x4010_3008 &+ (y & 7)
          } else if x > 170 && y > 128 && (x &+ y) & 3 == 0 {
            out[i] = 0x8040_2010
          } else {
            out[i] = 0
          }
          i += 1
          x += 1
        }
        y += 1
      }
      count = i
    }
  }
}
