import Images
import MapGeometry
import Pixels
import TileSources

/// Decodes PNG, JPEG and WebP tiles.
public struct RasterPainter: TilePainter {
  /// Creates a painter, which works for any source of these formats.
  public init() {}

  /// True: tiles are decoded from their payload.
  public var needsPayload: Bool { true }

  /// Decodes `payload`, scaled to the target's edge.
  public func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let payload else { return .nothing }
    let decoder = target.tools.decoder
    do throws(ImageError) {
      if target.isPart {
        let isOpaque = try decoder.decodeARGB(
          payload.bytes, as: payload.format, edge: target.edge, into: target.pixels,
          rowBytes: target.rowBytes)
        return .painted(isOpaque ? .xrgb8888 : .argb8888)
      }
      let outcome = try decoder.decode(
        payload.bytes, as: payload.format, edge: target.edge, opaque: target.opaque,
        colors: target.colors,
        into: UnsafeMutableRawBufferPointer(start: target.pixels, count: target.room))
      switch outcome {
      case .drawn(let format): return .painted(format)
      case .needsAlphaRoom: return .needsAlphaRoom
      }
    } catch {
      return error.lacksMemory ? .lacksMemory(error.reason) : .failed(error.reason)
    }
  }
}
