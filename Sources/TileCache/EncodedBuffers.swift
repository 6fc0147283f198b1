import TileSources

/// Memory of encoded tiles between two of them: a source's reader takes it, the thread that decodes gives
/// it back.
final class EncodedBuffers: Sendable {
  /// Kept: what is under way of one source at most, and none that one large tile made large.
  private static let count = 8
  private static let largest = 64 << 10

  private let idle = Gate<[TileBuffer]>([])

  func take() -> TileBuffer { idle.locked { $0.popLast() } ?? TileBuffer() }

  func giveBack(_ parts: [DecodeJob.Part]) {
    idle.locked { idle in
      for part in parts where idle.count < EncodedBuffers.count {
        if part.bytes.capacity <= EncodedBuffers.largest { idle.append(part.bytes) }
      }
    }
  }

  /// One that turned out not to be needed.
  func giveBack(_ buffer: TileBuffer) {
    idle.locked { if $0.count < EncodedBuffers.count { $0.append(buffer) } }
  }
}
