import Glibc
import TestSupport
import Testing

@testable import TileStore

struct StoreFactsTests {
  @Test func aFileThatIsBegunAnewIsToldOfTheArchiveToo() throws {
    let new = try StoreCase()
    let store = new.open()
    store.keep(archive: "what is known", facts: ["bounds": "1,2,3,4"])
    new.fill(store, 0..<10)
    for suffix in ["", "-wal", "-shm"] { unlink(new.path + suffix) }
    new.fill(store, 10..<20, at: 10)
    store.close(at: time(20))
    let again = new.open()
    #expect(again.archive(at: time(30)) == "what is known")
    #expect(again.tile(numbered(12), at: time(30)) != nil)
  }
}
