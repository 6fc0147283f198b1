import Control
import Foundation
import Platform
import TestSupport
import Testing

/// `waypostd`'s command line and `--check-config`.
@Suite struct DaemonCheckTests {
  private func check(_ text: String) throws -> (outcome: Program.Outcome, file: String) {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "waypost.toml")
    let before = try digests(of: folder.path)
    let outcome = try Program.built("waypostd").run(["--config", file, "--check-config"])
    #expect(try digests(of: folder.path) == before)
    return (outcome, file)
  }

  @Test func aGoodConfigurationGives0AndNoLine() throws {
    let (outcome, _) = try check(
      """
      [view]
      zoom = 5
      [[source]]
      name = "osm"
      path = "\(DaemonProcess.tiles)"
      min_zoom = 3
      max_zoom = 5
      """)
    #expect(outcome.status == 0)
    #expect(outcome.text == "")
  }

  @Test(arguments: [
    ("[view]\nzom = 5\n", 2, ["zom", "zoom"]),
    ("[view]\n\nzoom = \"near\"\n", 3, ["zoom"]),
    ("[view]\nzoom = 5\ncenter = [91.0, 0.0]\n", 3, ["center"]),
    ("[view\n", 1, []),
    ("# sources\n[[source]]\nname = \"a\"\npath = \"/nonexistent/a.mbtiles\"\n", 2, ["a.mbtiles"]),
    (
      "[[source]]\nname = \"a\"\npath = \"PACKS/corrupt.mbtiles\"\n", 1,
      ["\"a\"", "corrupt.mbtiles"]
    ),
    (
      "\n[[source]]\nname = \"a\"\npath = \"PACKS/invalid.pmtiles\"\n", 2,
      ["\"a\"", "invalid.pmtiles"]
    ),
    (
      "[[source]]\nname = \"v4\"\npath = \"PACKS/invalid_v4.pmtiles\"\n", 1,
      ["\"v4\"", "invalid_v4.pmtiles"]
    ),
    (
      "[[source]]\nname = \"lfs\"\npath = \"PACKS/lfs-folder\"\n", 1,
      ["\"lfs\"", "lfs-folder: tile 5/16/10: ", "Git LFS"]
    ),
    (
      "[[source]]\nname = \"ok\"\npath = \"PACKS/sparse-folder\"\n[[source]]\n"
        + "path = 'PACKS/lfs-folder'\n[[source]]\nname = \"c\"\n"
        + "path = \"PACKS/sparse-folder\"\n", 4, ["\"lfs-folder\"", "Git LFS"]
    ),
  ])
  func aBadOneGives78AndALineThatSaysWhere(
    _ text: String, _ line: Int, _ words: [String]
  ) throws {
    let (outcome, file) = try check(
      text.replacingOccurrences(of: "PACKS", with: DaemonProcess.packs))
    #expect(outcome.status == 78)
    let lines = outcome.text.split(separator: "\n")
    let told = lines.first { $0.hasPrefix("\(file):\(line): error: ") }
    #expect(told != nil, "\(outcome.text)")
    for word in words { #expect(told?.contains(word) == true, "\(word): \(outcome.text)") }
    for line in lines {
      #expect(line.contains(#/^.+:[0-9]+: (error|warning): ./#), "\(line)")
    }
  }

  @Test func whatNoKeyShowsIsFoundToo() throws {
    let (outcome, file) = try check(
      """
      [view]
      zoom = 19
      max_zoom = 12
      [cache]
      memory = "1MiB"
      [[source]]
      name = "osm"
      path = "\(DaemonProcess.tiles)"
      [[input.key]]
      key = "KEY_A"
      action = "source:osn"
      """)
    #expect(outcome.status == 0)
    for (line, words) in [(2, "view.zoom: 19 is outside"), (5, "1 MiB"), (11, "perhaps \"osm\"")] {
      let found = outcome.text.split(separator: "\n").filter {
        $0.hasPrefix("\(file):\(line): warning: ")
      }
      #expect(found.contains { $0.contains(words) }, "\(line): \(outcome.text)")
    }
    let (half, _) = try check("[cache]\nmemory = \"0.5\"\n")
    #expect(half.status == 78)
  }

  @Test func everyFindingIsTold() throws {
    let (outcome, file) = try check("[view]\nzom = 5\n[hud]\nnorht = true\n")
    #expect(outcome.status == 78)
    #expect(outcome.text.contains("\(file):2: error: "))
    #expect(outcome.text.contains("\(file):4: error: "))
  }

  @Test func filesAreOpenedAlthoughThereAreErrorsElsewhere() throws {
    let (outcome, file) = try check(
      """
      [view]
      zom = 3
      [display]
      scale = 9
      [[source]]
      name = "gone"
      path = "/nonexistent/a.mbtiles"
      [[source]]
      name = "bad"
      path = "/nonexistent/b.mbtiles"
      opacity = 7
      [[source]]
      name = "osm"
      path = "\(DaemonProcess.tiles)"
      min_zoom = 3
      max_zoom = 5
      tile_size = 512
      [[overlay]]
      name = "ways"
      path = "/nonexistent/c.gpx"
      [[overlay]]
      path = ""
      [[input.key]]
      key = "KEY_A"
      action = "source:lost"
      [[tour]]
      center = [46, 7]
      zoom = 8
      source = "bad"
      """)
    #expect(outcome.status == 78)
    let found = outcome.text.split(separator: "\n").map { $0.dropFirst(file.count + 1) }
    let lines = found.map { Int($0.prefix { $0 != ":" }) ?? 0 }
    // Nothing of names that may be in what could not be read, and nothing twice.
    #expect(lines == [2, 4, 11, 22, 5, 18], "\(outcome.text)")
    #expect(outcome.text.contains("source \"gone\": "))
    #expect(outcome.text.contains("overlay \"ways\": "))
  }

  @Test func versionAndHelpGoToStandardOutput() throws {
    let waypostd = try Program.built("waypostd")
    let version = try waypostd.run(["--version"])
    #expect(version.status == 0)
    #expect(version.text == "waypostd \(Release.version)\n")
    let help = try waypostd.run(["--help"])
    #expect(help.status == 0)
    for option in ["--config", "--check-config", "--demo", "--keep-going", "--display", "--socket"]
    {
      #expect(help.text.contains("\n  \(option) "))
    }
  }

  @Test(arguments: [
    ["--no-such-option"], ["--config"], ["--display", "screen"], ["--log-level", "loud"], ["map"],
    ["--demo=yes"], ["--demo", "--config", "waypost.toml"],
    ["--socket", "/" + String(repeating: "x", count: 108)],
  ])
  func wrongUsageGives64(_ arguments: [String]) throws {
    let outcome = try Program.built("waypostd").run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.text == "")
    #expect(outcome.errors.hasPrefix("waypostd: "))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func withoutADisplayItEndsWith69() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "[display]\nbackend = \"fbdev\"\ndevice = \"/nonexistent\"\n", to: "waypost.toml")
    let outcome = try Program.built("waypostd").run(["--config", file, "--socket", folder["s"]])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("fbdev"))
    #expect(access(folder["s"], F_OK) != 0)
  }
}
