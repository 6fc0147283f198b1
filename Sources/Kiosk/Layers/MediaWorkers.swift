import EventLoop
import Platform

/// A `FileWorker` for each medium, so that one that hangs delays only the work on its own files.
///
/// Use it on the loop's thread.
final class MediaWorkers<Output: Sendable> {
  /// The most workers. Idle ones make room for others.
  static var limit: Int { 8 }

  private let name: String
  private let loop: EventLoop
  private let capacity: Int
  private let onResult: (Output) -> Void
  private var workers: [String: FileWorker<Output>] = [:]
  /// The number of jobs of each worker whose results were not delivered yet.
  private var outstanding: [String: Int] = [:]

  /// Creates no worker yet. `capacity` is that of each worker; `onResult` is called on the loop.
  init(
    _ name: String, loop: EventLoop, capacity: Int, onResult: @escaping (Output) -> Void
  ) {
    self.name = name
    self.loop = loop
    self.capacity = capacity
    self.onResult = onResult
  }

  /// Posts `job`, which touches files of the file system mounted at `medium` (`Mounts`).
  ///
  /// - Returns: False if too much waits for this medium, or too many media hang.
  func post(on medium: String, _ job: @escaping @Sendable () -> Output) -> Bool {
    if workers[medium] == nil {
      if workers.count >= MediaWorkers.limit {
        guard let idle = workers.keys.first(where: { outstanding[$0] == nil }) else { return false }
        workers[idle] = nil
      }
      workers[medium] = FileWorker(name, loop: loop, capacity: capacity) { [weak self] in
        self?.deliver($0, of: medium)
      }
    }
    guard workers[medium]?.post(job) == true else { return false }
    outstanding[medium, default: 0] += 1
    return true
  }

  private func deliver(_ result: Output, of medium: String) {
    outstanding[medium] = outstanding[medium].flatMap { $0 > 1 ? $0 - 1 : nil }
    onResult(result)
  }
}
