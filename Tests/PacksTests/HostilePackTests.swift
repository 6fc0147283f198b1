import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// Packs that are broken, or made to break what reads them, end in a message or a report.
struct HostilePackTests {
  /// Whether all kinds of work on a pack end, whatever comes of them. Half a million tiles in a
  /// small file are bounded, but take long: work stops before.
  private func workOn(
    _ path: String, _ works: [String] = ["survey", "verify", "convert"]
  ) throws {
    let folder = try TemporaryFolder()
    let report: WorkReport = { $0.done < 5000 || $0.done == $0.total }
    for work in works {
      do {
        switch work {
        case "survey": _ = try PackSurvey.run(path, report: report)
        case "verify": _ = try PackVerifier.run(path, report: report)
        default:
          let copy = try PackCopy([path], to: .pmtiles)
          let writer = try PMTilesWriter(target: folder["out.pmtiles"])
          _ = try copy.run(into: writer, what: "test", report: report)
        }
      } catch {
        #expect(!error.reason.isEmpty, "\(path)")
      }
    }
    let left = try PackTest.names(in: folder.path)
    #expect(left.isEmpty || left == ["out.pmtiles"], "\(path)")
  }

  @Test func everyFixtureEnds() throws {
    for name in try PackTest.names(in: PackTest.packs) where name != "README.md" {
      if name == "run_length_max.pmtiles" { continue }
      try workOn(PackTest.packs + "/" + name)
    }
  }

  @Test(.enabled(if: TestData.large != nil, "the large data set is not there"))
  func everyHostilePackEnds() throws {
    // One kind of work reads all that the others do.
    for path in try PackTest.large("hostile", [".pmtiles", ".mbtiles"]) {
      try workOn(path, ["verify"])
    }
    for folder in ["mbtiles", "pmtiles"] {
      for path in try PackTest.large(folder, [".pmtiles", ".mbtiles"])
      where !path.contains("run_length_max") {
        // Large good ones go round elsewhere.
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if size ?? 0 < 200_000 { try workOn(path, ["verify"]) }
      }
    }
  }

