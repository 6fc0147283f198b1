import CSQLite
import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing

@testable import TileSources

/// What lies beside a pack, or in its place, is looked at before it is opened: SQLite would wait
/// for the other end of a FIFO, and follow a link.
@Suite struct PackCompanionTests {
  /// A pack in a mode of SQLite's, without a file beside it.
  private func pack(_ scratch: Scratch, _ name: String, mode: String) throws -> String {
    _ = try scratch.write([], to: name)
    let writer = try Writer(scratch + name)
    defer { writer.close() }
    try writer.run(
      "PRAGMA journal_mode=\(mode); CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, "
        + "tile_row INTEGER, tile_data BLOB); INSERT INTO tiles VALUES (0, 0, 0, "
        + "x'89504e470d0a1a0a')")
    return scratch + name
  }

  /// What `body` answers on a thread of its own; "hangs" where it waits for a writer of `fifo`, and
  /// then it is let go.
  private func answer(_ fifo: String, _ body: @escaping @Sendable () -> String) -> String {
    let answer = Gate<String?>(nil)
    let runs = startThread(named: "reader") {
      let text = body()
      answer.locked { $0 = text }
    }
    if !runs { return "no thread" }
    for _ in 0..<10_000 {
      if let text = answer.locked({ $0 }) { return text }
      usleep(1000)
    }
    let writer = open(fifo, O_RDWR | O_NONBLOCK)
    while answer.locked({ $0 == nil }) { usleep(1000) }
    close(writer)
    return "hangs"
  }

  @Test(arguments: ["-wal", "-shm", "-journal"])
  func aFIFOBesideAPackIsRefusedInsteadOfWaitedFor(suffix: String) throws {
    let scratch = try Scratch()
    let path = try pack(scratch, "a.mbtiles", mode: suffix == "-journal" ? "delete" : "wal")
    if suffix == "-wal" { _ = try scratch.write([0], to: "a.mbtiles-shm") }
    if suffix == "-shm" { _ = try scratch.write([0], to: "a.mbtiles-wal") }
    let fifo = path + suffix
    try #require(mkfifo(fifo, 0o600) == 0)
    let text = answer(fifo) { refusal(path) }
    #expect(text.contains("a file \(suffix) beside it that is not a regular file"), "\(text)")
  }

  @Test func aFIFOThatComesBesideAnOpenPackIsNotWaitedForEither() throws {
    let scratch = try Scratch()
    let path = try pack(scratch, "a.mbtiles", mode: "delete")
    let fifo = path + "-journal"
    let text = answer(fifo) {
      do {
        let map = try source(path)
        guard refusal(map, .world) == "read", mkfifo(fifo, 0o600) == 0 else { return "no FIFO" }
        return refusal(map, .world)
      } catch {
        return "\(error)"
      }
    }
    #expect(text.contains("a.mbtiles: tile 0/0/0: ") || text == "read", "\(text)")
  }

