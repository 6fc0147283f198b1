import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import TileSources

/// An MBTiles file whose only tile is `picture`.
private func write(_ path: String, _ picture: [UInt8], wal: Bool = false) throws {
  let writer = try Writer(path)
  defer { writer.close() }
  try writer.run(
    (wal ? "PRAGMA journal_mode=WAL;" : "")
      + "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
      + "tile_data BLOB); INSERT INTO tiles VALUES (0, 0, 0, x'"
      + picture.map { String(format: "%02x", $0) }.joined() + "')")
}

private func archive(_ picture: [UInt8]) -> [UInt8] {
  Archive(
    root: Archive.directory([.init(id: 0, length: UInt64(picture.count), offset: 1)]),
    tiles: picture
  ).bytes
}

@Suite struct ReplacedPackTests {
  @Test func aPackThatAnotherFileReplacedSaysSo() throws {
    let scratch = try Scratch()
    try write(scratch + "a.mbtiles", pictureStart)
    try write(scratch + "b.mbtiles", pictureStart + [1])
    _ = try scratch.write(archive(pictureStart), to: "a.pmtiles")
    _ = try scratch.write(archive(pictureStart + [1]), to: "b.pmtiles")
    for kind in ["mbtiles", "pmtiles"] {
      let path = scratch + "a.\(kind)"
      let map = try source(path)
      let stack = try SourceSpec(name: "s", location: .paths([path])).open()
      #expect(!map.isReplaced && !stack.isReplaced, "\(kind)")
      #expect(rename(scratch + "b.\(kind)", path) == 0)
      #expect(map.isReplaced && stack.isReplaced, "\(kind)")
      #expect(try source(path).tile(at: .world) == pictureStart + [1], "\(kind)")
    }
  }

  @Test func aPackThatIsGoneIsNotReplacedAndServesAgainWhenItIsBack() throws {
    let scratch = try Scratch()
    let path = scratch + "a.mbtiles"
    try write(path, pictureStart)
    let map = try source(path)
    #expect(try map.tile(at: .world) == pictureStart)
    #expect(rename(path, path + ".gone") == 0)
    let error = thrown(TileError.self) { try map.read(.world) }
    #expect(error?.isTransient == true)
    #expect(!map.isReplaced)
    #expect(rename(path + ".gone", path) == 0)
    #expect(try map.tile(at: .world) == pictureStart)
    #expect(!map.isReplaced)
  }

  @Test func aFolderThatIsGoneServesAgainWhenItIsBack() throws {
    let scratch = try Scratch()
    _ = try scratch.write(pictureStart, to: "map/0/0/0.png")
    let maps: [any TileSource] = [
      try source(scratch + "map"),
      try SourceSpec(name: "u", location: .url(scratch + "map/{z}/{x}/{y}.png")).open(),
    ]
    #expect(rename(scratch + "map", scratch + "gone") == 0)
    for map in maps {
      let error = thrown(TileError.self) { try map.read(.world) }
      #expect(error?.isTransient == true, "\(map.info.kind)")
    }
    #expect(rename(scratch + "gone", scratch + "map") == 0)
    for map in maps { #expect(try map.tile(at: .world) == pictureStart) }
  }

  @Test func whatIsBrokenIsNotTransient() throws {
    let scratch = try Scratch()
    _ = try scratch.write([], to: "map/0/0/0.png")
    let map = try source(scratch + "map")
    let error = thrown(TileError.self) { try map.read(.world) }
    #expect(error?.isTransient == false)
    let missing = thrown(SourceError.self) { try source(scratch + "none.mbtiles") }
    #expect(missing?.isTransient == true)
    _ = try scratch.write([1, 2, 3], to: "odd.mbtiles")
    let odd = thrown(SourceError.self) { try source(scratch + "odd.mbtiles") }
    #expect(odd?.isTransient == false)
  }

  @Test func aResultReadWhileTheFileChangedDoesNotCount() throws {
    let scratch = try Scratch()
    let path = scratch + "a.mbtiles"
    // In WAL mode and nobody writes: it is read as unchanging, without locks.
    try write(path, pictureStart, wal: true)
    let map = try MBTilesSource(path: path)
    var calls = 0
    let result = try map.reading { _ throws(PackFault) in
      calls += 1
      // Another time of change is enough.
      if calls == 1 {
        var times = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
        utimes(path, &times)
      }
      return calls
    }
    #expect(result == 2 && calls == 2)
  }
}
