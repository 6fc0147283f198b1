import Drawing
import Glibc
import Images
import Pixels

/// Where a tile is painted, and what the painter may use for it.
public struct PaintTarget {
  /// The first row. What it holds before means nothing.
  public let pixels: UnsafeMutableRawPointer
  /// From one row to the next.
  public let rowBytes: Int
  /// The edge of what is painted, in pixels.
  public let edge: Int
  /// Bytes that may be written from `pixels` on.
  public let room: Int
  /// Pixels a point.
  public let scale: Int
  /// The format of tiles without transparency.
  public let opaque: TilePixelFormat
  /// What is done to every pixel.
  public let colors: ColorTransform
  /// This is one part of a tile that is made of several: premultiplied `argb8888` in any case, and
  /// reported as `.xrgb8888` where every pixel is opaque.
  public let isPart: Bool
  /// Decoder and rasteriser of the thread that paints.
  public let tools: PaintTools
  /// What travels with the tile beside its pixels.
  public var companion: (any TileCompanion)?
  let cancellation: PaintCancellation?

  /// A target in the caller's memory.
  ///
  /// - Parameters:
  ///   - pixels: the first row, aligned to 4.
  ///   - rowBytes: from one row to the next; a multiple of 4.
  ///   - edge: the edge of what is painted, in pixels.
  ///   - room: bytes that may be written from `pixels` on.
  ///   - scale: pixels a point.
  ///   - opaque: the format of tiles without transparency.
  ///   - colors: what is done to every pixel.
  ///   - tools: those of the thread that paints.
  public init(
    pixels: UnsafeMutableRawPointer, rowBytes: Int, edge: Int, room: Int, scale: Int = 1,
    opaque: TilePixelFormat = .xrgb8888, colors: ColorTransform = .identity, tools: PaintTools
  ) {
    self.init(
      pixels: pixels, rowBytes: rowBytes, edge: edge, room: room, scale: scale, opaque: opaque,
      colors: colors, isPart: false, tools: tools, cancellation: nil)
  }

  init(
    pixels: UnsafeMutableRawPointer, rowBytes: Int, edge: Int, room: Int, scale: Int,
    opaque: TilePixelFormat, colors: ColorTransform, isPart: Bool, tools: PaintTools,
    cancellation: PaintCancellation?
  ) {
    self.pixels = pixels
    self.rowBytes = rowBytes
    self.edge = edge
    self.room = room
    self.scale = scale
    self.opaque = opaque
    self.colors = colors
    self.isPart = isPart
    self.tools = tools
    self.cancellation = cancellation
  }

  /// Whether the painter should give up. Cheap: asked between features and rows.
  public var isCancelled: Bool { cancellation?.isCancelled ?? false }

  /// The target as a transparent canvas; nil where it has no room for four bytes a pixel.
  public func clearedCanvas() -> PixelCanvas? {
    guard edge > 0, room >= rowBytes * (edge - 1) + edge * 4 else { return nil }
    for row in 0..<edge { memset(pixels + row * rowBytes, 0, edge * 4) }
    return PixelCanvas(
      pixels.assumingMemoryBound(to: UInt32.self), stride: rowBytes / 4, width: edge, height: edge)
  }

  /// Applies `colors` to what was painted on the canvas.
  public func applyColors() {
    if colors.isIdentity { return }
    for row in 0..<edge {
      let words = (pixels + row * rowBytes).assumingMemoryBound(to: UInt32.self)
      colors.apply(to: words, count: edge)
    }
  }
}

/// What a thread that paints keeps for itself.
public final class PaintTools {
  /// Decodes images.
  public let decoder = TileDecoder()
  /// Fills and strokes paths.
  public private(set) lazy var rasteriser = PathRasteriser()

  /// Tools for one thread.
  public init() {}
}
