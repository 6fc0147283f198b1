import Control
import Foundation
import MapGeometry
import TestSupport
import Testing

/// `waypost pack` where something is in its way: nothing that is not complete has a pack's name,
/// and the command says what is wrong.
struct PackBreakTests {
  private func pack(_ words: [String]) throws -> Program.Outcome {
    try Program.built("waypost").run(["pack"] + words)
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private static let many = tiles(2000)

  private static func tiles(_ count: Int) -> [(id: TileID, bytes: [UInt8])] {
    (0..<count).compactMap { number in
      TileID(z: 8, x: number / 256, y: number % 256).map { ($0, PlainPNG.tile(UInt64(number))) }
    }
  }

  @Test func aPackWithoutTilesIsOne() throws {
    let folder = try TemporaryFolder()
    try TilePacks.writeMBTiles([], to: folder["none.mbtiles"])
    for name in ["a.pmtiles", "b.mbtiles"] {
      let made = try pack(["convert", folder["none.mbtiles"], folder[name]])
      #expect(made.status == 0, "\(made.errors)")
      let info = try pack(["info", folder[name], "--json"])
      let tiles = try JSON.parse(info.text)["tiles"]?.int
      #expect(info.status == 0 && tiles == 0)
      let verified = try pack(["verify", folder[name]])
      #expect(verified.status == 0 && verified.text.contains("The pack is good."))
      let drawn = try pack(["coverage", folder[name], "-o", folder["c.png"]])
      #expect(drawn.status == 65 && drawn.errors.contains("holds no tiles"))
      let part = try pack(["extract", folder[name], folder["part.pmtiles"]])
      #expect(part.status == 65 && part.errors.contains("has no tile"))
    }
    let both = try pack(
      ["merge", folder["a.pmtiles"], folder["b.mbtiles"], folder["both.pmtiles"], "--json"])
    let tiles = try JSON.parse(both.text)["tiles"]?.int
    #expect(both.status == 0 && tiles == 0)
    let left = try names(folder.path)
    #expect(left == ["a.pmtiles", "b.mbtiles", "both.pmtiles", "none.mbtiles"])
  }

  @Test func oneTileAtZoom22GoesThroughEveryCommand() throws {
    let folder = try TemporaryFolder()
    let tile = try #require(TileID(z: 22, x: 2_222_222, y: 1_111_111))
    try TilePacks.writeMBTiles([(tile, PlainPNG.tile(1))], to: folder["one.mbtiles"])
    let bounds = GeoBounds(tile)
    let box = "--bbox=\(bounds.west),\(bounds.south),\(bounds.east),\(bounds.north)"
    for words in [
      ["convert", folder["one.mbtiles"], folder["a.pmtiles"]],
      ["export", folder["a.pmtiles"], folder["b"]],
      ["import", folder["b"], folder["c.mbtiles"]],
      ["extract", folder["a.pmtiles"], folder["d.pmtiles"], box],
      ["merge", folder["b"], folder["c.mbtiles"], folder["e.pmtiles"]],
      ["coverage", folder["a.pmtiles"], "-o", folder["f.png"]],
    ] {
      let outcome = try pack(words)
      #expect(outcome.status == 0, "\(words[0]): \(outcome.errors)")
    }
    for name in ["a.pmtiles", "b", "c.mbtiles", "d.pmtiles", "e.pmtiles"] {
      let found = try JSON.parse(pack(["verify", folder[name], "--json"]).text)
      #expect(found["good"] == true && found["tiles"]?.int == 1, "\(name)")
      #expect(found["min_zoom"]?.int == 22 && found["max_zoom"]?.int == 22, "\(name)")
    }
  }

  @Test func aMebibyteOfMetadataGoesAlong() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "höhe ", count: 175_000)
    #expect(text.utf8.count > 1 << 20)
    try FileManager.default.createDirectory(
      atPath: folder["in/0/0"], withIntermediateDirectories: true)
    try Data(PlainPNG.tile(1)).write(to: URL(fileURLWithPath: folder["in/0/0/0.png"]))
    try folder.write("{\"description\":\"\(text)\"}", to: "in/metadata.json")
    for words in [
      ["import", folder["in"], folder["a.mbtiles"]],
      ["convert", folder["a.mbtiles"], folder["b.pmtiles"]],
      ["extract", folder["b.pmtiles"], folder["c.pmtiles"]],
      ["export", folder["c.pmtiles"], folder["out"]],
    ] {
      let outcome = try pack(words)
      // A slow machine prints its progress there.
      let isTold = outcome.errors.contains("metadata")
      #expect(outcome.status == 0 && !isTold, "\(words[0]): \(outcome.errors)")
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder["out/metadata.json"]))
    let read = try JSONSerialization.jsonObject(with: bytes) as? [String: Any]
    #expect(read?["description"] as? String == text)
  }

  @Test func metadataThatNobodyWouldReadAreRefused() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder["in/0/0"], withIntermediateDirectories: true)
    try Data(PlainPNG.tile(1)).write(to: URL(fileURLWithPath: folder["in/0/0/0.png"]))
    let text = String(repeating: "x", count: 3 << 20)
    try folder.write("{\"description\":\"\(text)\"}", to: "in/metadata.json")
    let outcome = try pack(["import", folder["in"], folder["a.pmtiles"]])
    #expect(outcome.status == 65 && outcome.errors.contains("of metadata"), "\(outcome.errors)")
    let left = try names(folder.path)
    #expect(left == ["in"])
    #expect(try pack(["import", folder["in"], folder["a.mbtiles"]]).status == 0)
    // What such a row is to a reader is said, too.
    let next = try pack(["convert", folder["a.mbtiles"], folder["b.pmtiles"]])
    #expect(next.status == 0 && next.errors.contains("2 MiB are left out: description"))
  }

  /// Runs a script of the shell in which "$W" is the program, as "$1" and so on are `words`.
  private func shell(_ script: String, _ words: [String]) throws -> Program.Outcome {
    try Program(path: "/bin/sh").run(
      ["-c", script, "sh"] + words, environment: ["W": Program.built("waypost").path])
  }

  @Test(arguments: ["convert", "merge", "extract"], [".pmtiles", ".mbtiles"])
  func aFileThatMayNotGrowIsAnError(_ command: String, _ ending: String) throws {
    let folder = try TemporaryFolder()
    try TilePacks.writePMTiles(Self.many, to: folder["all.pmtiles"])
    var words = [command, folder["all.pmtiles"]]
    if command == "merge" { words.append(folder["all.pmtiles"]) }
    words.append(folder["new" + ending])
    let outcome = try shell("ulimit -f 100; exec \"$W\" pack \"$@\"", words)
    #expect(outcome.status == 65 || outcome.status == 64, "\(outcome.status)")
    #expect(outcome.errors.contains("cannot be written"), "\(outcome.errors)")
    #expect(!isThere(folder["new" + ending]))
    // Without the limit it works, whatever was left.
    let again = try pack(words)
    #expect(again.status == 0, "\(again.errors)")
    let left = try names(folder.path)
    #expect(left == ["all.pmtiles", "new" + ending])
  }

  @Test(arguments: [
    ["convert", "new.pmtiles"], ["convert", "new.mbtiles"], ["convert", "new/"],
    ["extract", "new.pmtiles"], ["extract", "new.mbtiles"],
  ])
  func aFullMediumIsAnError(_ words: [String]) throws {
    let folder = try TemporaryFolder()
    try TilePacks.writePMTiles(Self.many, to: folder["all.pmtiles"])
    // A medium in memory, in a namespace that ends with the shell.
    let script = """
      mkdir "$1/card" && mount -t tmpfs -o size=400k none "$1/card" || exit 77
      "$W" pack "$2" "$1/all.pmtiles" "$1/card/$3"
      echo "status $?"
      ls "$1/card"
      """
    let outcome = try Program(path: "/bin/sh").run(
      ["-c", "exec unshare -r -m sh -c \"$@\"", "sh", script, "sh", folder.path] + words,
      environment: ["W": Program.built("waypost").path])
    guard outcome.text.contains("status") else {
      return print("skipped: no medium can be mounted here: \(outcome.errors)")
    }
    let lines = outcome.text.split(separator: "\n").map(String.init)
    #expect(lines.first == "status 65" || lines.first == "status 64", "\(outcome.text)")
    #expect(!lines.dropFirst().contains { $0 == "new" || $0.hasSuffix("tiles") })
    #expect(!lines.dropFirst().contains { $0.hasSuffix(".waypost-part") })
    #expect(outcome.errors.contains("card/new"), "\(outcome.errors)")
  }

  @Test func namesWithSpacesAndUmlautsGoThroughEveryCommand() throws {
    let folder = try TemporaryFolder()
    let home = folder["Tal & Höhe (1)"]
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try TilePacks.writeMBTiles(Array(Self.many.prefix(300)), to: home + "/Größe ß.mbtiles")
    for words in [
      ["info", "Größe ß.mbtiles"], ["convert", "Größe ß.mbtiles", "a b.pmtiles"],
      ["export", "a b.pmtiles", "ein Ordner"], ["import", "ein Ordner", "zurück.pmtiles"],
      ["merge", "a b.pmtiles", "ein Ordner", "Größe ß.mbtiles", "zwei 'drei'.mbtiles"],
      ["extract", "a b.pmtiles", "Auszug 日本.pmtiles"], ["verify", "zwei 'drei'.mbtiles"],
      ["coverage", "a b.pmtiles", "-o", "Bild ü.png"],
    ] {
      let paths = words.enumerated().map { index, word in
        index == 0 || word == "-o" ? word : home + "/" + word
      }
      let outcome = try pack(paths)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    let one = try Data(contentsOf: URL(fileURLWithPath: home + "/a b.pmtiles"))
    let other = try Data(contentsOf: URL(fileURLWithPath: home + "/zurück.pmtiles"))
    #expect(one.count == other.count)
  }

  @Test func aPackMayReplaceItself() throws {
    let folder = try TemporaryFolder()
    try TilePacks.writeMBTiles(Array(Self.many.prefix(300)), to: folder["a.mbtiles"])
    #expect(try pack(["convert", folder["a.mbtiles"], folder["b.pmtiles"]]).status == 0)
    #expect(try pack(["export", folder["a.mbtiles"], folder["c"]]).status == 0)
    let sums = try ["a.mbtiles", "b.pmtiles", "c"].map { name in
      try JSON.parse(pack(["verify", folder[name], "--json"]).text)["checksum"]?.string
    }
    for words in [
      ["convert", "a.mbtiles", "a.mbtiles"], ["convert", "b.pmtiles", "b.pmtiles"],
      ["extract", "b.pmtiles", "b.pmtiles"], ["convert", "c", "c"],
      ["merge", "b.pmtiles", "a.mbtiles", "b.pmtiles"],
    ] {
      let paths = words.enumerated().map { $0 == 0 ? $1 : folder[$1] }
      // Not unless it is said.
      let refused = try pack(paths)
      #expect(refused.status == 64 && refused.errors.contains("--force"), "\(words)")
      let outcome = try pack(paths + ["--force"])
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    let after = try ["a.mbtiles", "b.pmtiles", "c"].map { name in
      try JSON.parse(pack(["verify", folder[name], "--json"]).text)["checksum"]?.string
    }
    #expect(after == sums && Set(sums).count == 1)
    let left = try names(folder.path)
    #expect(left == ["a.mbtiles", "b.pmtiles", "c"])
  }

  @Test func aTargetThatCannotBeMadeIsNamed() throws {
    let folder = try TemporaryFolder()
    try TilePacks.writeMBTiles(Array(Self.many.prefix(30)), to: folder["a.mbtiles"])
    // A folder in which not even root makes files.
    for name in ["/proc/a.pmtiles", "/proc/a.mbtiles", "/proc/a/"] {
      for command in ["convert", "extract"] {
        let outcome = try pack([command, folder["a.mbtiles"], name])
        #expect(outcome.status == 65 && outcome.errors.contains("/proc/a"), "\(outcome.errors)")
      }
    }
    let drawn = try pack(["coverage", folder["a.mbtiles"], "-o", "/proc/a.png"])
    #expect(drawn.status == 65 && drawn.errors.contains("/proc/a.png"))
    try FileManager.default.createSymbolicLink(
      atPath: folder["b.pmtiles"], withDestinationPath: folder["none/b.pmtiles"])
    let dangling = try pack(["convert", folder["a.mbtiles"], folder["b.pmtiles"], "--force"])
    #expect(dangling.status == 64, "\(dangling.errors)")
    let left = try names(folder.path)
    #expect(left == ["a.mbtiles", "b.pmtiles"])
  }

  /// Each command that writes, with what it writes and where that lies until it is complete.
  private static let commands: [(words: [String], new: String, draft: String)] = [
    (["merge", "in.mbtiles", "in.pmtiles", "new.mbtiles"], "new.mbtiles", ".waypost-part"),
    (["import", "in", "new.pmtiles"], "new.pmtiles", ".waypost-part"),
    (["export", "in.pmtiles", "new"], "new", ".waypost-part"),
    (["extract", "in.pmtiles", "new.pmtiles"], "new.pmtiles", ".partial"),
    (["extract", "in.mbtiles", "new.pmtiles"], "new.pmtiles", ".waypost-part"),
  ]

  @Test(arguments: commands.indices, [SIGINT, SIGKILL])
  func endedInTheMiddleItBeginsAnew(_ index: Int, _ signal: Int32) throws {
    let (words, new, draft) = Self.commands[index]
    let folder = try TemporaryFolder()
    try TilePacks.writeMBTiles(Self.many, to: folder["in.mbtiles"])
    for made in ["in.pmtiles", "in/"] {
      #expect(try pack(["convert", folder["in.mbtiles"], folder[made]]).status == 0)
    }
    let command = words.enumerated().map { $0 == 0 ? $1 : folder[$1] }
    let program = try Program.built("waypost").start(["pack"] + command)
    while !isThere(folder[new + draft]), !program.hasEnded { usleep(200) }
    kill(program.pid, signal)
    let outcome = program.outcome()
    if outcome.status != 0 {
      if isThere(folder[new]) {
        // SIGKILL came after the draft got its name.
        #expect(signal == SIGKILL)
        #expect(try pack(["verify", folder[new]]).status == 0)
      }
      #expect(outcome.status == (signal == SIGKILL ? -SIGKILL : 130), "\(outcome.errors)")
    }
    let again = try pack(command + ["--force"])
    #expect(again.status == 0, "\(again.errors)")
    let left = try names(folder.path)
    #expect(left == (["in", "in.mbtiles", "in.pmtiles"] + [new]).sorted())
    let checked = try pack(["verify", folder[new]])
    #expect(checked.status == 0, "\(checked.text)")
  }
}
