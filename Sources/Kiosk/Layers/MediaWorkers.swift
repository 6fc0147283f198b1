import EventLoop

/// A `Worker` for each medium, so that one that hangs delays only the work on its own files. Files
/// on several media have one for those together.
///
/// Use it on the loop's thread.
final class MediaWorkers {
  /// The most workers. Idle ones make room for others.
  static let limit = 8

  private let name: String
  private let loop: EventLoop
  private let capacity: Int
  private var workers: [String: Worker] = [:]
  /// The number of jobs of each worker whose results were not delivered yet.
  private var outstanding: [String: Int] = [:]

  /// Creates no worker yet. `capacity` is that of each worker.
  init(_ name: String, loop: EventLoop, capacity: Int) {
    self.name = name
    self.loop = loop
    self.capacity = capacity
  }

  /// Has `job`, which touches files of the media that `medium` names (`Mounts.media`), carried out
  /// beside the loop, then calls `deliver` on the loop with its result.
  ///
  /// - Returns: False if too much waits for this medium, or too many media hang; see `Worker.post`.
  func post<Output: Sendable>(
    on medium: String, _ job: @escaping @Sendable () -> Output,
    then deliver: @escaping (Output) -> Void
  ) -> Bool {
    if workers[medium] == nil, workers.count >= MediaWorkers.limit {
      guard let idle = workers.keys.first(where: { outstanding[$0] == nil }) else { return false }
      workers[idle] = nil
    }
    let worker = workers[medium] ?? Worker(name, loop: loop, capacity: capacity)
    workers[medium] = worker
    let isTaken = worker.post(job) { [weak self] output in
      self?.delivered(medium)
      deliver(output)
    }
    if isTaken { outstanding[medium, default: 0] += 1 }
    return isTaken
  }

  private func delivered(_ medium: String) {
    outstanding[medium] = outstanding[medium].flatMap { $0 > 1 ? $0 - 1 : nil }
  }
}
