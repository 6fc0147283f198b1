/// When to try again to open a device. The kernel announces a new device before udev has set its
/// file's group and mode. Retries stop after about eight seconds; udev's own event at the end of
/// its start-up begins them again.
struct OpeningRetries {
  /// Nanoseconds to wait after the first failure, the second failure and so on.
  static let delays: [UInt64] = [20, 50, 100, 250, 500, 1000, 2000, 4000].map { $0 * 1_000_000 }

  private var waiting: [Int: (failures: Int, due: UInt64)] = [:]

  var count: Int { waiting.count }

  /// When the next retry is due; nil: there is none.
  var deadline: UInt64? { waiting.values.lazy.map(\.due).min() }

  /// Schedules a retry after a failure. False: there were enough, and no more follow.
  mutating func failed(_ number: Int, now: UInt64) -> Bool {
    let failures = waiting[number]?.failures ?? 0
    guard failures < Self.delays.count else {
      waiting[number] = nil
      return false
    }
    waiting[number] = (failures + 1, now &+ Self.delays[failures])
    return true
  }

  /// Ends the retries of a device that is open or gone.
  mutating func forget(_ number: Int) { waiting[number] = nil }

  /// The devices to try now, in order. Report each with `failed` or `forget`.
  func due(at now: UInt64) -> [Int] {
    waiting.filter { $0.value.due <= now }.keys.sorted()
  }
}
