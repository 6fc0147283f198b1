import Drawing
import Glibc
import Images
import Pixels
import TileSources

/// The memory to paint a tile into, and what the painter may use for it.
public struct PaintTarget {
  /// The first row. Its contents are undefined before painting.
  public let pixels: UnsafeMutableRawPointer
  /// Bytes from one row to the next.
  public let rowBytes: Int
  /// The edge in pixels of the square to paint.
  public let edge: Int
  /// Bytes that may be written, counted from `pixels`.
  public let room: Int
  /// Pixels per point.
  public let scale: Int
  /// The zoom of the view for which the tile is painted, as Waypost counts it: at zoom z, a tile of
  /// level z has 256 points. It lies within 0.51 of the tile's level, unless the tile is of a
  /// source with tiles of 512 points. Nil: not known; the tile's size says it.
  public let zoom: Double?
  /// The pixel format for a tile without transparency.
  public let opaque: TilePixelFormat
  /// The colour change to apply to every pixel.
  public let colors: ColorTransform
  /// Whether this is one part of a tile made of several. It is then always premultiplied
  /// `argb8888`, and is reported as `.xrgb8888` if every pixel is opaque.
  public let isPart: Bool
  /// The decoder and the rasteriser of the painting thread.
  public let tools: PaintTools
  /// Whether to paint the colours of the night, if the painter has any.
  public var isNight = false
  /// Whether only the red of all colours will be shown. The painter itself may ignore this.
  public var isRed = false
  /// Data to keep with the tile in the cache; set by the painter.
  public var companion: (any TileCompanion)?
  /// What could not be painted although the rest of the tile was; the painter adds to it.
  public var faults: [TileError] = []
  let cancellation: PaintCancellation?

  /// Creates a target in the caller's memory.
  ///
  /// - Parameters:
  ///   - pixels: The first row, aligned to 4 bytes.
  ///   - rowBytes: Bytes from row to row, a multiple of 4.
  ///   - edge: The edge in pixels of the square to paint.
  ///   - room: Bytes that may be written, counted from `pixels`.
  ///   - scale: Pixels per point.
  ///   - zoom: The zoom of the view; nil: not known.
  ///   - opaque: The format of tiles without transparency.
  ///   - colors: The colour change for every pixel.
  ///   - tools: The painting thread's tools.
  public init(
    pixels: UnsafeMutableRawPointer, rowBytes: Int, edge: Int, room: Int, scale: Int = 1,
    zoom: Double? = nil, opaque: TilePixelFormat = .xrgb8888, colors: ColorTransform = .identity,
    tools: PaintTools
  ) {
    self.init(
      pixels: pixels, rowBytes: rowBytes, edge: edge, room: room, scale: scale, zoom: zoom,
      opaque: opaque, colors: colors, isPart: false, tools: tools, cancellation: nil)
  }

  init(
    pixels: UnsafeMutableRawPointer, rowBytes: Int, edge: Int, room: Int, scale: Int,
    zoom: Double?, opaque: TilePixelFormat, colors: ColorTransform, isPart: Bool, tools: PaintTools,
    cancellation: PaintCancellation?
  ) {
    self.pixels = pixels
    self.rowBytes = rowBytes
    self.edge = edge
    self.room = room
    self.scale = scale
    self.zoom = zoom
    self.opaque = opaque
    self.colors = colors
    self.isPart = isPart
    self.tools = tools
    self.cancellation = cancellation
  }

  /// Whether the painter should stop. Cheap enough to ask between features or rows.
  public var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// Whether the painter should stop, to be asked without the target.
  package var cancellationCheck: () -> Bool {
    { [cancellation] in cancellation?.isCancelled ?? false }
  }

  /// Clears the target and returns it as a canvas; nil if it has no room for 4 bytes per pixel.
  public func clearedCanvas() -> PixelCanvas? {
    guard edge > 0, room >= rowBytes * (edge - 1) + edge * 4 else { return nil }
    for row in 0..<edge { memset(pixels + row * rowBytes, 0, edge * 4) }
    return PixelCanvas(
      pixels.assumingMemoryBound(to: UInt32.self), stride: rowBytes / 4, width: edge, height: edge)
  }

  /// Applies `colors` to the canvas after painting.
  public func applyColors() {
    if colors.isIdentity { return }
    for row in 0..<edge {
      let words = (pixels + row * rowBytes).assumingMemoryBound(to: UInt32.self)
      colors.apply(to: words, count: edge)
    }
  }
}

/// The tools of one painting thread.
public final class PaintTools {
  /// Decodes images.
  public let decoder = TileDecoder()
  /// Fills and strokes paths.
  public var rasteriser: PathRasteriser {
    if let used { return used }
    let made = PathRasteriser()
    used = made
    return made
  }

  private var used: PathRasteriser?

  /// Whether a path was left out for lack of memory since the last call.
  func takeLack() -> Bool { used?.takeLack() ?? false }

  /// Creates the tools of one thread.
  public init() {}

  /// Frees what paths were drawn with. Called before the thread sleeps.
  func rest() { used = nil }
}
