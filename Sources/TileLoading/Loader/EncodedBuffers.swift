import Platform
import TileSources

/// Memory of encoded tiles between two of them: a source's reader takes it, the thread that decodes gives
/// it back.
final class EncodedBuffers: Sendable {
  /// Kept: what is under way of one source at most, and none that one large tile made large.
  private static let count = 8
  private static let largest = 80 << 10

  private let idle = Gate<[TileBuffer]>([])

  func take() -> TileBuffer { idle.locked { $0.popLast() } ?? TileBuffer() }

  func giveBack(_ parts: [DecodeJob.Part]) {
    idle.locked { idle in
      for part in parts { EncodedBuffers.keep(part.bytes, among: &idle) }
    }
  }

  /// One that turned out not to be needed.
  func giveBack(_ buffer: TileBuffer) {
    idle.locked { EncodedBuffers.keep(buffer, among: &$0) }
  }

  /// Bytes that are kept.
  var bytes: Int { idle.locked { $0.reduce(0) { $0 + $1.capacity } } }

  private static func keep(_ buffer: TileBuffer, among idle: inout [TileBuffer]) {
    if idle.count < count, buffer.capacity <= largest { idle.append(buffer) }
  }
}
