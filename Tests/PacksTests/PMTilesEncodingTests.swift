import MapGeometry
import Packs
import TestSupport
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

  @Test func theRootStaysWithinItsLimitAndLeavesHoldTheRest() throws {
    // Lengths that do not compress, so that leaves have to grow.
    var numbers = SeededNumbers(1)
    var offset: UInt64 = 0
    var entries: [Entry] = []
    for id in 0..<200_000 as Range<UInt64> {
      let length = UInt32(truncatingIfNeeded: numbers.next()) & 0xf_ffff | 1
      entries.append(Entry(id: id * 3, offset: offset, length: length, run: 1))
      offset += UInt64(length) + 1
    }
    var leaves: [[UInt8]] = []
    let tree = PMTilesDirectories.encode(
      count: entries.count, part: { Array(entries[$0]) }, restart: { leaves = [] },
      write: { leaves.append($0) })
    #expect(tree.root.count <= 16384 - 127)
    #expect(tree.leaves == leaves.count)
    #expect(tree.leafBytes == UInt64(leaves.reduce(0) { $0 + $1.count }))
    let root = try PMTilesDirectory(Unpacking.unpack(tree.root, .gzip, limit: 1 << 20))
    let bytes = leaves.flatMap { $0 }
    var read: [Entry] = []
    for pointer in root.entries {
      let range = Int(pointer.offset)..<(Int(pointer.offset) + Int(pointer.length))
      let leaf = try Unpacking.unpack(Array(bytes[range]), .gzip, limit: 8 << 20)
      let inside = try PMTilesDirectory(leaf).entries
      #expect(pointer.run == 0 && inside.first?.id == pointer.id)
      read += inside
    }
    #expect(read == entries)
  }

  @Test func aHeaderReadsAsItWasWritten() throws {
    let folder = try TemporaryFolder()
    let writer = try PMTilesWriter(target: folder["a.pmtiles"])
    var description = PackDescription()
    description.bounds = GeoBounds(west: -10.5, south: -20, east: 30.25, north: 40)
    description.center = GeoPoint(lat: 1.5, lon: -2.25)
    description.centerZoom = 1
    description["name"] = .text("A \"name\"\n")
    description["vector_layers"] = .json("[{\"id\":\"a\"}]")
    let png = try PackTest.bytes(of: TestData.fixtures + "/tiles/osm/3/4/2.png")
    try PackTest.write([(1, png), (2, png), (4, png), (5, png + [0])], into: writer, description)
    let reader = try PMTilesReader(path: folder["a.pmtiles"])
    let header = reader.header
    #expect(header.bounds == description.bounds)
    #expect(header.center == description.center && header.centerZoom == 1)
    #expect(header.minZoom == 1 && header.maxZoom == 2)
    #expect(header.tileType == 2 && header.tileCompression == .none && header.isClustered)
    #expect(header.addressedTiles == 4 && header.tileEntries == 3 && header.tileContents == 2)
    #expect(reader.description.text("name") == "A \"name\"\n")
    #expect(reader.description["vector_layers"] == .json("[{\"id\":\"a\"}]"))
  }
}