  @Test func anArchiveCutOffAnywhereEnds() throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([PackTest.osm], to: folder["a.pmtiles"])
    let bytes = try PackTest.bytes(of: folder["a.pmtiles"])
    for count in [0, 1, 7, 126, 127, 128, 200, 16384, 20000, bytes.count - 1] {
      let path = folder["cut.pmtiles"]
      try Data(bytes.prefix(count)).write(to: URL(fileURLWithPath: path))
      var isGood = false
      do {
        isGood = try PackTest.verify(path).verification?.isGood == true
      } catch is PackError {}
      #expect(!isGood, "\(count) bytes")
    }
  }

  @Test func partsOfAnIndexThatCannotBeReadCountAsBroken() throws {
    let folder = try TemporaryFolder()
    try TilePacks.writePMTiles(
      MadePyramid.tiles(zooms: 0...5), to: folder["a.pmtiles"], leaf: 300)
    var bytes = try PackTest.bytes(of: folder["a.pmtiles"])
    let start = Int(try PMTilesReader(path: folder["a.pmtiles"]).header.leaves.offset)
    // The first leaf says that it has more entries than bytes.
    for index in start..<(start + 4) { bytes[index] = 0xff }
    try Data(bytes).write(to: URL(fileURLWithPath: folder["a.pmtiles"]))
    let result = try PackTest.convert([folder["a.pmtiles"]], to: folder["b.mbtiles"])
    #expect(result.broken == 1 && result.totals.addressed > 0)
  }

  @Test func ofMetadataWithManyMembersTheFirstAreTaken() throws {
    var description = PackDescription()
    let members = (0..<5000).map { "\"member \($0)\":\($0)" }.joined(separator: ",")
    #expect(throws: PackDescription.tooMany) {
      try description.addMembers(ofJSON: Array("{\(members)}".utf8))
    }
    #expect(description.values.count == PackDescription.mostValues)
    var other = PackDescription()
    let problems = other.add(rows: (0..<5000).map { ("row \($0)", "") } + [("json", "{}")])
    #expect(other.values.count == PackDescription.mostValues && problems.count == 1)
  }

  @Test func aPackWithoutAReadableTileReplacesNone() throws {
    let folder = try TemporaryFolder()
    let made = MadePyramid.tiles(zooms: 0...2)
    try TilePacks.writeMBTiles(made, to: folder["good.mbtiles"])
    let before = try PackTest.bytes(of: folder["good.mbtiles"])
    try TilePacks.writePMTiles(made, to: folder["a.pmtiles"])
    let reader = try PMTilesReader(path: folder["a.pmtiles"])
    let bytes = try PackTest.bytes(of: folder["a.pmtiles"])
    try Data(bytes[..<Int(reader.header.tiles.offset)])
      .write(to: URL(fileURLWithPath: folder["cut.pmtiles"]))
    let error = packError {
      try PackTest.convert([folder["cut.pmtiles"]], to: folder["good.mbtiles"], force: true)
    }
    #expect(error?.reason.contains("no tile that can be read") == true)
    #expect(try PackTest.bytes(of: folder["good.mbtiles"]) == before)
  }

  @Test func anArchiveWithAnyByteOfItsIndexChangedEnds() throws {
    let folder = try TemporaryFolder()
    try PackTest.convert([PackTest.osm], to: folder["a.pmtiles"])
    let bytes = try PackTest.bytes(of: folder["a.pmtiles"])
    var numbers = SeededNumbers(3)
    for _ in 0..<Emulation.rounds(60) {
      var changed = bytes
      for _ in 0..<3 {
        changed[numbers.next(0..<400)] = UInt8(truncatingIfNeeded: numbers.next())
      }
      let path = folder["changed.pmtiles"]
      try Data(changed).write(to: URL(fileURLWithPath: path))
      do { _ = try PackTest.verify(path) } catch is PackError {}
    }
  }

  @Test func anIndexThousandsOfTimesLargerThanItsFileIsRefused() throws {
    let folder = try TemporaryFolder()
    // Each entry is the same four bytes.
    let entries = (0..<60_000 as Range<UInt64>).map {
      PMTilesDirectory.Entry(id: $0, offset: $0 * 100, length: 100, run: 1)
    }
    let directory = Gzip.compress(PMTilesDirectory.encode(entries))
    var fields = PMTilesHeaderFields()
    fields.root = .init(offset: 127, length: UInt64(directory.count))
    fields.tiles = .init(offset: 127 + UInt64(directory.count), length: 6_000_000)
    (fields.minZoom, fields.maxZoom) = (0, 9)
    try Data(fields.encoded() + directory).write(
      to: URL(fileURLWithPath: folder["a.pmtiles"]))
    func read(_ free: UInt64) throws -> Int {
      let reader = try PMTilesReader(path: folder["a.pmtiles"])
      reader.readsContents = false
      reader.entriesOfAnyFile = free
      var buffer = TileBuffer()
      var found = 0
      while try reader.next(into: &buffer) != nil { found += 1 }
      return found
    }
    let all = try read(60_000)
    #expect(all == 60_000)
    let error = packError { try read(1000) }
    #expect(error?.reason.contains("an index of more than") == true)
  }

  @Test func aViewThatMultipliesRowsIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder["many.mbtiles"]
    try Shell.sqlite(
      path,
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      INSERT INTO metadata VALUES ('minzoom', '3'), ('maxzoom', '3');
      CREATE TABLE n (i INTEGER);
      INSERT INTO n VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
      CREATE VIEW tiles AS SELECT 3 AS zoom_level, a.i AS tile_column, b.i AS tile_row,
        x'00' AS tile_data FROM n a, n b, n c, n d, n e, n f, n g, n h;
      """)
    let error = packError { try PackSurvey.run(path) { _ in true } }
    #expect(error?.reason.contains("more rows than the file can hold") == true)
  }

  @Test func strayNamesOfAFolderAreLeftOutAndTold() throws {
    let folder = try TemporaryFolder()
    let tile = try PackTest.bytes(of: TestData.fixtures + "/images/osm-3-4-2.png")
    for name in ["1/0/0.png", "1/0/-1.png", "1/0/2.png", "1/1/1@2x.png", "1/1/1.PNG", "x/0/0.png"] {
      let path = folder["t/" + name]
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(tile).write(to: URL(fileURLWithPath: path))
    }
    let reader = try PackReaders.open(folder["t"])
    var buffer = TileBuffer()
    var found: [String] = []
    while let stretch = try reader.next(into: &buffer) {
      found.append("\(try #require(HilbertID.tile(stretch.first)))")
    }
    #expect(found == ["1/0/0", "1/1/1"])
    let problems = reader.problems.kinds
    func examples(_ what: String) -> [String]? {
      problems.first { $0.what.contains(what) }?.examples
    }
    #expect(examples("outside the map") == ["1/0/2.png"])
    #expect(examples("more than one file") == ["not 1/1/1@2x.png"])
    #expect(examples("not of the form")?.sorted() == ["1/0/-1.png", "x"])
  }
}
