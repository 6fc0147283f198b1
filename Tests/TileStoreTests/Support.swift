import CSQLite
import Foundation
import MapGeometry
import TestSupport
import TileSources

@testable import TileStore

/// A time that tests move.
func time(_ steady: Int64) -> StoreTime { StoreTime(wall: 1_700_000_000 + steady, steady: steady) }

func tile(_ z: Int, _ x: Int, _ y: Int) -> TileID { TileID(z: z, x: x, y: y) ?? .world }

/// The tile with that number, of a level that has 65,536.
func numbered(_ number: Int) -> TileID { tile(8, number % 256, number / 256 % 256) }

/// Bytes that look like a PNG and differ from tile to tile.
func bytes(_ number: Int, _ count: Int = 8000) -> [UInt8] {
  let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("\(number) ".utf8)
  return start + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count - start.count)
}

func stored(_ number: Int, _ count: Int = 8000, expires: Int64 = 1_700_100_000) -> TileStore.Tile {
  TileStore.Tile(bytes: bytes(number, count), tag: "\"\(number)\"", expires: expires, variant: 1)
}

/// A store, and the folder that it is in.
struct StoreCase {
  let folder: TemporaryFolder
  var options: TileStore.Options
  var path: String { options.path }

  init(limit: Int = 64 << 20, hourly: Int = 1 << 40) throws {
    folder = try TemporaryFolder()
    options = TileStore.Options(
      path: folder["s.mbtiles"], limit: limit, title: "a map", attribution: "© me")
    options.hourlyLimit = hourly
  }

  func open() -> TileStore { TileStore(options) }

  /// Keeps tiles, and writes each batch as it is due.
  func fill(_ store: TileStore, _ numbers: Range<Int>, size: Int = 8000, at steady: Int64 = 0) {
    for number in numbers
    where store.keep(stored(number, size), for: numbered(number), at: time(steady)) {
      store.write(at: time(steady))
    }
    store.write(at: time(steady))
  }

  /// Bytes of the file and of its log.
  var size: Int { sizeOfStore(path) }
}

/// Bytes of the store at `path` and of its log.
func sizeOfStore(_ path: String) -> Int {
  ["", "-wal"].reduce(0) { sum, suffix in
    var status = stat()
    return stat(path + suffix, &status) == 0 ? sum + Int(status.st_size) : sum
  }
}

/// The first column of the first row.
func ask(_ path: String, _ sql: String) -> String {
  var connection: OpaquePointer?
  guard sqlite3_open(path, &connection) == SQLITE_OK else { return "cannot be opened" }
  defer { sqlite3_close(connection) }
  var statement: OpaquePointer?
  sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
  defer { sqlite3_finalize(statement) }
  guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else {
    return String(cString: sqlite3_errmsg(connection))
  }
  return String(cString: text)
}

/// Another user, who may read the files of this one, but not write them.
enum Stranger {
  private typealias SetUser = @convention(c) (UInt32) -> Int32

  /// setfsuid(2), which is for the calling thread only.
  private static let setUser: SetUser? =
    dlsym(UnsafeMutableRawPointer(bitPattern: 0), "setfsuid").map {
      unsafeBitCast($0, to: SetUser.self)
    }

  /// Whether this process may take that user's rights.
  static var isPossible: Bool {
    guard geteuid() == 0, let setUser else { return false }
    _ = setUser(65_534)
    // The answer is the user before.
    return setUser(0) == 65_534
  }

  /// Runs `body`, which stays on its thread, with that user's rights.
  static func during(_ body: () -> Void) {
    _ = setUser?(65_534)
    body()
    _ = setUser?(0)
  }
}
