import Platform
import TileSources

/// Keeps the memory of encoded tiles for reuse. A source's reader takes it; the thread that decodes
/// gives it back.
final class EncodedBuffers: Sendable {
  /// Enough for the jobs of one source, and no buffer that an unusually large tile has grown.
  private static let count = 8
  private static let largest = 80 << 10

  private let idle = Lock<[TileBytes]>([])

  func take() -> TileBuffer { TileBuffer(reusing: idle.withLock { $0.popLast() }) }

  /// Empties `parts` and keeps their memory. `take` does not reuse memory that something else still
  /// refers to.
  func giveBack(_ parts: inout [PaintJob.Part]) {
    if parts.isEmpty { return }
    var memory: [TileBytes] = []
    while let part = parts.popLast() { memory.append(part.payload.memory) }
    idle.withLock { idle in
      while let memory = memory.popLast() { EncodedBuffers.keep(memory, among: &idle) }
    }
  }

  /// Keeps the memory of a buffer that was not needed.
  func giveBack(_ memory: TileBytes?) {
    guard let memory else { return }
    idle.withLock { EncodedBuffers.keep(memory, among: &$0) }
  }

  /// Bytes of the memory that is kept.
  var bytes: Int { idle.withLock { $0.reduce(0) { $0 + $1.capacity } } }

  private static func keep(_ memory: TileBytes, among idle: inout [TileBytes]) {
    if idle.count < count, memory.capacity <= largest { idle.append(memory) }
  }
}
