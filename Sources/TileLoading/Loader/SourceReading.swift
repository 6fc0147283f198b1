import MapGeometry
import TileSources

/// The result of reading a tile from its source.
enum SourceReading {
  /// What was read. `broken` lists descendants that exist but cannot be read.
  case parts([PaintJob.Part], broken: [TileError])
  /// No such tile. `ancestor` is the level of the deepest tile that covers the same area.
  case missing(ancestor: Int?)
  /// Not available yet; the value tells when to ask again.
  case later(TileRetry)
  /// The tile exists but cannot be read. There is at least one error.
  case failed([TileError], ancestor: Int?)

  /// Reads the tile, or its descendants.
  ///
  /// - Parameters:
  ///   - tile: The tile's address.
  ///   - levels: How many levels below the tile to read its descendants; 0: the tile itself.
  ///   - source: The source, which is used on this thread.
  ///   - buffers: Supplies the memory for payloads.
  /// - Returns: The result.
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
        return .parts([part], broken: payload.faults)
      case .nothing: return .missing(ancestor: try source.nearestAncestor(of: tile)?.z)
      case .later(let retry): return .later(retry)
      }
    } catch {
      return .failed([error], ancestor: (try? source.nearestAncestor(of: tile))?.z)
    }
  }

  /// Reads the tiles `levels` below `above`, skipping those that cannot be read.
  private static func descendants(
    of above: TileID, _ levels: Int, in source: any TileSource, _ buffers: EncodedBuffers
  ) -> SourceReading {
    var parts: [PaintJob.Part] = []
    var broken: [TileError] = []
    var promise: TileRetry?
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
            broken += payload.faults
          case .nothing: break
          // All tiles are asked for first, so that they arrive together.
          case .later(let retry): promise = retry
          }
        } catch {
          // The cache would keep a tile with a hole.
          if error.lacksMemory {
            buffers.giveBack(&parts)
            return .failed([error], ancestor: nil)
          }
          broken.append(error)
        }
      }
    }
    if let promise {
      buffers.giveBack(&parts)
      return .later(promise)
    }
    if !parts.isEmpty { return .parts(parts, broken: broken) }
    return broken.isEmpty ? .missing(ancestor: nil) : .failed(broken, ancestor: nil)
  }
}
