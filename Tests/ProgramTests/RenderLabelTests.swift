import Foundation
import TestSupport
import Testing

/// The words of overlays on pictures that are made without a daemon.
@Suite struct RenderLabelTests {
  private static let size = (width: 300, height: 200)

  private static let features = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Ridge trail","name:de":"Gratweg","stroke":"#0000ff"},
    "geometry":{"type":"LineString","coordinates":[[2,40.98],[20,40.98]]}},
    {"type":"Feature","properties":{"name":"Hut"},
    "geometry":{"type":"Point","coordinates":[11.25,39.5]}}]}
    """

  private func picture(_ words: String...) throws -> [UInt32] {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.features, to: "trails.geojson")
    let out = folder["out.png"]
    let outcome = try Program.built("waypost").run(
      [
        "render", "--source", DaemonProcess.tiles, "--center", "40.98,11.25", "--zoom", "5",
        "--size", "\(Self.size.width)x\(Self.size.height)", "--overlay", path, "-o", out,
      ] + words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let picture = try Mosaic.decode(file: out)
    try #require(picture.width == Self.size.width && picture.height == Self.size.height)
    return picture.words
  }

  /// The rows in which two pictures differ.
  private func rows(_ one: [UInt32], _ other: [UInt32]) -> [Int] {
    (0..<Self.size.height).filter { row in
      let range = row * Self.size.width..<(row + 1) * Self.size.width
      return one[range] != other[range]
    }
  }

  @Test func aLinesNameStandsBesideItAndAPointsBesideThePoint() throws {
    let rows = rows(try picture(), try picture("--label", "name"))
    // The line is in the middle row, the point about 45 rows below.
    #expect(rows.contains { $0 > 75 && $0 < 97 })
    #expect(rows.contains { $0 > 120 })
    #expect(!rows.contains { $0 > 104 && $0 < 125 })
  }

  @Test func aPropertyThatNothingHasIsNoText() throws {
    #expect(try picture() == picture("--label", "title"))
  }

  @Test func namesAreInTheLanguageOfThePicture() throws {
    let (local, german) = (
      try picture("--label", "name"), try picture("--label", "name", "--language", "de")
    )
    let differing = rows(local, german)
    #expect(!differing.isEmpty)
    #expect(differing.allSatisfy { $0 < 100 }, "the hut has one name only")
  }
}
