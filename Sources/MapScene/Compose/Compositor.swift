import MapGeometry
import Pixels
import TileLoading

/// Draws plans: copies opaque tiles straight to the display, and mixes the rest in memory that
/// stays in the processor's cache before it is written, once and in order.
///
/// The display's memory is never read. A frame allocates nothing once its size has been seen.
public final class Compositor {
  /// Colours where there is no map, 0xFFRRGGBB.
  public struct Palette: Sendable, Equatable {
    /// Beyond the world's northern and southern edge.
    public var outside: UInt32 = 0xFFC9_CDD1
    /// Under tiles that have not arrived.
    public var waiting: UInt32 = 0xFFE4_E4E0

    /// Creates the palette of the light theme.
    public init() {}
  }

  private let cache: TileCache
  private let over = SpriteIndex()
  private let flats: FlatTiles
  private var work = Workspace()

  /// The colours where there is no map.
  public var palette = Palette()

  /// Whether cells with something over the map may be mixed once and kept in the cache. Only safe
  /// where every tile of the plan has its standing in the cache: kept cells evict tiles that have
  /// none.
  public var keepsFlatTiles = false

  /// The memory use of the buffers in which pixels are mixed.
  public var bytes: Int { work.bytes + over.bytes + flats.bytes }

  /// Creates a compositor.
  ///
  /// - Parameter cache: Holds the tiles of the plans.
  public init(cache: TileCache) {
    self.cache = cache
    flats = FlatTiles(cache: cache)
  }

  deinit { work.deallocate() }

  /// Sets what lies over the map in the following frames.
  ///
  /// - Parameters:
  ///   - sprites: Bottom first.
  ///   - width: The view's width in pixels.
  ///   - height: The view's height in pixels.
  public func place(_ sprites: [Sprite], width: Int, height: Int) {
    over.place(sprites, width: width, height: height)
  }

  /// Draws a part of the view, with the sprites that were placed.
  ///
  /// A tile that left the cache since the plan was made is drawn as one that has not arrived.
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
    let t = plan.transform
    let rect = rect.intersection(PixelRect(x: 0, y: 0, width: t.width, height: t.height))
    if rect.isEmpty { return }
    work.reserve(edge: t.cell)
    let isExact = t.isExact
    let mixer = mixer(t, target, rotation)
    if plan.isCurrent(in: cache) {
      draw(plan, rect, mixer, isExact)
    } else {
      draw(plan.current(in: cache), rect, mixer, isExact)
    }
  }

  private func draw(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ mixer: ChunkMixer, _ isExact: Bool
  ) {
    if isExact {
      CellCopier(cache: cache, flats: keepsFlatTiles ? flats : nil, mixer: mixer)
        .drawExact(plan, rect)
    } else {
      mixer.mix(plan, rect)
    }
  }

  /// Draws a part of the view with nothing copied: slower, and the same pixels.
  func mix(
    _ plan: borrowing FramePlan, _ rect: PixelRect, _ target: ScanoutBuffer,
    _ rotation: MountingRotation
  ) {
    mixer(plan.transform, target, rotation).mix(plan, rect)
  }

  private func mixer(
    _ t: ViewTransform, _ target: ScanoutBuffer, _ rotation: MountingRotation
  ) -> ChunkMixer {
    let gatherer = GridGatherer(
      cache: cache, scratch: work.scratch, outside: palette.outside, waiting: palette.waiting)
    return ChunkMixer(
      sampler: Sampler(gatherer: gatherer, work: work),
      panel: PanelWriter(t, target, rotation, work), over: over, palette: palette, work: work)
  }
}
