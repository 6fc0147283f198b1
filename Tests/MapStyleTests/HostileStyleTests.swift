import TestSupport
import Testing

@testable import MapStyle

/// Styles with random faults are compiled and evaluated without a trap.
@Suite struct HostileStyleTests {
  private static func fixture() throws -> [UInt8] {
    try StyleFile.bytes(TestData.fixtures + "/styles/mixed.json")
  }

  @Test func bytesMayBeAnything() throws {
    let original = try HostileStyleTests.fixture()
    var random = SeededNumbers(7)
    for _ in 0..<Emulation.rounds(150) {
      var bytes = original
      for _ in 0..<random.integer(1...4) {
        let place = random.next(0..<bytes.count)
        switch random.next(0..<3) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[random.next(0..<bytes.count)], at: place)
        }
      }
      if let style = try? MapStyle(json: bytes) { Evaluation.all(of: style) }
    }
  }

  @Test func valuesMayStandAnywhere() throws {
    let bytes = try HostileStyleTests.fixture()
    let root = try bytes.withUnsafeBytes { try StyleJSON.parse($0) }
    try mutate(root, seed: 11, rounds: 150)
  }

  @Test(.enabled(if: TestData.large != nil))
  func valuesOfRealStylesMayStandAnywhere() throws {
    guard let data = TestData.large else { return }
    for (seed, name) in ["omt-fiord", "protomaps-light"].enumerated() {
      let root = try StyleFile.json(data + "/vector/styles/\(name).json")
      try mutate(root, seed: UInt64(seed), rounds: 1)
    }
  }

  /// Compiles and evaluates a style with some of its values replaced by others of its values.
  private func mutate(_ root: StyleValue, seed: UInt64, rounds: Int) throws {
    var pool: [StyleValue] = [
      .null, .bool(true), .number(-1e300), .number(1e18), .number(0.5), .string(""), .array([]),
      .object([:]), .string("zoom"), .string("\u{1F3F3}\u{FE0F}"), .array([.string("zoom")]),
      .array([.string("get"), .string("class")]), .array([.string("literal"), .array([])]),
    ]
    ValuePool.collect(root.object?["layers"] ?? .null, &pool)
    var random = SeededNumbers(seed)
    for _ in 0..<Emulation.rounds(rounds) {
      let layers = ValuePool.change(root.object?["layers"] ?? .null, pool, &random)
      var members = root.object ?? [:]
      members["layers"] = layers
      guard let style = try? StyleReader.read(.object(members), StyleOptions()) else { continue }
      Evaluation.all(of: style)
    }
  }
}

/// Values of a style that replace each other.
private enum ValuePool {
  static func collect(_ value: StyleValue, _ pool: inout [StyleValue]) {
    guard pool.count < 4000 else { return }
    pool.append(value)
    for item in value.array ?? [] { collect(item, &pool) }
    for (_, member) in (value.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      collect(member, &pool)
    }
  }

  /// The value with some parts replaced.
  static func change(
    _ value: StyleValue, _ pool: [StyleValue], _ random: inout SeededNumbers
  ) -> StyleValue {
    // The list of layers itself is kept.
    if random.next(0..<60) == 0, (value.array?.count ?? 0) < 20 {
      return pool[random.next(0..<pool.count)]
    }
    switch value {
    case .array(let items): return .array(items.map { change($0, pool, &random) })
    case .object(let members):
      var changed: [String: StyleValue] = [:]
      for (key, member) in members.sorted(by: { $0.key < $1.key }) {
        changed[key] = change(member, pool, &random)
      }
      return .object(changed)
    default: return value
    }
  }
}
