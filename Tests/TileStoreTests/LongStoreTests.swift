import Foundation
import MapGeometry
import Synchronization
import TestSupport
import Testing

@testable import TileStore

/// Minutes of it: `make test-long`.
@Suite(.enabled(if: getenv("WAYPOST_LONG_TESTS") != nil, "skipped: WAYPOST_LONG_TESTS is not set"))
struct LongStoreTests {
  @Test func fiftyThousandTilesStayUnderTheLimit() throws {
    let limit = 128 << 20
    let new = try StoreCase(limit: limit)
    let store = new.open()
    let path = new.path
    let largest = Mutex(0)
    store.betweenSteps { largest.withLock { $0 = max($0, sizeOfStore(path)) } }
    var random = SeededNumbers(5)
    var bytesKept = 0
    let begin = Date()
    for number in 0..<50_000 {
      let size = 2000 + random.integer(0...26_000)
      bytesKept += size
      if store.keep(stored(number, size), for: numbered(number)) { store.write() }
      // Most people look at the same places again.
      if random.integer(0...3) == 0 { _ = store.tile(numbered(random.integer(0...number))) }
    }
    store.write()
    let peak = largest.withLock { $0 }
    #expect(peak <= limit)
    store.close()
    #expect(ask(new.path, "PRAGMA integrity_check") == "ok")
    let count = ask(new.path, "SELECT count(*) FROM tiles")
    print(
      "50000 tiles, \(bytesKept >> 20) MiB, in \(Int(Date().timeIntervalSince(begin))) s: "
        + "largest \(peak) of \(limit) bytes, \(count) kept, "
        + "\(store.writtenBytes() >> 20) MiB written")
  }
}
