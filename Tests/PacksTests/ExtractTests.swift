import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// Extracts from PMTiles archives, byte ranges and all.
@Suite struct ExtractTests {
  private let box = GeoBounds(west: -30, south: -20, east: 60, north: 55)

  private func selection(_ zooms: ClosedRange<Int>? = nil) -> ExtractSelection {
    ExtractSelection(region: Region(box), zooms: zooms)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test(arguments: [nil, 40, 300] as [Int?]) func anExtractHasTheRegionsTilesAndNoOthers(
    _ leaf: Int?
  ) throws {
    let folder = try TemporaryFolder()
    try write(MadePyramid.archive(zooms: 0...6, leaf: leaf), folder["all.pmtiles"])
    let selection = selection()
    let result = try PMTilesExtract(FileRangeReader(path: folder["all.pmtiles"]), selection)
      .run(to: folder["part.pmtiles"])
    let tiles = try Region(box).tiles(zooms: 0...6)
    #expect(result.tiles == tiles.count)
    let different = try differences(
      folder["all.pmtiles"], folder["part.pmtiles"], tiles, zooms: 0...6)
    #expect(different.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["all.pmtiles", "part.pmtiles"])

    // Clustered, each content once, and the header tells the truth.
    let reader = try PMTilesReader(path: folder["part.pmtiles"])
    reader.readsContents = false
    var buffer = TileBuffer()
    var (addressed, entries): (UInt64, UInt64) = (0, 0)
    var places: Set<UInt64> = []
    while let stretch = try reader.next(into: &buffer) {
      addressed += stretch.count
      entries += 1
      places.insert(try #require(stretch.place))
    }
    #expect(reader.isClustered && reader.problems.isEmpty)
    let header = reader.header
    #expect(header.isClustered)
    #expect(header.addressedTiles == addressed && header.tileEntries == entries)
    #expect(header.tileContents == UInt64(places.count))
    #expect(header.minZoom == 0 && header.maxZoom == 6)
    let bounds = try #require(header.bounds)
    for (edge, meant) in zip(bounds.array, box.array) { #expect(abs(edge - meant) < 1e-6) }
  }

  @Test func metadataGoAlong() throws {
    let folder = try TemporaryFolder()
    let json = """
      {"name":"All","attribution":"© Somebody","bounds":"-180,-85,180,85","minzoom":"0",
      "vector_layers":[{"id":"a","fields":{}}]}
      """
    var bytes = try MadePyramid.archive(zooms: 0...4, leaf: nil)
    // The metadata at the end: its place is in bytes 24 to 39 of the header.
    func put(_ value: Int, at place: Int) {
      for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    put(bytes.count, at: 24)
    put(json.utf8.count, at: 32)
    bytes += Array(json.utf8)
    _ = try PMTilesExtract(FaultyReader(bytes), selection(2...3)).run(to: folder["part.pmtiles"])
    let reader = try PMTilesReader(path: folder["part.pmtiles"])
    #expect(reader.description.text("attribution") == "© Somebody")
    #expect(reader.description.text("name") == "All")
    #expect(reader.description.text("minzoom") == "2")
    #expect(reader.description.text("bounds") == "-30,-20,60,55")
    #expect(reader.description["vector_layers"] != nil)
    #expect(reader.header.minZoom == 2 && reader.header.maxZoom == 3)
  }

  @Test func aPreviewIsExactAndReadsNoTile() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    let reader = FaultyReader(bytes)
    let preview = try PMTilesExtract(reader, selection()).preview()
    let tileStart = try PMTilesHeader(Bytes(bytes)).tiles.offset
    // The first request asks for 16 KiB, which the header and the root may fill.
    for request in reader.asked.dropFirst() {
      #expect(request.offset + UInt64(request.count) <= tileStart)
    }
    let result = try PMTilesExtract(FaultyReader(bytes), selection())
      .run(to: folder["part.pmtiles"])
    #expect(preview.plan.tiles == result.tiles)
    #expect(preview.bytes == result.bytes)
    #expect(try read(folder["part.pmtiles"]).count == Int(result.bytes))
    #expect(
      result.traffic.bytes == preview.traffic.bytes + preview.plan.requests.bytes)
    #expect(
      result.traffic.requests
        == preview.traffic.requests + preview.plan.requests.spans.count)
  }

  @Test func requestsAndBytesAreNearTheOptimum() throws {
    let bytes = try MadePyramid.archive(zooms: 0...7)
    for overfetch in [0, 0.05, 0.5] {
      var selection = selection()
      selection.overfetch = overfetch
      let reader = FaultyReader(bytes)
      let plan = try PMTilesExtract(reader, selection).preview().plan
      let wanted = plan.tileBytes
      #expect(plan.requests.bytes >= wanted)
      #expect(Double(plan.requests.bytes) <= Double(wanted) * (1 + overfetch))
      // The optimum without overfetch: the stretches of wanted contents that touch.
      var stretches = 0
      var end: UInt64 = 0
      for content in plan.contents {
        if content.source != end { stretches += 1 }
        end = content.source + UInt64(content.length)
      }
      if overfetch == 0 {
        #expect(plan.requests.unlimited == stretches)
      } else {
        #expect(plan.requests.unlimited < stretches)
      }
    }
  }

  // MARK: Cuts

  @Test(arguments: [2, 5, 20]) func aCutExtractGoesOnAndFetchesNothingTwice(
    _ cut: Int
  ) throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    var selection = selection()
    selection.requestLimit = 2000
    let out = folder["part.pmtiles"]
    var answered: [RangeRequest] = []
    var runs = 0
    while !FileManager.default.fileExists(atPath: out) {
      let reader = FaultyReader(bytes, cut: cut)
      _ = try? PMTilesExtract(reader, selection).run(to: out)
      answered += reader.answered
      runs += 1
      try #require(runs < 400)
    }
    #expect(runs > 1)
    let sorted = answered.sorted { $0.offset < $1.offset }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.offset >= 16384 {
      #expect(one.offset + UInt64(one.count) <= next.offset)
    }
    _ = try PMTilesExtract(FaultyReader(bytes), selection).run(to: folder["whole.pmtiles"])
    #expect(try read(out) == read(folder["whole.pmtiles"]))
  }

