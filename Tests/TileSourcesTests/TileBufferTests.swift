import Glibc
import MapGeometry
import Synchronization
import TestSupport
import Testing
import TileFormats
import TileSources

/// What `map` gives for `id`; nil: nothing.
private func given(at id: TileID, in map: any TileSource) throws -> TilePayload? {
  guard case .payload(let payload) = try map.read(id) else { return nil }
  return payload
}

@Test func whatIsReadIntoABufferIsTheTile() throws {
  let scratch = try Scratch()
  let writer = try Writer(scratch + "a.mbtiles")
  try writer.run(
    "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
      + "INSERT INTO tiles VALUES (0, 0, 0, x'89504e470d0a1a0a0102'), (1, 0, 0, x'ffd8ff03'), "
      + "(2, 0, 0, x'')")
  writer.close()
  let map = try source(scratch + "a.mbtiles")
  for (id, bytes, format) in [
    (TileID.world, pictureStart + [1, 2], TileFormat.png),
    (tile(1, 0, 1), [0xff, 0xd8, 0xff, 3], .jpeg),
  ] {
    let payload = try #require(try given(at: id, in: map))
    #expect([UInt8](payload.bytes) == bytes)
    #expect(payload.format == format)
    #expect(try map.tile(at: id) == bytes)
  }
  #expect(try given(at: tile(1, 0, 0), in: map) == nil)
  let error = thrown(TileError.self) { try map.read(tile(2, 0, 3)) }
  #expect(error?.reason == "the tile is empty: 0 bytes")
}

/// More bytes than any address space has, and more than a number can count with some to spare.
@Test(arguments: [1 << 60, Int.max]) func withoutMemoryThereIsAFaultThatMayPass(count: Int) throws {
  var buffer = TileBuffer()
  buffer.set([1, 2, 3])
  var fault: PackFault?
  do { _ = try buffer.reserve(count) } catch { fault = error }
  #expect(fault?.isTransient == true)
  #expect(fault?.reason.contains("no memory") == true)
  let (held, capacity) = (buffer.count, buffer.capacity)
  #expect(held == 0 && capacity == 0)
  // Memory that is there again is used.
  buffer.set([4, 5])
  let bytes = [UInt8](buffer.bytes)
  #expect(bytes == [4, 5])
}

@Test func aFileForWhichThereIsNoMemoryIsAnError() throws {
  let scratch = try Scratch()
  let path = scratch + "sparse"
  let fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
  try #require(fd >= 0)
  defer { close(fd) }
  // 7 TiB, of which none is on the disk.
  let size = 7 << 40
  guard ftruncate(fd, off_t(size)) == 0 else { return }
  let reader = try FileReader(path: path)
  var buffer = TileBuffer()
  var fault: PackFault?
  do { try reader.read(at: 0, count: size, into: &buffer) } catch { fault = error }
  #expect(fault?.isTransient == true)
}

@Test func aBufferHoldsTheLastTileAloneAndKeepsItsRoom() {
  var buffer = TileBuffer()
  let (start, isEmpty) = (buffer.count, buffer.bytes.isEmpty)
  #expect(start == 0 && isEmpty)
  buffer.set([UInt8](repeating: 1, count: 1000))
  let (capacity, place) = (buffer.capacity, buffer.bytes.baseAddress)
  buffer.set([2, 3])
  let bytes = [UInt8](buffer.bytes)
  #expect(bytes == [2, 3])
  let (later, laterPlace) = (buffer.capacity, buffer.bytes.baseAddress)
  #expect(later == capacity && laterPlace == place)
  buffer.set([])
  let isEmptyAgain = buffer.bytes.isEmpty
  #expect(isEmptyAgain)
  buffer.set([UInt8](repeating: 4, count: 5000))
  let large = [UInt8](buffer.bytes)
  #expect(large == [UInt8](repeating: 4, count: 5000))
}

@Test func aPayloadKeepsItsBytesWhateverTheBufferIsFilledWithNext() {
  var buffer = TileBuffer()
  buffer.set(pictureStart + [1])
  let first = buffer.payload()
  buffer.set(pictureStart + [2])
  let second = buffer.payload()
  #expect([UInt8](first.bytes) == pictureStart + [1])
  #expect([UInt8](second.bytes) == pictureStart + [2])
  #expect(first.format == .png)
}

@Test func memoryIsUsedAgainOnlyWhenNoCopyOfThePayloadIsLeft() {
  var buffer = TileBuffer()
  buffer.set(pictureStart)
  let place = buffer.bytes.baseAddress
  buffer.reuse(buffer.payload())
  let capacity = buffer.capacity
  #expect(capacity >= pictureStart.count)
  buffer.set([1])
  #expect(buffer.bytes.baseAddress == place)
  let payload = buffer.payload()
  buffer.reuse(payload)
  let nothing = buffer.capacity
  #expect(nothing == 0)
  buffer.set([2])
  #expect([UInt8](payload.bytes) == [1])
}

@Test func aRetryRunsEachActionOnceBeforeOrAfterItFires() {
  let retry = TileRetry()
  let count = Mutex(0)
  retry.whenFired { count.withLock { $0 += 1 } }
  #expect(!retry.hasFired && count.withLock { $0 } == 0)
  retry.fire()
  retry.fire()
  #expect(retry.hasFired && count.withLock { $0 } == 1)
  retry.whenFired { count.withLock { $0 += 1 } }
  #expect(count.withLock { $0 } == 2)
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
    let payload = try #require(try given(at: .world, in: map))
    #expect([UInt8](payload.bytes) == picture && payload.format == .png)
    #expect(try given(at: tile(1, 0, 0), in: map) == nil)
  }
}

@Test func aVectorTileTravelsUnpackedWithItsFormat() throws {
  let layer: [UInt8] = [0x1a, 4, 0x0a, 2, 0x61, 0x62]
  let zipped = gzipStored(layer)
  for (stored, compression, type) in [(layer, UInt8(1), UInt8(1)), (zipped, 2, 1), (zipped, 0, 0)] {
    var archive = Archive(
      root: Archive.directory([.init(id: 0, length: UInt64(stored.count), offset: 1)]),
      tiles: stored)
    archive.tileCompression = compression
    archive.type = type
    let payload = try #require(try given(at: .world, in: try archive.open()))
    #expect(payload.format == .mvt && [UInt8](payload.bytes) == layer)
  }
  // What the header declares counts where the bytes show nothing.
  var odd = Archive(
    root: Archive.directory([.init(id: 0, length: 3, offset: 1)]), tiles: [1, 2, 3])
  odd.type = 1
  #expect(try given(at: .world, in: try odd.open())?.format == .mvt)
}

@Test func aStackFillsABufferFromTheFirstPackThatHasTheTile() throws {
  let scratch = try Scratch()
  _ = try scratch.write(pictureStart + [1], to: "a/1/0/0.png")
  _ = try scratch.write(pictureStart + [2], to: "b/0/0/0.png")
  let map = try SourceSpec(name: "s", location: .paths([scratch + "a", scratch + "b"])).open()
  #expect(try map.tile(at: .world) == pictureStart + [2])
  #expect(try map.tile(at: tile(1, 0, 0)) == pictureStart + [1])
  #expect(try map.tile(at: tile(1, 1, 1)) == nil)
}
