/// When to try again to open a device: the kernel tells of a new one before udev has given its file
/// the group and the mode. Tried a bounded number of times, for about eight seconds; udev's own
/// event at the end of its start-up begins again.
struct OpeningRetries {
  /// Nanoseconds to wait after the first failure, the second …
  static let delays: [UInt64] = [20, 50, 100, 250, 500, 1000, 2000, 4000].map { $0 * 1_000_000 }

  private var waiting: [Int: (failures: Int, due: UInt64)] = [:]

  var count: Int { waiting.count }

  /// When the next one is due.
  var deadline: UInt64? { waiting.values.lazy.map(\.due).min() }

  /// Opening failed. False: often enough; it is not tried again.
  mutating func failed(_ number: Int, now: UInt64) -> Bool {
    let failures = waiting[number]?.failures ?? 0
    guard failures < Self.delays.count else {
      waiting[number] = nil
      return false
    }
    waiting[number] = (failures + 1, now &+ Self.delays[failures])
    return true
  }

  /// It is open or gone.
  mutating func forget(_ number: Int) { waiting[number] = nil }

  /// What is to be tried now, in order. Each is either told as failed again or forgotten.
  func due(at now: UInt64) -> [Int] {
    waiting.filter { $0.value.due <= now }.keys.sorted()
  }
}
