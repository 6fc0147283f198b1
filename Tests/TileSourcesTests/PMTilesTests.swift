import MapGeometry
import TestSupport
import Testing
import TileSources

private func one(_ data: [UInt8], id: UInt64 = 0) -> [UInt8] {
  Archive.directory([.init(id: id, length: UInt64(data.count), offset: 1)])
}

@Test func aDirectoryIsReadInEveryCompressionThatTheFormatNames() throws {
  let root = one(pictureStart)
  for (code, packed) in [
    (1, root), (2, gzipStored(root)), (3, brotliStored(root)), (4, zstdStored(root)),
  ] as [(UInt8, [UInt8])] {
    let archive = Archive(root: packed, tiles: pictureStart, directoryCompression: code)
    #expect(try archive.open().tile(at: .world) == pictureStart, "compression \(code)")
  }
}

@Test func aTileIsUnpackedInEveryCompressionThatTheFormatNames() throws {
  for (code, packed) in [
    (0, pictureStart), (0, gzipStored(pictureStart)), (1, pictureStart),
    (2, gzipStored(pictureStart)), (2, pictureStart), (3, brotliStored(pictureStart)),
    (4, zstdStored(pictureStart)),
  ] as [(UInt8, [UInt8])] {
    let archive = Archive(root: one(packed), tiles: packed, tileCompression: code)
    #expect(try archive.open().tile(at: .world) == pictureStart, "compression \(code)")
  }
}

@Test(arguments: [(UInt8(0), "does not say how"), (5, "in way 5"), (255, "in way 255")])
func anUnknownCompressionOfDirectoriesIsRefused(code: UInt8, reason: String) {
  let fault = thrown(PackFault.self) {
    try Archive(root: one(pictureStart), tiles: pictureStart, directoryCompression: code).open()
  }
  #expect(fault?.reason.contains(reason) == true)
}

@Test func compressedDataThatIsCutOffOrTooLargeIsAFault() throws {
  for (compression, data) in [
    (PackCompression.gzip, gzipStored(pictureStart)), (.brotli, brotliStored(pictureStart)),
    (.zstd, zstdStored(pictureStart)),
  ] {
    #expect(try Unpacking.unpack(data, compression, limit: 8) == pictureStart)
    let over = thrown(PackFault.self) {
      try Unpacking.unpack(data, compression, limit: 7)
    }
    #expect(over?.reason == "unpacks to more than 7 bytes")
    for count in 0..<data.count where compression != .gzip || count < data.count - 8 {
      #expect(throws: PackFault.self, "\(compression) cut at \(count)") {
        try Unpacking.unpack(Array(data[..<count]), compression, limit: 100)
      }
    }
  }
  #expect(throws: PackFault.self) { try Unpacking.unpack([1], .unknown, limit: 9) }
}

