import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import TileServing

/// Archives that lie or are damaged: each request is answered, and others go on.
@Suite struct HostileArchiveTests {
  /// Writes `value` at `offset`, little-endian.
  private static func put(_ value: UInt64, at offset: Int, in file: inout [UInt8]) {
    for byte in 0..<8 { file[offset + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)) }
  }

  private static func number(at offset: Int, of file: [UInt8]) -> Int {
    (0..<8).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
  }

  @Test func wrongHeadersAreErrorsThatSayWhy() throws {
    let good = MadeArchive.file("one")
    var cases: [(file: [UInt8], words: String)] = [
      ([], "HTTP 416"), (Array("<!DOCTYPE html>".utf8), "does not begin like a PMTiles archive"),
      (Array(good.prefix(100)), "cut off"),
    ]
    var old = good
    old[7] = 2
    cases.append((old, "version 2"))
    // Root, leaves, tiles: too long, or beyond the end.
    let most = UInt64.max - 5
    let lies: [(offset: Int, value: UInt64)] = [
      (16, most), (8, most), (40, most), (56, most), (16, 0),
    ]
    for lie in lies {
      var file = good
      Self.put(lie.value, at: lie.offset, in: &file)
      cases.append((file, "cut off or damaged"))
    }
    for (file, words) in cases {
      let it = try SourceCase(archive: PartServer(file))
      _ = it.greeting()
      let text = try #require(it.tile(1, 3, 1, 2))
      #expect(text.hasPrefix("error 1 ") && text.contains(words), "\(text)")
    }
  }

  @Test func theTextOfAnArchiveIsReadAgainAlsoIfALineEndsWithACarriageReturn() throws {
    let info = try #require(ArchiveInfo("min_zoom 1\nmax_zoom 3\nidentity a\r\nname b"))
    #expect(info.identity == "a\r" && info.title == "b")
    #expect(ArchiveInfo(info.text) == info)
  }

  @Test func tooLargeDirectoriesAndTilesAreNotAskedFor() throws {
    // A file that says it is large: only the parts that are asked for exist.
    var file = MadeArchive.file("one", leaf: nil)
    let root = Self.number(at: 8, of: file)
    Self.put(3 << 20, at: 16, in: &file)
    let server = PartServer(file + [UInt8](repeating: 0, count: 4 << 20))
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 3, 1, 2)?.contains("directory of 3145728 bytes") == true)
    #expect(server.asked.allSatisfy { $0.count <= 16_384 })

    // One entry: tile 0, 1 GB long.
    file = MadeArchive.file("one", leaf: nil)
    let entry: [UInt8] = [1, 0, 1, 0x80, 0x80, 0x80, 0x80, 4, 1]
    file.replaceSubrange(root..<(root + entry.count), with: entry)
    Self.put(UInt64(entry.count), at: 16, in: &file)
    let other = PartServer(file)
    let second = try SourceCase(archive: other)
    _ = second.greeting()
    #expect(second.tile(1, 0, 0, 0)?.contains("tile of 1073741824 bytes") == true)
    #expect(other.asked.allSatisfy { $0.count <= 16_384 })
  }

  @Test func leavesThatLeadToThemselvesEnd() throws {
    // The root and the leaf: one entry that leads to the leaf at the start of its section.
    var file = MadeArchive.file("one", leaf: nil)
    let root = Self.number(at: 8, of: file)
    let loop: [UInt8] = [1, 0, 0, 5, 1]
    file.replaceSubrange(root..<(root + loop.count), with: loop)
    Self.put(UInt64(loop.count), at: 16, in: &file)
    Self.put(UInt64(root), at: 40, in: &file)
    let server = PartServer(file)
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 3, 1, 2)?.contains("more than 3 deep") == true)
    #expect(server.asked.count <= 5)
  }

  @Test func aDamagedLeafIsReadOnce() throws {
    var file = MadeArchive.file("one", leaf: 20)
    let leaves = Self.number(at: 40, of: file)
    for place in leaves..<leaves + Self.number(at: 48, of: file) { file[place] = 0xff }
    let server = PartServer(file)
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 0, 0, 0)?.contains("the directory at byte \(leaves)") == true)
    let asked = server.asked.count
    #expect(it.tile(2, 1, 0, 0)?.contains("the directory at byte \(leaves)") == true)
    #expect(server.asked.count == asked)
  }

  @Test func anArchiveThatChangesWithEveryAnswerEnds() throws {
    let server = PartServer(MadeArchive.file("one"))
    server.instead = { [unowned server] in
      server.tag = "\"\($0)\""
      return nil
    }
    let it = try SourceCase(archive: server)
    _ = it.greeting()
    #expect(it.tile(1, 5, 1, 2) == "error 1 changes while it is read")
    #expect(server.asked.count < 10)
  }

  @Test func anyDamageIsAnsweredAndLosesNobody() throws {
    let good = MadeArchive.file("one", leaf: 20)
    // The header, the root, the metadata and the leaves.
    let end = Self.number(at: 56, of: good)
    var random = SeededNumbers(77)
    for round in 0..<Emulation.rounds(150) {
      var file = good
      for _ in 0..<random.integer(1...6) {
        file[random.integer(8...(end - 1))] = UInt8(truncatingIfNeeded: random.next())
      }
      if round % 5 == 0 { file.removeLast(random.integer(1...(file.count - 200))) }
      let it = try SourceCase(archive: PartServer(file)) { $0.store = nil }
      _ = it.greeting()
      for number in 1...4 {
        it.send("get \(number) 5 \(random.integer(0...31)) \(random.integer(0...31)) 1\n")
        let answer = try #require(it.line(), "round \(round)")
        #expect(answer.split(separator: " ").dropFirst().first == "\(number)", "\(answer)")
        // What follows may be any bytes.
        it.connect()
        _ = it.greeting()
      }
    }
  }
}
