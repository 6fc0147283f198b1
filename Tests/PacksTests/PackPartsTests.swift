import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// The parts that readers and writers are made of.
struct PackPartsTests {
  @Test(arguments: [10, 100, 100_000])
  func recordsComeSortedHoweverLittleMemoryThereIs(_ inMemory: Int) throws {
    let folder = try TemporaryFolder()
    let sorter = RecordSorter(folder: folder.path, inMemory: inMemory)
    var numbers = SeededNumbers(11)
    var added: [RecordSorter.Record] = []
    for _ in 0..<5000 {
      let record = RecordSorter.Record(
        key: numbers.next() % 1000, a: numbers.next() % 5, b: numbers.next())
      added.append(record)
      try sorter.add(record)
    }
    var read: [RecordSorter.Record] = []
    while let record = try sorter.next() { read.append(record) }
    added.sort { ($0.key, $0.a, $0.b) < ($1.key, $1.a, $1.b) }
    #expect(read == added)
    let names = try PackTest.names(in: folder.path)
    #expect(names.isEmpty)
  }

  @Test func squaresAreTheTilesOfTheirStretch() {
    var numbers = SeededNumbers(5)
    for _ in 0..<200 {
      let first = numbers.next() % 20000
      let count = 1 + numbers.next() % 3000
      var found: [UInt64] = []
      HilbertSquares.each(first: first, count: count) { square in
        var inside: [UInt64] = []
        for y in square.y..<(square.y + square.side) {
          for x in square.x..<(square.x + square.side) {
            if let tile = TileID(z: square.z, x: x, y: y) {
              inside.append(HilbertID.number(of: tile))
            }
          }
        }
        inside.sort()
        #expect(inside.first == square.first)
        found += inside
      }
      #expect(found == Array(first..<(first + count)))
    }
  }

  @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
  func theHashIsSHA256(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var hash = SHA256()
    hash.update(Array(bytes.prefix(count / 3)))
    hash.update(Array(bytes.dropFirst(count / 3)))
    #expect(SHA256.text(hash.finish()) == sha256Hex(bytes))
  }

  @Test func boundsOfTilesAreThoseOfTheirDeepestLevel() throws {
    var tally = TileTally()
    let deep = try #require(TileID(z: 10, x: 500, y: 300))
    for level in 0...10 {
      let tile = try #require(deep.ancestor(atLevel: level))
      tally.add(first: HilbertID.number(of: tile), count: 1)
    }
    #expect(tally.bounds == GeoBounds(deep))
    #expect(tally.zooms == 0...10)
    // A statement that the tiles contradict is not kept.
    let far = GeoBounds(west: 100, south: -50, east: 110, north: -40)
    #expect(tally.bounds(stated: far) == GeoBounds(deep))
    let near = GeoBounds(west: -10, south: -80, east: 10, north: 80)
    #expect(tally.bounds(stated: near) == near)
  }

  @Test func theKindOfATargetIsToldByItsName() throws {
    let there = try TemporaryFolder()
    let kinds = try ["a/b.MBTiles", "b.pmtiles", "c/", there.path].map {
      try PackTarget.kind(of: $0)
    }
    #expect(kinds == [.mbtiles, .pmtiles, .folder, .folder])
    // A slip of the pen does not make a folder of a million files.
    for name in ["a.zip", "alps", there["alps"]] {
      let error = packError { try PackTarget.kind(of: name) }
      #expect(error?.isMisuse == true && error?.reason.contains(".pmtiles") == true)
    }
  }

  @Test func coverageIsAPicture() throws {
    let png = try CoveragePicture.draw(PackTest.osm) { _ in true }
    #expect(png.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }
}
