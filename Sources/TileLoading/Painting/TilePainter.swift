import MapGeometry
import Pixels
import TileSources

/// Produces the pixels of tiles, by decoding payloads or by drawing.
///
/// Painters are immutable; several threads use one at the same time.
public protocol TilePainter: Sendable {
  /// Whether it paints from bytes that the source gives. If not, the source is never read.
  var needsPayload: Bool { get }

  /// Whether painting a tile may take more than a few milliseconds. Decoding then comes first, and
  /// a tile that is no longer wanted is given up. By default, if it needs no payload.
  var mayTakeLong: Bool { get }

  /// Whether it has colours of its own for the night. The theme's are then not applied.
  var hasNight: Bool { get }

  /// Whether tiles look different at zooms between two levels, other than by their size. If so, and
  /// it paints the base map, tiles are painted for the zoom at which the view rests
  /// (`PaintTarget.zoom`), with as many pixels as they then have on the screen.
  var dependsOnZoom: Bool { get }

  /// Whether tiles are painted from the payload of one tile above them, so that those that share
  /// one are best painted one after the other.
  var sharesPayloads: Bool { get }

  /// Whether `tile` may contain anything; true if unknown. Called on the loop's thread, so it must
  /// be quick.
  func mayPaint(_ tile: TileID) -> Bool

  /// Paints `tile` into `target`, on a decoding thread.
  ///
  /// A painter that may take more than a few milliseconds checks `target.isCancelled` between
  /// features or rows, and if it is true returns `.cancelled`. The painter applies `target.colors`
  /// itself.
  ///
  /// - Parameters:
  ///   - payload: What the source gave; nil if `needsPayload` is false.
  ///   - tile: The tile's address.
  ///   - target: The memory to paint into.
  /// - Returns: The result.
  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
}

extension TilePainter {
  /// Whether it needs no payload: it draws.
  public var mayTakeLong: Bool { !needsPayload }

  /// False: the theme's colours are applied at night.
  public var hasNight: Bool { false }

  /// False: tiles are scaled between two levels.
  public var dependsOnZoom: Bool { false }

  /// False: each tile has a payload of its own.
  public var sharesPayloads: Bool { false }

  /// True: every tile is tried.
  public func mayPaint(_ tile: TileID) -> Bool { true }
}

/// The result of painting a tile.
public enum PaintOutcome: Sendable, Equatable {
  /// The target contains the tile in this format: the target's `opaque`, or premultiplied
  /// `argb8888`.
  case painted(TilePixelFormat)
  /// The tile is empty.
  case nothing
  /// The tile has transparency, and the target only has room for 2 bytes per pixel.
  case needsAlphaRoom
  /// The target asked to stop; its contents are undefined.
  case cancelled
  /// The payload cannot be painted. The text says why.
  case failed(String)
  /// The system has no memory to paint the tile, which is asked for again later. The text says for
  /// what.
  case lacksMemory(String)
}

/// A source that brings its own painter: features, the tile grid.
public protocol DrawnSource: TileSource {
  /// The painter of its tiles.
  var painter: any TilePainter { get }
}
