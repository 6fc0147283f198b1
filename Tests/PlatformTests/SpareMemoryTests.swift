import Testing

@testable import Platform

/// What is asked for before an array, a set or a dictionary takes it.
@Suite struct SpareMemoryTests {
  /// The most bytes that the system gives here.
  private func limited<Value>(to most: Int, _ body: () -> Value) -> Value {
    SpareMemory.$most.withValue(most, operation: body)
  }

  @Test func anArrayTakesMoreThanItsElements() {
    let array = [UInt64](repeating: 0, count: 4094)
    let bytes = 2 * array.capacity * 8
    let more = array.capacity - array.count + 1
    limited(to: bytes) { #expect(!array.hasMemory(forMore: more)) }
    limited(to: bytes + 32) { #expect(array.hasMemory(forMore: more)) }
  }

  @Test func whatHasRoomAsksForNothing() {
    var array: [UInt64] = []
    array.reserveCapacity(9000)
    var set: Set<Int> = []
    set.reserveCapacity(9000)
    var table: [Int: Int] = [:]
    table.reserveCapacity(9000)
    limited(to: 0) {
      #expect(array.hasMemory(forMore: 9000))
      #expect(set.hasMemory())
      #expect(table.hasMemory())
    }
  }

  @Test func aFullTableAsksForOneOfTwiceThePlaces() {
    let set = Set(0..<Set<Int>(minimumCapacity: 6000).capacity)
    let table = Dictionary(uniqueKeysWithValues: set.map { ($0, $0) })
    limited(to: 2 * set.count * 8) { #expect(!set.hasMemory()) }
    limited(to: 2 * table.count * 16) { #expect(!table.hasMemory()) }
    limited(to: 1 << 20) {
      #expect(set.hasMemory())
      #expect(table.hasMemory())
    }
  }

  @Test func moreThanANumberCountsIsNotThere() {
    #expect(!SpareMemory.has(.max, of: 2))
    #expect(!SpareMemory.has(.max, of: 1))
    #expect(![UInt8](repeating: 0, count: 1).hasMemory(forMore: .max))
  }
}
