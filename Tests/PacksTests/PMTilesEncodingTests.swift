import Packs
import Testing
import TileSources

/// What is written is what the reader reads.
struct PMTilesEncodingTests {
  private typealias Entry = PMTilesDirectory.Entry

  @Test func aDirectoryReadsAsItWasWritten() throws {
    let entries = [
      Entry(id: 0, offset: 0, length: 10, run: 1), Entry(id: 5, offset: 10, length: 7, run: 300),
      Entry(id: 1 << 40, offset: 0, length: 10, run: 1),
      Entry(id: 1 << 41, offset: 1 << 33, length: 1 << 20, run: 0),
    ]
    let read = try PMTilesDirectory(PMTilesDirectory.encode(entries))
    #expect(read.entries == entries)
  }
}
