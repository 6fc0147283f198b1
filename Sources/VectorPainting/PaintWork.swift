import Drawing
import Platform
import Synchronization
import VectorTiles

/// The buffers of one painting thread.
final class PaintWork {
  let geometry = VectorGeometry()
  var path = Path()

  /// Bytes of the buffers.
  var bytes: Int { geometry.bytes + path.points.capacity * MemoryLayout<Path.Point>.stride }

  /// Frees what a great tile left.
  func trim() {
    geometry.trim()
    if path.points.capacity > 1 << 16 { path = Path() }
  }
}

/// Buffers of painting threads that are not in use.
public final class PaintWorkPool: Sendable {
  /// Unchecked: the list's lock passes them from one thread to the next.
  private struct Idle: @unchecked Sendable {
    let work: PaintWork
  }

  /// The buffers of all maps of this process.
  public static let shared = PaintWorkPool()

  private let idle = Lock<[Idle]>([])
  private let kept = Atomic<Int>(0)
  private static let most = 4

  /// Bytes of the buffers. Takes no lock.
  public var bytes: Int { kept.load(ordering: .relaxed) }

  /// Frees all buffers that are not in use.
  public func removeAll() {
    idle.withLock { idle in
      idle = []
      kept.store(0, ordering: .relaxed)
    }
  }

  func take() -> PaintWork {
    let found = idle.withLock { idle in
      let last = idle.popLast()
      if let last { kept.subtract(last.work.bytes, ordering: .relaxed) }
      return last
    }
    return found?.work ?? PaintWork()
  }

  func giveBack(_ work: PaintWork) {
    work.trim()
    let new = Idle(work: work)
    idle.withLock { idle in
      guard idle.count < Self.most else { return }
      idle.append(new)
      kept.add(new.work.bytes, ordering: .relaxed)
    }
  }
}