@Test func leavesAreFollowedToThreeBelowTheRootAndNoFurther() throws {
  // Each leaf leads to the next, which lies right after it; the last holds the tile.
  func nested(_ depth: Int) throws -> PMTilesSource {
    var leaf = one(pictureStart)
    var leaves = leaf
    var start = 0
    for _ in 1..<max(depth, 1) {
      leaf = Archive.directory([
        .init(id: 0, run: 0, length: UInt64(leaf.count), offset: UInt64(start) + 1)
      ])
      start = leaves.count
      leaves += leaf
    }
    let root = Archive.directory([
      .init(id: 0, run: 0, length: UInt64(leaf.count), offset: UInt64(start) + 1)
    ])
    return try Archive(root: root, leaves: leaves, tiles: pictureStart).open()
  }
  for depth in 1...3 { #expect(try nested(depth).tile(at: .world) == pictureStart) }
  #expect(refusal(try nested(4), .world).contains("more than 3 deep"))
}

@Test func aCircleOfLeavesEnds() throws {
  let circle = Archive.directory([.init(id: 0, run: 0, length: 5, offset: 1)])
  #expect(circle.count == 5)
  let source = try Archive(root: circle, leaves: circle).open()
  #expect(refusal(source, .world).contains("deep"))
}

@Test func offset0MeansAfterTheOneBeforeForLeavesToo() throws {
  let (a, b) = (pictureStart + [1], pictureStart + [2])
  let first = Archive.directory([.init(id: 0, length: 9, offset: 1)])
  let second = Archive.directory([
    .init(id: 1, length: 9, offset: 10), .init(id: 2, length: 9, offset: 1),
  ])
  let root = Archive.directory([
    .init(id: 0, run: 0, length: UInt64(first.count), offset: 1),
    .init(id: 1, run: 0, length: UInt64(second.count), offset: 0),
  ])
  let source = try Archive(root: root, leaves: first + second, tiles: a + b).open()
  #expect(try source.tile(at: .world) == a)
  #expect(try source.tile(at: tile(1, 0, 0)) == b)
  #expect(try source.tile(at: tile(1, 0, 1)) == a)
  #expect(try source.tile(at: tile(1, 1, 1)) == nil)
}

@Test func aRunCoversItsTilesAndNoMore() throws {
  let root = Archive.directory([.init(id: 1, run: 3, length: 8, offset: 1)])
  let source = try Archive(root: root, tiles: pictureStart).open()
  #expect(try source.tile(at: .world) == nil)
  for number in 1...3 as ClosedRange<UInt64> {
    let id = try #require(HilbertID.tile(number))
    #expect(try source.tile(at: id) == pictureStart)
    #expect(try source.contains(id))
  }
  #expect(try source.contains(tile(1, 1, 0)) == false)
}

@Test(
  arguments: [
    // Out of order; a first entry "after the one before"; a sum past 64 bits, of ids, of a run, of
    // an offset; a length of 33 bits; a number of 65 bits; more entries than bytes; cut off.
    [2, 5, 0, 1, 1, 1, 1, 1, 1],
    [1, 0, 1, 1, 0],
    [2, 1] + [UInt8](repeating: 0xff, count: 9) + [1, 1, 1, 1, 1, 1, 1],
    [1] + [UInt8](repeating: 0xff, count: 9) + [1, 1, 1, 1],
    [1, 0, 1, 2] + [UInt8](repeating: 0xff, count: 9) + [1],
    [1, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x10, 1],
    [1, 0, 1, 1] + [UInt8](repeating: 0xff, count: 9) + [2],
    [0xff, 0xff, 0x7f, 1, 1, 1],
    [1, 0, 1, 1],
    [],
  ] as [[UInt8]])
func aDamagedDirectoryIsAFaultAndNeverATrap(bytes: [UInt8]) {
  #expect(throws: PackFault.self) { try PMTilesDirectory(bytes) }
}

@Test func theFixturesOfTheReferenceImplementationsReadAsTheyShould() throws {
  let raster = try source(fixture("byte_png.pmtiles"))
  #expect(raster.info.kind == "pmtiles" && raster.info.format == "png")
  #expect((raster.info.minZoom, raster.info.maxZoom) == (9, 11))
  #expect(raster.info.tilePixels == 256)
  #expect(abs((raster.info.bounds?.west ?? 0) + 117.6420427) < 1e-9)
  #expect(abs((raster.info.center?.lat ?? 0) - 33.8970208) < 1e-9)
  #expect(raster.info.centerZoom == 9)
  #expect(raster.info.title == "byte_png")
  #expect(raster.problems.isEmpty)

  // Its centre lies on the other side of the world: it says nothing.
  #expect(try source(fixture("byte_webp.pmtiles")).info.center == nil)

  // Directories without compression, which readers that always unpack cannot open.
  let plain = try source(fixture("unclustered.pmtiles"))
  #expect(plain.info.minZoom == 1 && plain.info.maxZoom == 1)
}

@Test func everyTileOfLevel16OfTheLongestRunIsTheSame() throws {
  let archive = try PMTilesSource(path: fixture("run_length_max.pmtiles"))
  let last = (1 << 16) - 1
  for (x, y) in [(0, 0), (last, 0), (0, last), (last, last), (12345, 54321)] {
    let stored = try archive.storedTile(at: tile(16, x, y))
    #expect(
      sha256Hex(stored?.bytes ?? [])
        == "ec1888813e13abf5a77ae7c5e44ad6d5f23c55897cee86decebcbbbf46b1ead5")
  }
  for z in [15, 17] {
    for corner in [0, (1 << z) - 1] {
      #expect(try archive.storedTile(at: tile(z, corner, corner)) == nil)
      #expect(try archive.storedTile(at: tile(z, corner, 0)) == nil)
    }
  }
}

