import Glibc
import Platform
import TileFormats
import TileSources

/// Checks tiles on all cores; results come in the order in which the tiles were put in.
///
/// Tiles go in batches. At most a few batches for each core are on the way, so that memory stays
/// bounded, whatever the tiles are.
final class CheckPipeline {
  /// A tile and what was found.
  struct Item: Sendable {
    var stretch: PackStretch
    var payload: TilePayload?
    var verdict: TileCheck.Verdict?
  }

  private struct State {
    var waiting: [(number: Int, items: [Item])] = []
    var finished: [Int: [Item]] = [:]
    var isClosed = false
    var threads = 0
  }

  private let gate = Gate(State())
  private let cores: Int
  private var batch: [Item] = []
  private var batchBytes = 0
  private var next = 0
  private var taken = 0
  /// Bytes of each batch that is on the way.
  private var sizes: [Int] = []

  private static let batchTiles = 64
  private static let mostBytes = 512 << 10
  private static let batchesPerCore = 3
  /// Each thread has a picture's pixels and a decoder of its own: some 3 MiB for 512 pixels.
  private static let mostThreads = 8
  /// Bytes of all batches on the way, unless one tile alone has more.
  private static let mostOnTheWay = 8 << 20
  /// Decoders of pictures take little; a deep picture takes some of it.
  private static let stack = 2 << 20

  /// Starts the threads.
  ///
  /// - Parameter cores: how many; nil: one for each core, at most eight.
  init(cores: Int? = nil) {
    let online = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let count = cores ?? max(1, min(CheckPipeline.mostThreads, online))
    self.cores = count
    let gate = gate
    for _ in 0..<count {
      gate.locked { $0.threads += 1 }
      let isStarted = startThread(named: "pack-check", stack: CheckPipeline.stack) {
        CheckPipeline.work(gate)
      }
      if !isStarted { gate.locked { $0.threads -= 1 } }
    }
  }

  deinit { gate.lockedBroadcast { $0.isClosed = true } }

  /// Adds a tile.
  ///
  /// - Parameters:
  ///   - stretch: which.
  ///   - payload: its bytes as stored; nil if it could not be read.
  /// - Returns: earlier tiles that are finished.
  func add(_ stretch: PackStretch, _ payload: TilePayload?) -> [Item] {
    batch.append(Item(stretch: stretch, payload: payload, verdict: nil))
    batchBytes += payload?.bytes.count ?? 0
    guard batch.count >= CheckPipeline.batchTiles || batchBytes >= CheckPipeline.mostBytes else {
      return []
    }
    submit()
    var finished: [Item] = []
    while next - taken >= cores * CheckPipeline.batchesPerCore
      || (next > taken && sizes.reduce(0, +) > CheckPipeline.mostOnTheWay)
    {
      finished += take()
    }
    return finished
  }

  /// What is left, in batches; empty when all has come.
  func finish() -> [Item] {
    if !batch.isEmpty { submit() }
    return taken < next ? take() : []
  }

  private func submit() {
    let (number, items) = (next, batch)
    next += 1
    sizes.append(batchBytes)
    (batch, batchBytes) = ([], 0)
    gate.lockedBroadcast { $0.waiting.append((number, items)) }
  }

  /// The oldest batch, when it is finished.
  private func take() -> [Item] {
    let number = taken
    taken += 1
    sizes.removeFirst()
    let found: (items: [Item], isFinished: Bool) = gate.wait { state in
      if let items = state.finished.removeValue(forKey: number) { return (items, true) }
      // The system has no room for threads: the work is done here.
      guard state.threads == 0, let first = state.waiting.first, first.number == number else {
        return nil
      }
      state.waiting.removeFirst()
      return (first.items, false)
    }
    return found.isFinished ? found.items : CheckPipeline.check(found.items, TileCheck())
  }

  private static func work(_ gate: Gate<State>) {
    let check = TileCheck()
    while true {
      let job: (number: Int, items: [Item])? = gate.wait { state in
        if state.isClosed { return .some(nil) }
        return state.waiting.isEmpty ? nil : .some(state.waiting.removeFirst())
      }
      guard let job else { return }
      let items = CheckPipeline.check(job.items, check)
      gate.lockedBroadcast { $0.finished[job.number] = items }
    }
  }

  private static func check(_ items: [Item], _ check: TileCheck) -> [Item] {
    items.map { item in
      var item = item
      if let payload = item.payload {
        item.verdict = check.check(payload.bytes, item.stretch.encoding)
      }
      // What was checked need not be kept.
      item.payload = nil
      return item
    }
  }
}
