import MapGeometry
import TileSources

/// What a source gave for a tile.
enum SourceReading {
  /// `broken`: descendants that are there but cannot be read.
  case parts([PaintJob.Part], broken: [TileError])
  /// Not there; the deepest level above at which a tile covers this place.
  case missing(ancestor: Int?)
  /// Not there yet; when the source is to be asked again.
  case later(TileRetry)
  /// At least one error.
  case failed([TileError], ancestor: Int?)

  /// Reads the tile, or its descendants.
  ///
  /// - Parameters:
  ///   - tile: the tile's address.
  ///   - levels: how many levels below the tile its descendants are; 0: the tile itself.
  ///   - source: is used on this thread.
  ///   - buffers: where the memory for them comes from.
  /// - Returns: what the source gave.
  static func read(
    _ tile: TileID, levels: Int, from source: any TileSource, _ buffers: EncodedBuffers
  ) -> SourceReading {
    if levels > 0 { return descendants(of: tile, levels, in: source, buffers) }
    do throws(TileError) {
      var buffer = buffers.take()
      let answer = try source.read(tile, into: &buffer)
      buffers.giveBack(buffer.takeMemory())
      switch answer {
      case .payload(let payload):
        let part = PaintJob.Part(payload: payload, column: 0, row: 0, tile: tile)
        return .parts([part], broken: [])
      case .nothing: return .missing(ancestor: try source.nearestAncestor(of: tile)?.z)
      case .later(let retry): return .later(retry)
      }
    } catch {
      return .failed([error], ancestor: (try? source.nearestAncestor(of: tile))?.z)
    }
  }

  /// The tiles `levels` below `above`; one that cannot be read does not keep the others away.
  private static func descendants(
    of above: TileID, _ levels: Int, in source: any TileSource, _ buffers: EncodedBuffers
  ) -> SourceReading {
    var parts: [PaintJob.Part] = []
    var broken: [TileError] = []
    let side = 1 << levels
    for row in 0..<side {
      for column in 0..<side {
        guard
          let tile = TileID(
            z: above.z + levels, x: above.x << levels | column, y: above.y << levels | row)
        else { continue }
        do throws(TileError) {
          var buffer = buffers.take()
          let answer = try source.read(tile, into: &buffer)
          buffers.giveBack(buffer.takeMemory())
          switch answer {
          case .payload(let payload):
            parts.append(PaintJob.Part(payload: payload, column: column, row: row, tile: tile))
          case .nothing: break
          case .later(let retry):
            buffers.giveBack(&parts)
            return .later(retry)
          }
        } catch {
          broken.append(error)
        }
      }
    }
    if !parts.isEmpty { return .parts(parts, broken: broken) }
    return broken.isEmpty ? .missing(ancestor: nil) : .failed(broken, ancestor: nil)
  }
}