  @Test func afterAPowerCutWhatWasNotSyncedIsFetchedAgain() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    var selection = selection()
    selection.requestLimit = 2000
    let out = folder["part.pmtiles"]
    let first = FaultyReader(bytes, cut: 12)
    #expect(throws: PackError.self) {
      try PMTilesExtract(first, selection, boot: "one").run(to: out)
    }
    // What the medium lost.
    var partial = try read(ExtractPaths.partial(of: out))
    for index in partial.indices { partial[index] = 0 }
    try write(partial, ExtractPaths.partial(of: out))
    let result = try PMTilesExtract(FaultyReader(bytes), selection, boot: "two").run(to: out)
    #expect(result.resumed == 0)
    _ = try PMTilesExtract(FaultyReader(bytes), selection).run(to: folder["whole.pmtiles"])
    #expect(try read(out) == read(folder["whole.pmtiles"]))
  }

  @Test func aFileThatAppearsMeanwhileIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...4)
    let out = folder["part.pmtiles"]
    let error = packError {
      try PMTilesExtract(FaultyReader(bytes), selection()).run(to: out) { (_) throws(PackError) in
        try? Data("dear".utf8).write(to: URL(fileURLWithPath: out))
      }
    }
    #expect(error?.isMisuse == true)
    #expect(try read(out) == Array("dear".utf8))
    // Nothing was lost, and a link is followed.
    try FileManager.default.createSymbolicLink(
      atPath: folder["link.pmtiles"], withDestinationPath: out)
    let result = try PMTilesExtract(FaultyReader(bytes), selection(), mayReplace: true)
      .run(to: folder["link.pmtiles"])
    let size = try read(out).count
    #expect(result.resumed > 0 && result.bytes == UInt64(size))
    let left = try PackTest.names(in: folder.path)
    #expect(left == ["link.pmtiles", "part.pmtiles"])
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: folder[left[0]])) == out)
  }

  @Test func anotherRegionForTheSameFileBeginsAnew() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...6)
    let out = folder["part.pmtiles"]
    var narrow = selection()
    narrow.requestLimit = 2000
    let cut = FaultyReader(bytes, cut: 12)
    #expect(throws: PackError.self) { try PMTilesExtract(cut, narrow).run(to: out) }
    let other = ExtractSelection(
      region: Region(GeoBounds(west: 100, south: -50, east: 140, north: -10)))
    let result = try PMTilesExtract(FaultyReader(bytes), other).run(to: out)
    #expect(result.resumed == 0)
    try write(bytes, folder["all.pmtiles"])
    let tiles = try other.tiles(levels: 0...6)
    let different = try differences(folder["all.pmtiles"], out, tiles, zooms: 0...6)
    #expect(different.isEmpty)
  }

  // MARK: Other packs

  @Test(
    arguments: ["all.pmtiles", "all.mbtiles", "all"], ["part.pmtiles", "part.mbtiles", "part/"])
  func packsOfAllKindsAreExtracted(_ input: String, _ output: String) throws {
    let folder = try TemporaryFolder()
    let made = MadePyramid.tiles(zooms: 0...5)
    switch input {
    case "all.pmtiles": try TilePacks.writePMTiles(made, to: folder[input])
    case "all.mbtiles": try TilePacks.writeMBTiles(made, to: folder[input])
    default:
      for (id, bytes) in made {
        let path = "\(folder[input])/\(id.z)/\(id.x)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try write(bytes, "\(path)/\(id.y).png")
      }
    }
    let work = try PackExtraction(
      input: folder[input], output: folder[output], selection: selection(1...4),
      mayReplace: false)
    let preview = try work.preview()
    let result = try work.run { _ in true }
    let tiles = try Region(box).tiles(zooms: 1...4)
    #expect(preview.tiles == tiles.count && result.tiles == tiles.count)
    let different = try differences(folder[input], folder[output], tiles, zooms: 0...5)
    #expect(different.isEmpty)
  }

  @Test func aFolderOfVectorTilesAndAPackWithoutAnIndexAreExtracted() throws {
    let folder = try TemporaryFolder()
    let tile = Gzip.compress(Array(MadePyramid.vectorTile.utf8))
    for z in 0...4 {
      for x in 0..<(1 << z) {
        let path = "\(folder["all"])/\(z)/\(x)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for y in 0..<(1 << z) { try write(tile, "\(path)/\(y).pbf") }
      }
    }
    try PackTest.convert([folder["all"]], to: folder["flat.mbtiles"])
    try Shell.sqlite(
      folder["flat.mbtiles"],
      "CREATE TABLE flat AS SELECT * FROM tiles; DROP VIEW tiles; ALTER TABLE flat RENAME TO tiles")
    let tiles = try Region(box).tiles(zooms: 1...4)
    for input in ["all", "flat.mbtiles"] {
      let work = try PackExtraction(
        input: folder[input], output: folder["\(input).part.mbtiles"], selection: selection(1...4),
        mayReplace: false)
      #expect(try work.preview().tiles == tiles.count)
      let result = try work.run { _ in true }
      #expect(result.tiles == tiles.count && result.broken == 0)
      let read = try PackTest.tiles(of: folder["\(input).part.mbtiles"])
      #expect(read.values.allSatisfy { $0 == tile } && UInt64(read.count) == tiles.count)
    }
  }

  @Test func aRegionWithoutTilesIsSaid() throws {
    let folder = try TemporaryFolder()
    let bytes = try MadePyramid.archive(zooms: 0...3)
    let error = packError {
      try PMTilesExtract(FaultyReader(bytes), selection(8...9)).run(to: folder["part.pmtiles"])
    }
    #expect(error?.reason.contains("zooms 0 to 3") == true)
    let left = try PackTest.names(in: folder.path)
    #expect(left.isEmpty)
  }

  /// Bytes for reading a header.
  private final class Bytes: ByteReader {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    var size: UInt64 { UInt64(bytes.count) }
    func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
      Array(bytes[Int(offset)..<Int(offset) + count])
    }
  }
}
