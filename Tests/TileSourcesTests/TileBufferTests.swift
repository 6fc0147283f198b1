import MapGeometry
import TestSupport
import Testing
import TileSources

@Test func whatIsReadIntoABufferIsTheTile() throws {
  let scratch = try Scratch()
  let writer = try Writer(scratch + "a.mbtiles")
  try writer.run(
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
      + "INSERT INTO tiles VALUES (0, 0, 0, x'89504e470d0a1a0a0102'), (1, 0, 0, x'ffd8ff03'), "
      + "(2, 0, 0, x'')")
  writer.close()
  let map = try source(scratch + "a.mbtiles")
  let buffer = TileBuffer()
  for (id, bytes) in [
    (TileID.world, pictureStart + [1, 2]), (tile(1, 0, 1), [0xff, 0xd8, 0xff, 3]),
  ] {
    #expect(try map.read(id, into: buffer))
    #expect([UInt8](buffer.bytes) == bytes)
    #expect(try map.tile(at: id) == bytes)
  }
  #expect(try !map.read(tile(1, 0, 0), into: buffer))
  let error = thrown(TileError.self) { try map.read(tile(2, 0, 3), into: buffer) }
  #expect(error?.reason == "the tile is empty: 0 bytes")
}

@Test func aBufferHoldsTheLastTileAloneAndKeepsItsRoom() {
  let buffer = TileBuffer()
  #expect(buffer.count == 0 && buffer.bytes.isEmpty)
  buffer.set([UInt8](repeating: 1, count: 1000))
  let (capacity, place) = (buffer.capacity, buffer.bytes.baseAddress)
  buffer.set([2, 3])
  #expect([UInt8](buffer.bytes) == [2, 3])
  #expect(buffer.capacity == capacity && buffer.bytes.baseAddress == place)
  buffer.set([])
  #expect(buffer.bytes.isEmpty)
  buffer.set([UInt8](repeating: 4, count: 5000))
  #expect(buffer.count == 5000 && buffer.bytes.allSatisfy { $0 == 4 })
}

@Test func anArchiveIsReadIntoABufferAsIntoAnArray() throws {
  let picture = pictureStart + [1, 2, 3]
  let zipped = gzipStored(picture)
  for (stored, compression) in [(picture, UInt8(1)), (zipped, 2), (picture, 2), (zipped, 0)] {
    var archive = Archive(
      root: Archive.directory([.init(id: 0, length: UInt64(stored.count), offset: 1)]),
      tiles: stored)
    archive.tileCompression = compression
    let map = try archive.open()
    let buffer = TileBuffer()
    #expect(try map.read(.world, into: buffer))
    #expect([UInt8](buffer.bytes) == picture)
    #expect(try map.tile(at: .world) == picture)
    #expect(try !map.read(tile(1, 0, 0), into: buffer))
  }
}

@Test func aVectorTileIsRefusedIntoABufferToo() throws {
  var archive = Archive(
    root: Archive.directory([.init(id: 0, length: 3, offset: 1)]), tiles: [1, 2, 3])
  archive.type = 1
  let map = try archive.open()
  let error = thrown(TileError.self) { try map.read(.world, into: TileBuffer()) }
  #expect(error?.reason.contains("vector tile") == true)
}

@Test func aStackFillsABufferFromTheFirstPackThatHasTheTile() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart + [1], to: "a/1/0/0.png")
  _ = try scratch.write(pictureStart + [2], to: "b/0/0/0.png")
  let map = try SourceSpec(name: "s", location: .paths([scratch + "a", scratch + "b"])).open()
  let buffer = TileBuffer()
  #expect(try map.read(.world, into: buffer))
  #expect([UInt8](buffer.bytes) == pictureStart + [2])
  #expect(try map.read(tile(1, 0, 0), into: buffer))
  #expect([UInt8](buffer.bytes) == pictureStart + [1])
  #expect(try !map.read(tile(1, 1, 1), into: buffer))
}
