import MapGeometry
import Pixels
import TileSources

/// Makes the pixels of tiles: decodes what was read, or draws it.
///
/// Its values do not change; several threads paint with it at once.
public protocol TilePainter: Sendable {
  /// Whether a tile is painted from bytes that its source gave. Where not, the source is never
  /// read.
  var needsPayload: Bool { get }

  /// Whether there can be anything to paint in `tile`. Asked on the loop's thread, so it must be
  /// quick; true where it is not known.
  func mayPaint(_ tile: TileID) -> Bool

  /// Paints `tile` into `target`, on a thread that decodes.
  ///
  /// A painter that may take longer than a few milliseconds asks `target.isCancelled` between
  /// features or rows, and returns `.cancelled` when it is. It applies `target.colors` itself.
  ///
  /// - Parameters:
  ///   - payload: what the source gave; nil where `needsPayload` is false.
  ///   - tile: the tile's address.
  ///   - target: where to paint.
  /// - Returns: how it ended.
  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
}

extension TilePainter {
  /// True: without a quick answer every tile is tried.
  public func mayPaint(_ tile: TileID) -> Bool { true }
}

/// How painting a tile ended.
public enum PaintOutcome: Sendable, Equatable {
  /// The target holds the tile in this format: the target's `opaque`, or premultiplied `argb8888`.
  case painted(TilePixelFormat)
  /// There is nothing in this tile.
  case nothing
  /// The tile has transparency, and the target has room for two bytes a pixel only.
  case needsAlphaRoom
  /// The target said so; what it holds means nothing.
  case cancelled
  /// The payload cannot be painted, for this reason.
  case failed(String)
}

/// A source that brings its own painter: features, the tile grid.
public protocol DrawnSource: TileSource {
  /// Paints its tiles.
  var painter: any TilePainter { get }
}
