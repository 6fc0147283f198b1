import MapGeometry
import Pixels
import Platform
import TileLoading

/// Draws plans. Opaque tiles are copied straight to the display; the rest is mixed in memory that
/// stays in the processor's cache and then written once, in order.
///
/// Never reads the display's memory. After the first frame of a size, drawing allocates nothing.
public final class Compositor {
  /// Colours where there is no map.
  public struct Palette: Sendable, Equatable {
    /// The colour beyond the world's northern and southern edges, 0xFFRRGGBB.
    public var outside: UInt32
    /// The colour where there is no map, or none yet, 0xFFRRGGBB.
    public var waiting: UInt32
    /// The lines that say that there is no map, 0xAARRGGBB.
    public var hatch: UInt32

    /// How light it is where there is no map, 0 (black) ... 255 (white).
    public var voidLight: Int {
      let (r, g, b) = (Int(waiting >> 16 & 255), Int(waiting >> 8 & 255), Int(waiting & 255))
      return (r * 54 + g * 183 + b * 19) >> 8
    }

    /// By day.
    public static let day = Palette(
      outside: 0xFFD5_D9DC, waiting: 0xFFE6_E8EA, hatch: 0x1400_0000)
    /// By night.
    public static let night = Palette(
      outside: 0xFF0E_1215, waiting: 0xFF14_181C, hatch: 0x14FF_FFFF)
    /// By night in reds.
    public static let red = Palette(
      outside: 0xFF06_0000, waiting: 0xFF0A_0000, hatch: 0x14FF_0000)
  }

  private let cache: TileCache
  private let over = SpriteIndex()
  /// The labels of the base, and the sprites above them, if layers lie between the two.
  private let labels = SpriteIndex()
  private let top = SpriteIndex()
  private var hasLayersBetween = false
  private let flats: FlatTiles
  private let backdrop = Backdrop()
  private var work = Workspace()
  /// The thread that draws beside this one, and its memory, once a frame was large enough for it.
  private var second: (hand: SecondHand, work: Workspace)?
  /// The fewest pixels of a part that both draw; nil: there is no second thread.
  private var leastShared: Int?
  /// What is worth waking a thread for.
  public static let leastShared = 1 << 18

  /// The colours where there is no map. Set before a frame is drawn.
  public var palette = Palette.day

  /// Whether cells with something over the base may be flattened once and kept in the cache.
  /// Flattened cells evict tiles without a standing, so every tile of the plan must have one.
  public var keepsFlatTiles = false

  /// Bytes of the mixing buffers, the sprite indexes, the records of flattened cells and the
  /// backdrop.
  public var bytes: Int {
    work.bytes + (second?.work.bytes ?? 0) + over.bytes + labels.bytes + top.bytes + flats.bytes
      + backdrop.bytes
  }

  /// Creates a compositor.
  ///
  /// - Parameters:
  ///   - cache: Holds the tiles of the plans.
  ///   - leastShared: The fewest pixels of a part of a frame that a second thread helps to draw,
  ///     with the same outcome. It starts with the first such part. Nil: there is no such thread.
  public init(cache: TileCache, leastShared: Int? = nil) {
    self.cache = cache
    flats = FlatTiles(cache: cache)
    self.leastShared = leastShared
  }

  deinit {
    second?.hand.end()
    second?.work.deallocate()
    work.deallocate()
  }

  /// Sets the sprites over the map for the following frames, and keeps their pictures until the
  /// next call.
  ///
  /// - Parameters:
  ///   - sprites: The sprites, bottom first.
  ///   - count: How many of them, from the first, are labels of the base, and lie below the layers
  ///     with `isAboveLabels`. 0 if there is no such layer.
  ///   - width: The view's width in pixels.
  ///   - height: The view's height in pixels.
  public func place(_ sprites: [Sprite], labels count: Int = 0, width: Int, height: Int) {
    over.place(sprites, width: width, height: height)
    let count = min(max(count, 0), sprites.count)
    if count == 0, !hasLayersBetween { return }
    hasLayersBetween = count > 0
    labels.place(sprites, in: 0..<count, width: width, height: height)
    top.place(
      sprites, in: count..<(hasLayersBetween ? sprites.count : 0), width: width, height: height)
  }

  /// Forgets the sprites that were placed, once a frame is drawn: who made them can fill the same
  /// array again without a copy.
  public func removeSprites() {
    over.removeAll()
    labels.removeAll()
    top.removeAll()
    backdrop.removeSprites()
  }

  /// How many rows of the last frame that was drawn whole were copied from that memory.
  private(set) var rowsCopied = 0

  /// Bytes of the memory that frames of a pan are copied from, at most a little more than 4 for
  /// each pixel of the view; 0: nobody panned lately.
  public var backdropBytes: Int { backdrop.isKeepingAnything ? backdrop.bytes : 0 }

  /// Frees that memory unless a frame used it since the last call.
  public func ageBackdrop() { backdrop.age() }

  /// Frees that memory.
  public func freeBackdrop() { backdrop.free() }

