import Synchronization
import TileSources

/// Memory of encoded tiles between two of them: a source's reader takes it, the thread that decodes
/// gives it back.
final class EncodedBuffers: Sendable {
  /// Kept: what is under way of one source at most, and none that one large tile made large.
  private static let count = 8
  private static let largest = 80 << 10

  private let idle = Mutex<[TileBytes]>([])

  func take() -> TileBuffer { TileBuffer(reusing: idle.withLock { $0.popLast() }) }

  /// Takes the memory of `parts`, which is then empty. Memory that something else still refers to
  /// when it is taken out is not used again.
  func giveBack(_ parts: inout [PaintJob.Part]) {
    if parts.isEmpty { return }
    var memory: [TileBytes] = []
    while let part = parts.popLast() { memory.append(part.payload.memory) }
    idle.withLock { idle in
      while let memory = memory.popLast() { EncodedBuffers.keep(memory, among: &idle) }
    }
  }

  /// Takes back the memory of one that turned out not to be needed.
  func giveBack(_ memory: TileBytes?) {
    guard let memory else { return }
    idle.withLock { EncodedBuffers.keep(memory, among: &$0) }
  }

  /// Bytes that are kept.
  var bytes: Int { idle.withLock { $0.reduce(0) { $0 + $1.capacity } } }

  private static func keep(_ memory: TileBytes, among idle: inout [TileBytes]) {
    if idle.count < count, memory.capacity <= largest { idle.append(memory) }
  }
}
