import Glibc
import TestSupport
import Testing
import VectorTiles

private let large = TestData.large.map { $0 + "/vector" } ?? ""

@Suite(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
struct FixtureTests {
  @Test func everyFixtureBehavesAsItsDescriptionSays() throws {
    let folder = large + "/mvt-fixtures"
    var count = 0
    for name in try folderNames(folder) {
      let info = String(decoding: try fileBytes(folder + "/\(name)/info.json"), as: UTF8.self)
      let bytes = try fileBytes(folder + "/\(name)/tile.mvt")
      let compact = info.filter { !$0.isWhitespace }
      let isFatal = compact.contains("\"error\":\"fatal\"")
      // Tiles that are fatal in version 2 only state version 1.
      let isValidInOne = compact.contains("\"v1\":true")
      var reason: String?
      do {
        try bytes.withUnsafeBytes { try VectorTile($0) }.verify()
      } catch { reason = "\(error)" }
      #expect((reason != nil) == (isFatal && !isValidInOne), "\(name): \(reason ?? "read")")
      count += 1
    }
    #expect(count > 40)
  }

  @Test func realTilesAreReadThrough() throws {
    let folder = large + "/tiles/mapbox-streets-v7/chicago"
    for name in try folderNames(folder).prefix(4) {
      let bytes = try fileBytes(folder + "/" + name)
      let tile = try bytes.withUnsafeBytes { try VectorTile($0) }
      #expect(!tile.layers.isEmpty)
      try tile.verify()
    }
  }

  @Test func damagedRealTilesNeverTrap() throws {
    var numbers = SeededNumbers(3)
    let folder = large + "/tiles/mapbox-streets-v7/norway"
    let names = try folderNames(folder)
    var tiles: [[UInt8]] = []
    for name in names { tiles.append(try fileBytes(folder + "/" + name)) }
    let smallest = try #require(tiles.min { $0.count < $1.count })
    for round in 0..<Emulation.rounds(100) {
      var bytes = smallest
      for _ in 0...numbers.next(0..<8) {
        bytes[numbers.next(0..<bytes.count)] ^= UInt8(1) << UInt8(numbers.next(0..<8))
      }
      if round % 4 == 0 { bytes.removeLast(numbers.next(0..<bytes.count)) }
      try? bytes.withUnsafeBytes { try VectorTile($0) }.verify()
    }
  }
}

func folderNames(_ path: String) throws -> [String] {
  let folder = try #require(opendir(path))
  defer { closedir(folder) }
  var names: [String] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

func fileBytes(_ path: String) throws -> [UInt8] {
  let file = try #require(fopen(path, "r"), "\(path)")
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}
