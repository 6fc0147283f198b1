import Synchronization

/// The bytes of the answers that all providers' links keep.
enum ProviderMemory {
  private static let total = Atomic<Int>(0)

  static var bytes: Int { total.load(ordering: .relaxed) }

  static func add(_ count: Int) { total.wrappingAdd(count, ordering: .relaxed) }
}
