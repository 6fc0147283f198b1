import Testing

@testable import VectorPainting

/// Tuples have numbers whatever their hashes, and no tile can choose tuples of one hash.
@Suite struct TupleTableTests {
  private func with<R>(_ words: [UInt32], _ body: (UnsafeMutableBufferPointer<UInt32>) -> R) -> R {
    var words = words
    return words.withUnsafeMutableBufferPointer { body($0) }
  }

  @Test func equalTuplesHaveOneNumberAndOthersNone() {
    var table = TupleTable(width: 2)
    for number in 0..<2000 as Range<UInt32> {
      with([number, number &* 7]) { table.insert($0, number: number + 1) }
    }
    for number in 0..<2000 as Range<UInt32> {
      #expect(with([number, number &* 7]) { table.find($0) } == number + 1)
    }
    #expect(with([1, 8]) { table.find($0) } == nil)
  }

  @Test func tuplesThatShareASlotWithOneSeedDoNotWithAnother() {
    func slot(_ word: UInt32, _ seed: UInt64) -> UInt64 {
      TupleTable.hash([word, 5], seed: seed) & 255
    }
    // What a hostile tile would be made of, if it knew the seed.
    let chosen = (0..<200_000 as Range<UInt32>).filter { slot($0, 1) == 17 }
    #expect(chosen.count > 300)
    let others = Set(chosen.map { slot($0, 0x9E37_79B9_7F4A_7C15) })
    #expect(others.count > 100)
  }

  @Test func eachProcessHasASeed() {
    #expect(TupleTable.seed != 0)
  }
}
