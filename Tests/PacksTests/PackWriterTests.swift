import Foundation
import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// New packs: complete or not there, and always the same.
struct PackWriterTests {
  private static let names = ["a.mbtiles", "a.pmtiles", "a"]
  private let tiles = (0..<200).map { n -> (UInt64, [UInt8]) in
    let kind = n % 7
    return (UInt64(2 * n), [UInt8](repeating: UInt8(kind), count: 10 + kind))
  }

  private func writer(_ path: String, force: Bool = false) throws -> any PackWriter {
    try PackTarget.writer(path, kind: PackTest.kind(of: path), mayReplace: force)
  }

  @Test(arguments: names)
  func equalContentsAreStoredOnce(_ name: String) throws {
    let folder = try TemporaryFolder()
    let totals = try PackTest.write(tiles, into: try writer(folder[name]))
    #expect(totals.addressed == 200)
    if name != "a" { #expect(totals.contents == 7) }
    let read = try PackTest.tiles(of: folder[name])
    #expect(read == Dictionary(uniqueKeysWithValues: tiles))
  }

  @Test(arguments: names)
  func theSameInputGivesTheSameBytes(_ name: String) throws {
    let folder = try TemporaryFolder()
    let again = try TemporaryFolder()
    try PackTest.write(tiles, into: try writer(folder[name]))
    try PackTest.write(tiles, into: try writer(again[name]))
    let one = try digests(of: folder[name])
    let other = try digests(of: again[name])
    #expect(one.values.sorted() == other.values.sorted())
  }

  @Test(arguments: names)
  func anExistingTargetStaysUnlessItMayBeReplaced(_ name: String) throws {
    let folder = try TemporaryFolder()
    try PackTest.write(tiles, into: try writer(folder[name]))
    let before = try digests(of: folder[name])
    let error = packError { try writer(folder[name]) }
    #expect(error?.isMisuse == true && error?.reason.contains("--force") == true)
    let after = try digests(of: folder[name])
    #expect(before == after)
    try PackTest.write([tiles[0]], into: try writer(folder[name], force: true))
    let count = try PackTest.tiles(of: folder[name]).count
    #expect(count == 1)
  }

  @Test(arguments: names)
  func aPackThatIsGivenUpLeavesNothing(_ name: String) throws {
    let folder = try TemporaryFolder()
    let given = try writer(folder[name])
    try PackTest.add(0, 1, [1, 2, 3], to: given)
    let between = try PackTest.names(in: folder.path)
    #expect(between == [name + ".waypost-part"])
    given.abandon()
    var left = try PackTest.names(in: folder.path)
    #expect(left.isEmpty)
    do {
      let forgotten = try writer(folder[name])
      try PackTest.add(0, 1, [1, 2, 3], to: forgotten)
    }
    left = try PackTest.names(in: folder.path)
    #expect(left.isEmpty)
  }

  @Test(arguments: names)
  func twoDoNotWriteTheSameTarget(_ name: String) throws {
    let folder = try TemporaryFolder()
    let first = try writer(folder[name])
    let error = packError { try writer(folder[name]) }
    #expect(error?.reason.contains("being written") == true)
    try PackTest.write(tiles, into: first)
    let read = try PackTest.tiles(of: folder[name])
    #expect(read.count == tiles.count)
  }

  @Test(arguments: names)
  func tilesOutOfOrderAreRefused(_ name: String) throws {
    let folder = try TemporaryFolder()
    let given = try writer(folder[name])
    try PackTest.add(10, 5, [1], to: given)
    #expect(throws: PackError.self) { try PackTest.add(14, 1, [1], to: given) }
  }

  @Test(arguments: names)
  func aFolderThatIsNotThereIsNamed(_ name: String) throws {
    let folder = try TemporaryFolder()
    let error = packError { try writer(folder["none/" + name]) }
    #expect(error?.isMisuse == true)
    #expect(error?.reason == "there is no folder \(folder["none"]): make it first")
  }

  @Test func aFolderThatLostItsNameInAPowerCutGetsItBack() throws {
    let folder = try TemporaryFolder()
    try PackTest.write(tiles, into: try writer(folder["map"]))
    let before = try digests(of: folder["map"])
    #expect(rename(folder["map"], folder["map.waypost-old"]) == 0)
    #expect(packError { try writer(folder["map"]) }?.reason.contains("--force") == true)
    #expect(try digests(of: folder["map"]) == before)
    try PackTest.write([tiles[0]], into: try writer(folder["map"], force: true))
    #expect(try PackTest.names(in: folder.path) == ["map"])
  }

  @Test func aFolderOfSomethingElseIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder["home/0/0"], withIntermediateDirectories: true)
    try folder.write("dear", to: "home/letter.txt")
    let error = packError { try writer(folder["home"], force: true) }
    #expect(error?.reason.contains("letter.txt") == true)
    let names = try PackTest.names(in: folder["home"])
    #expect(names == ["0", "letter.txt"])
  }

  @Test(arguments: [
    "2024/05/letter.txt", "3/4/letter.txt", "3/4/5.png/6", "25/0/0.png", "3/x/1.png", "3/4/5/6.png",
    "metadata.json/a", "03/1/1.png",
  ])
  func whatIsNoTileIsNeverDeleted(_ name: String) throws {
    let folder = try TemporaryFolder()
    for name in (0..<100).map({ "7/\($0)/0.png" }) + [name] {
      let parts = name.split(separator: "/").dropLast().joined(separator: "/")
      try FileManager.default.createDirectory(
        atPath: folder["home/" + parts], withIntermediateDirectories: true)
      try folder.write("dear", to: "home/" + name)
    }
    let error = packError {
      try PackTest.write(tiles, into: try writer(folder["home/"], force: true))
    }
    #expect(error?.isMisuse == true && error?.reason.contains("it is not replaced") == true)
    #expect(FileManager.default.fileExists(atPath: folder["home/" + name]))
    #expect(try PackTest.names(in: folder.path) == ["home"])
  }

  @Test func aLinkIsFollowedAndNotReplaced() throws {
    let folder = try TemporaryFolder()
    try PackTest.write([tiles[0]], into: try writer(folder["real.pmtiles"]))
    try FileManager.default.createSymbolicLink(
      atPath: folder["link.pmtiles"], withDestinationPath: folder["real.pmtiles"])
    try PackTest.write(tiles, into: try writer(folder["link.pmtiles"], force: true))
    let isLink = try? FileManager.default.destinationOfSymbolicLink(atPath: folder["link.pmtiles"])
    #expect(isLink == folder["real.pmtiles"])
    let count = try PackTest.tiles(of: folder["real.pmtiles"]).count
    #expect(count == tiles.count)
  }

  @Test func manyEntriesGoIntoLeavesAndAreFound() throws {
    let folder = try TemporaryFolder()
    let given = try PMTilesWriter(target: folder["a.pmtiles"])
    var numbers = SeededNumbers(7)
    var written: [UInt64: [UInt8]] = [:]
    for index in 0..<30_000 as Range<UInt64> {
      let word = numbers.next()
      let bytes = (0..<(1 + Int(word % 40))).map {
        UInt8(truncatingIfNeeded: word >> UInt64($0 % 8))
      }
      written[index * 3] = bytes
      try PackTest.add(index * 3, 1, bytes, to: given)
    }
    _ = try given.finish(PackDescription())
    let source = try PMTilesSource(path: folder["a.pmtiles"])
    #expect(source.header.root.length <= 16384 - 127 && source.header.leaves.length > 0)
    for number in [0, 3, 300, 29_999 * 3] as [UInt64] {
      let tile = try #require(HilbertID.tile(number))
      let stored = try source.storedTile(at: tile)
      #expect(stored?.bytes == written[number])
    }
    let read = try PackTest.tiles(of: folder["a.pmtiles"])
    #expect(read == written)
  }
}