  /// Draws a part of the view, with the sprites that were placed.
  ///
  /// A tile that has left the cache since the plan was made is drawn as if it had not arrived.
  ///
  /// - Parameters:
  ///   - plan: The plan of the view.
  ///   - rect: The part in view pixels; clipped to the view.
  ///   - target: The panel's memory.
  ///   - rotation: How the panel is mounted.
  public func draw(
    _ plan: borrowing FramePlan, in rect: PixelRect, to target: ScanoutBuffer,
    rotation: MountingRotation
  ) {
    draw(plan, rect, target, rotation, mayCopy: true)
  }

  private func draw(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation, mayCopy: Bool
  ) {
    let t = plan.transform
    let rect = rect.intersection(PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    if rect.isEmpty { return }
    work.reserve(edge: t.cell)
    let plan = plan.isCurrent(in: cache) ? copy plan : plan.current(in: cache)
    let isWhole = rect.width == t.width && rect.height == t.height
    // As in each frame of a pan. 16 bits would round what lies below a sprite twice.
    let rows =
      mayCopy && isWhole && t.isExact && !hasLayersBetween && target.format == .xrgb8888
      ? backdrop.prepare(plan, over.owners, palette) : nil
    if isWhole { rowsCopied = rows?.rows.count ?? 0 }
    var bands = FrameBands(
      plan: plan, rect: rect, mixer: mixer(t, target, rotation, work),
      flats: keepsFlatTiles ? flats : nil, backdrop: rows)
    // Flattened cells are kept in the cache, which belongs to this thread. Copies alone are not
    // faster by two: waking the other one takes as long as it saves.
    if let leastShared, rect.width * rect.height >= leastShared,
      rows?.rows.count != t.height, !t.isExact || !keepsFlatTiles || plan.layers.count == 1,
      startSecond()
    {
      second?.work.reserve(edge: t.cell)
      if let second {
        bands.flats = nil
        bands.second = self.mixer(t, target, rotation, second.work)
        second.hand.draw(bands)
        return
      }
    }
    bands.drawAll()
  }

  /// Draws a part of the map into a picture, without sprites. Sprites have to be placed again.
  ///
  /// - Parameters:
  ///   - plan: The plan of the view.
  ///   - rect: The part in view pixels, inside the view.
  ///   - format: The format of opaque tiles.
  /// - Returns: The opaque picture; nil if a tile of the plan has left the cache, or if there is no
  ///   memory for it.
  public func still(
    _ plan: borrowing FramePlan, _ rect: PixelRect, format: PixelFormat
  ) -> SpriteImage? {
    let width = plan.transform.width
    guard plan.isCurrent(in: cache), rect.x >= 0, rect.maxX <= width,
      SpareMemory.has(rect.height, of: width * format.bytes + rect.width * 4)
    else { return nil }
    place([], width: width, height: plan.transform.height)
    let (keeps, rowBytes) = (keepsFlatTiles, width * format.bytes)
    keepsFlatTiles = false
    defer { keepsFlatTiles = keeps }
    let rows = UnsafeMutableRawPointer.allocate(byteCount: rowBytes * rect.height, alignment: 16)
    defer { rows.deallocate() }
    // The rows of the part, as a buffer whose first row is the view's.
    let target = ScanoutBuffer(
      base: rows - rect.y * rowBytes, rowBytes: rowBytes, width: width, height: rect.maxY,
      format: format)
    draw(plan, rect, target, .none, mayCopy: false)
    return SpriteImage(width: rect.width, height: rect.height) { pixels, stride in
      for row in 0..<rect.height {
        let from = rows + row * rowBytes + rect.x * format.bytes
        let to = pixels + row * stride
        if format == .rgb565 {
          expand565(from.assumingMemoryBound(to: UInt16.self), to, rect.width)
        } else {
          copyRow(from.assumingMemoryBound(to: UInt32.self), to, rect.width)
          for x in 0..<rect.width { to[x] |= 0xff00_0000 }
        }
      }
    }
  }

  /// Draws a part of the view by mixing only, with the same pixels as `draw` but slower.
  func mix(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    mixer(plan.transform, target, rotation, work).mix(plan, rect)
    finishStreaming()
  }

  /// Starts the second thread if there is to be one. Returns whether it is there.
  private func startSecond() -> Bool {
    if second != nil { return true }
    guard let hand = SecondHand.start() else {
      // A system without room for a thread is not asked again.
      leastShared = nil
      return false
    }
    second = (hand, Workspace())
    return true
  }

  private func mixer(
    _ t: ViewTransform, _ target: ScanoutBuffer, _ rotation: MountingRotation, _ work: Workspace
  ) -> ChunkMixer {
    let gatherer = GridGatherer(
      cache: cache, scratch: work.scratch, outside: palette.outside, waiting: palette.waiting)
    return ChunkMixer(
      sampler: Sampler(gatherer: gatherer, work: work),
      panel: PanelWriter(t, target, rotation, work), over: over.lists,
      hasLayersBetween: hasLayersBetween, labels: labels.lists, top: top.lists, palette: palette,
      work: work)
  }
}
