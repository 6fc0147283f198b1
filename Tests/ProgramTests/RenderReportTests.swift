import Control
import Foundation
import TestSupport
import Testing

/// What `waypost render` says of the tiles that it needs, and what it refuses.
@Suite struct RenderReportTests {
  private static let boston = TestData.large.map { $0 + "/vector/packs/boston-buildings.mbtiles" }

  private func render(_ words: [String]) throws -> Program.Outcome {
    try Program.built("waypost").run(["render", "--size", "512x512"] + words)
  }

  /// A folder with two tiles of level 1, of which `broken` are no pictures.
  private func folder(broken: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let picture = try Data(contentsOf: URL(fileURLWithPath: DaemonProcess.tiles + "/5/16/11.png"))
    for (n, name) in ["0", "1"].enumerated() {
      let path = folder["map/1/\(name)"]
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let bytes = n < broken ? Data("version https://git-lfs.github.com/spec/v1\n".utf8) : picture
      try bytes.write(to: URL(fileURLWithPath: path + "/0.png"))
    }
    return folder
  }

  @Test func brokenTilesAreCountedWithTheFirstReason() throws {
    let folder = try folder(broken: 1)
    let outcome = try render(
      ["--source", folder["map"], "--center", "0,0", "--zoom", "1", "-o", folder["a.png"]])
    #expect(outcome.status == 65)
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 3, "\(outcome.errors)")
    #expect(outcome.errors.contains("2 of the 4 tiles are not in it"))
    #expect(outcome.errors.contains("1 of the 4 tiles could not be read; the first, 1/0/0: "))
    #expect(outcome.errors.contains("Git LFS"))
    #expect(outcome.errors.contains("drawn without the tiles"))
    #expect(FileManager.default.fileExists(atPath: folder["a.png"]))
  }

  @Test func aStyleThatIsNotThereIsRefusedForPicturesToo() throws {
    let folder = try TemporaryFolder()
    let words = ["--source", DaemonProcess.tiles, "--zoom", "5", "-o", folder["a.png"]]
    let center = ["--center", "40.98, 11.25"]
    let refused = try render(words + center + ["--style", folder["nope.json"]])
    #expect(refused.status == 65)
    #expect(refused.errors.contains("--style: \(folder["nope.json"]): "), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder["a.png"]))
    try folder.write("{}", to: "there.json")
    let drawn = try render(words + center + ["--style", folder["there.json"]])
    #expect(drawn.status == 0)
    #expect(drawn.errors.contains("--style has no effect: the tiles are pictures (png)"))
  }

  @Test func aCenterMayHaveSpaces() throws {
    let folder = try TemporaryFolder()
    for center in ["40.98, 11.25", " 40.98 , 11.25 "] {
      let outcome = try render(
        ["--source", DaemonProcess.tiles, "--center", center, "--zoom", "5", "-o", folder["a.png"]])
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let refused = try render(["--source", DaemonProcess.tiles, "--center", "46 7"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("it is LAT,LON in degrees, such as 46.02,7.75"))
  }

  @Test func aPictureOfNothingButBrokenTilesFails() throws {
    let folder = try folder(broken: 2)
    let outcome = try render(
      ["--source", folder["map"], "--center", "0,0", "--zoom", "1", "-o", folder["a.png"]])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("nothing could be drawn"))
  }

  @Test func aViewWithoutDataIsAWarningThatNamesTheArea() throws {
    let folder = try TemporaryFolder()
    let outcome = try render(
      [
        "--source", DaemonProcess.tiles, "--center", "-40,-120", "--zoom", "5", "-o",
        folder["a.png"],
      ])
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("no tile of this view is in it; it has the zooms 3 to 5"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func aWholePictureSaysNothing() throws {
    let folder = try TemporaryFolder()
    let outcome = try render(
      [
        "--source", DaemonProcess.tiles, "--center", "44.3,5.6", "--zoom", "5", "--size", "64x64",
        "-o", folder["a.png"],
      ])
    #expect(outcome.status == 0)
    #expect(outcome.errors == "" && outcome.text == "")
  }

  @Test func jsonHasTheFileItsSizeAndTheTiles() throws {
    let folder = try folder(broken: 1)
    let outcome = try render(
      [
        "--json", "--source", folder["map"], "--center", "0,0", "--zoom", "1", "-o",
        folder["a.png"],
      ])
    let answer = try JSON.parse(outcome.text)
    let wanted: JSON = [
      "file": .string(folder["a.png"]), "width": 512, "height": 512, "tiles": 4, "missing": 2,
      "broken": 1,
    ]
    #expect(answer == wanted, "\(outcome.text)")
  }

  @Test(arguments: [
    (["-o", "g.jpg"], "g.jpg: pictures are written as PNG; give g.png"),
    (["-o", "a.b/g.WebP"], "give a.b/g.png"),
    (["--language", "klingon"], "\"klingon\", but it is a language, such as de"),
    (["--scale", "5"], "it is 1, 2, 3 or 4"), (["--json", "-o", "-"], "give a file with -o"),
    (["--source", "https://a.example/{z}/{x}/{y}.png"], "waypost pack fetch --url 'https://a"),
    (["--source", "HTTPS://a.example/a.pmtiles"], "waypost pack extract 'HTTPS://a"),
  ])
  func whatCannotBeIsRefusedWithWhatCan(_ words: [String], _ hint: String) throws {
    let outcome = try Program.built("waypost").run(
      ["render"] + (words[0] == "--source" ? [] : ["--source", "a"]) + words)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(hint), "\(outcome.errors)")
  }

  @Test(arguments: [1, 2, 3, 4]) func everyScaleOfADisplayIsDrawn(_ scale: Int) throws {
    let folder = try TemporaryFolder()
    let outcome = try render(
      [
        "--source", DaemonProcess.tiles, "--center", "44.3,5.6", "--zoom", "5", "--scale",
        "\(scale)", "--size", "64x64", "-o", folder["a.png"],
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(.enabled(if: boston != nil, "skipped: the data set is not there"))
  func aMapOfAnUnknownSchemaIsGivenTheOptionForAStyle() throws {
    let outcome = try render(["--source", try #require(Self.boston)])
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("a style of its own, such as --style mine.json"))
  }
}