@Test func vectorTilesAreGivenWithTheirFormatAndNoPictures() throws {
  let vector = try source(fixture("test_fixture_1.pmtiles"))
  #expect(vector.info.format == "mvt")
  #expect(
    refusal(vector, .world) == "a vector tile (MVT) on a map of pictures (PNG, JPEG, WebP)")
}

@Test(arguments: [
  ("invalid.pmtiles", "does not begin like a PMTiles archive"),
  ("invalid_v4.pmtiles", "version 4: this version of Waypost reads version 3"),
])
func whatIsNoVersion3IsRefused(name: String, reason: String) {
  #expect(refusal(fixture(name)).hasPrefix(fixture(name)))
  #expect(refusal(fixture(name)).contains(reason))
}

@Test func olderVersionsAreRefusedWithTheCure() throws {
  let scratch = try Scratch()
  let old = try scratch.write(
    [0x50, 0x4d, 2, 0] + [UInt8](repeating: 0, count: 600), to: "a.pmtiles")
  #expect(refusal(old).contains("version 2: convert it to version 3 with 'pmtiles convert'"))
}

@Test func anArchiveThatIsCutOffOpensWithAProblemAndNamesTheLostTiles() throws {
  let whole = try bytes(of: fixture("byte_png.pmtiles"))
  let scratch = try Scratch()
  let cut = try source(scratch.write(Array(whole.dropLast(10)), to: "cut.pmtiles"))
  #expect(cut.problems.first?.reason.contains("cut off") == true)
  #expect(try cut.tile(at: tile(9, 88, 204)) != nil)
  #expect(refusal(cut, tile(11, 354, 818)).contains("is it cut off?"))
}

/// As tilemaker 3.0 writes it: the length of the tiles is 0 minus their offset.
@Test func anArchiveWhoseHeaderHasALengthBelowZeroIsNotTakenForCutOff() throws {
  var whole = try bytes(of: fixture("byte_png.pmtiles"))
  let offset = whole[56..<64].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  withUnsafeBytes(of: (0 &- offset).littleEndian) { whole.replaceSubrange(64..<72, with: $0) }
  let scratch = try Scratch()
  let archive = try source(scratch.write(whole, to: "below.pmtiles"))
  #expect(archive.problems.isEmpty)
  #expect(try archive.tile(at: tile(9, 88, 204)) != nil)
}

@Test func rowsFromTheSouthAreTurnedAroundWhereTheConfigurationSaysSo() throws {
  let root = Archive.directory([.init(id: 1, length: 8, offset: 1)])
  let archive = Archive(root: root, tiles: pictureStart)
  let source = try PMTilesSource(ArrayReader(archive.bytes), name: "a", scheme: .tms)
  #expect(try source.tile(at: tile(1, 0, 1)) == pictureStart)
  #expect(try source.tile(at: tile(1, 0, 0)) == nil)
}

@Test func aDirectoryFindsWhatALookAtEachEntryFinds() throws {
  var seed: UInt64 = 7
  func random(_ below: UInt64) -> UInt64 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (seed >> 33) % below
  }
  for count in [0, 1, 2, 3, 17, 100] {
    // Without gaps, with few, with many.
    for gap in [UInt64(1), 2, 9] {
      var rows: [Archive.Row] = []
      var id = random(5)
      for _ in 0..<count {
        let run = random(3)
        rows.append(.init(id: id, run: run, length: 1, offset: 1))
        id += max(run, 1) + random(gap)
      }
      let directory = try PMTilesDirectory(Archive.directory(rows))
      for number in 0..<id + 3 {
        let last = directory.entries.last { $0.id <= number }
        let covers = last.map { $0.run == 0 || number < $0.id + UInt64($0.run) } ?? false
        #expect(directory.entry(for: number) == (covers ? last : nil))
      }
    }
  }
}

@Test func thePixelsOfAPacksTilesAreThoseOfItsFirstTile() throws {
  #expect(try source(fixture("byte_png.pmtiles")).info.tilePixels == 256)
  #expect(try source(fixture("byte_webp.pmtiles")).info.tilePixels == 256)
  #expect(try source(fixture("world_l1.mbtiles")).info.tilePixels == 256)
}