  /// Whether anything opened `path` while `body` ran.
  private func isOpened(_ path: String, by body: () -> Void) throws -> Bool {
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    try #require(watch >= 0)
    defer { close(watch) }
    try #require(inotify_add_watch(watch, path, UInt32(IN_OPEN)) >= 0)
    body()
    // An event is there before the call that caused it returns.
    var descriptor = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  @Test func whatIsNoRegularFileIsNotEvenOpened() throws {
    let scratch = try Scratch()
    let fifo = scratch + "a.mbtiles"
    try #require(mkfifo(fifo, 0o600) == 0)
    var text = ""
    #expect(try !isOpened(fifo) { text = refusal(fifo) })
    #expect(text.contains("is not a regular file"), "\(text)")
    // A tile of a folder likewise.
    mkdir(scratch + "0", 0o700)
    mkdir(scratch + "0/0", 0o700)
    try #require(mkfifo(scratch + "0/0/0.png", 0o600) == 0)
    let map = try SourceSpec(name: "s", location: .url("file://\(scratch.path)/{z}/{x}/{y}.png"))
      .open()
    #expect(try !isOpened(scratch + "0/0/0.png") { text = refusal(map, .world) })
    #expect(text.contains("is not a regular file"), "\(text)")
    // The watch sees what is opened.
    let file = try scratch.write([1], to: "file")
    #expect(try isOpened(file) { text = refusal(file) })
  }
}

/// A confined pack leads nowhere else, and does not tell what lies there.
@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct ConfinedPackTests {
  private let scratch: Scratch
  private var root: String { scratch + "root" }

  init() throws {
    scratch = try Scratch()
    _ = try scratch.write([1, 2, 3], to: "secret")
  }

  private func pack(_ name: String, mode: String) throws -> String {
    let path = try scratch.write([], to: name)
    let writer = try Writer(path)
    defer { writer.close() }
    try writer.run(
      "PRAGMA journal_mode=\(mode); CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, "
        + "tile_row INTEGER, tile_data BLOB); INSERT INTO tiles VALUES (0, 0, 0, "
        + "x'89504e470d0a1a0a')")
    return path
  }

  private func confined(_ path: String) throws(SourceError) -> MBTilesSource {
    try MBTilesSource(path: path, trust: .beneath([root]))
  }

  @Test func aWALThatLeadsOutIsRefused() throws {
    let path = try pack("root/a.mbtiles", mode: "wal")
    _ = try scratch.write([UInt8](repeating: 0, count: 32768), to: "root/a.mbtiles-shm")
    symlink("../secret", path + "-wal")
    let error = thrown(SourceError.self) { try confined(path) }
    #expect(error?.reason.contains("leads out of \(root)") == true, "\(error?.reason ?? "")")
  }

  /// SQLite's result for opening `path` to read it, on this thread.
  private func opening(_ path: String) -> Int32 {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    return sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil)
  }

  @Test func sqliteOpensNothingOutsideWhileAConfinedPackIsRead() throws {
    let outside = try pack("b.mbtiles", mode: "delete")
    let link = root + "/link.mbtiles"
    let map = try confined(try pack("root/a.mbtiles", mode: "delete"))
    symlink("../b.mbtiles", link)
    let codes = try map.reading { _ in [opening(outside), opening(link)] }
    #expect(codes == [SQLITE_CANTOPEN, SQLITE_CANTOPEN])
    // Afterwards the thread is free again, also where reading failed.
    #expect(opening(link) == SQLITE_OK)
    _ = try? map.reading { _ throws(PackFault) -> Int in throw PackFault("x") }
    #expect(opening(link) == SQLITE_OK)
    let free = try MBTilesSource(path: outside)
    #expect(try free.reading { _ in opening(link) } == SQLITE_OK)
  }

  /// What a pack answers, the file `name` of which is a link to `target`; swapped once it is open
  /// where it is the pack itself.
  private func answers(_ name: String, mode: String, target: String) throws -> [String] {
    let folder = root + "/" + UUID().uuidString
    let path = try pack("root/a.mbtiles", mode: mode)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: path, toPath: folder + "/a.mbtiles")
    let (moved, link) = (folder + "/a.mbtiles", folder + "/a.mbtiles" + name)
    let map = try confined(moved)
    var answers = [refusal(map, .world)]
    if name.isEmpty { unlink(moved) }
    symlink(scratch + target, link)
    answers.append(refusal(map, .world))
    var spec = SourceSpec(name: "s", location: .path(moved))
    spec.trust = .beneath([root])
    do {
      answers.append(refusal(try spec.open(), .world))
    } catch {
      answers.append("\(error)")
    }
    return answers.map { $0.replacingOccurrences(of: folder, with: "") }
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal"], ["delete", "wal"])
  func aLinkOutTellsNotWhetherThereIsAFile(name: String, mode: String) throws {
    let there = try answers(name, mode: mode, target: "secret")
    let absent = try answers(name, mode: mode, target: "nothing")
    #expect(there == absent)
    #expect(there.first == "read")
  }
}
