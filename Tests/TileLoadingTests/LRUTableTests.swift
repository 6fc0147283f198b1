import MapGeometry
import TestSupport
import Testing

@testable import TileLoading

@Suite struct LRUTableTests {
  @Test func aHundredThousandStepsAreThoseOfAPlainList() {
    var numbers = SeededNumbers(1)
    var table = LRUTable(capacity: 16)
    // Most recently used first.
    var order: [UInt64] = []
    var slots: [UInt64: Int32] = [:]
    var wrong = 0
    for step in 0..<100_000 {
      // Keys as tiles have them, so close together that runs of buckets form and shift.
      let key = UInt64(numbers.integer(0...300)) << (step % 2 == 0 ? 0 : 24)
      let slot = table.find(key)
      if slot != slots[key] ?? -1 { wrong += 1 }
      // Now more are added, now more are taken away.
      let growing = step / 5000 % 2 == 0
      switch numbers.integer(0...9) {
      case 0..<(growing ? 5 : 2):
        if slot < 0 {
          slots[key] = table.insert(key)
          order.insert(key, at: 0)
        }
      case 5..<(growing ? 6 : 9):
        if slot >= 0 {
          table.remove(slot)
          slots[key] = nil
          order.removeAll { $0 == key }
        }
      default:
        if slot >= 0 {
          table.touch(slot)
          order.removeAll { $0 == key }
          order.insert(key, at: 0)
        }
      }
      if table.count != order.count { wrong += 1 }
      if step % 97 == 0 {
        var listed: [UInt64] = []
        var slot = table.tail
        while slot >= 0 {
          listed.append(table.key(slot))
          slot = table.newer(slot)
        }
        if listed != order.reversed() { wrong += 1 }
        for (key, slot) in slots where table.find(key) != slot { wrong += 1 }
        if (table.head < 0) != order.isEmpty { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(table.capacity >= 128)
  }

  @Test func aSlotStaysTheSameUntilItIsRemoved() {
    var table = LRUTable(capacity: 16)
    let first = table.insert(1)
    for key in 2...5000 as ClosedRange<UInt64> { _ = table.insert(key) }
    #expect(table.find(1) == first && table.key(first) == 1 && table.count == 5000)
    #expect(table.tail == first)
  }

  @Test func sourcesTilesAndQuietCellsHaveKeysOfTheirOwn() throws {
    var keys = Set<UInt64>()
    for source in [0, 1, 2047] {
      #expect(keys.insert(TileKey(quietCellOf: source).raw).inserted)
      #expect(TileKey(quietCellOf: source).tile == nil)
      #expect(TileKey(quietCellOf: source).source == source)
      for z in 0...24 {
        let tile = try #require(TileID(z: z, x: (1 << z) - 1, y: (1 << z) / 3))
        let key = TileKey(source: source, tile: tile)
        #expect(keys.insert(key.raw).inserted)
        #expect(key.source == source && key.tile == tile)
      }
    }
  }
}

@Suite struct MissingTilesTests {
  private func key(_ n: Int, source: Int = 0) throws -> TileKey {
    TileKey(source: source, tile: try #require(TileID(z: 20, x: n, y: 5)))
  }

  @Test func noMoreThanTheBoundAreRememberedAndTheOldestGoFirst() throws {
    let missing = MissingTiles()
    for n in 0..<MissingTiles.capacity {
      missing.insert(try key(n), .init(ancestorLevel: n % 20, failed: n % 3 == 0))
    }
    #expect(missing.count == MissingTiles.capacity)
    #expect(missing.find(try key(0)) == .init(ancestorLevel: 0, failed: true))
    // 0 was used, 1 is the oldest; 2 is noted again.
    missing.insert(try key(2), .init(ancestorLevel: nil, failed: false))
    for n in 0..<100 {
      missing.insert(try key(100_000 + n), .init(ancestorLevel: nil, failed: false))
    }
    #expect(missing.count == MissingTiles.capacity)
    #expect(missing.find(try key(0)) != nil)
    #expect(missing.find(try key(1)) == nil)
    #expect(missing.find(try key(2)) == .init(ancestorLevel: nil, failed: false))
    #expect(missing.find(try key(101)) == nil)
    #expect(missing.find(try key(103)) == .init(ancestorLevel: 3, failed: false))
  }

  @Test func oneSourceOrAllAreForgotten() throws {
    let missing = MissingTiles()
    for n in 0..<1000 {
      missing.insert(try key(n, source: n % 3), .init(ancestorLevel: n % 7, failed: false))
    }
    missing.forget(source: 1)
    for n in 0..<1000 {
      let known = missing.find(try key(n, source: n % 3))
      #expect(known == (n % 3 == 1 ? nil : .init(ancestorLevel: n % 7, failed: false)))
    }
    missing.forget()
    #expect(missing.count == 0)
    #expect(missing.find(try key(0)) == nil)
  }
}
