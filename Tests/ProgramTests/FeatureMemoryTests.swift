import Foundation
import TestSupport
import Testing

/// Whether the compiler optimised: without, reading so much takes minutes.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// Reading the largest files of features takes at most 64 MiB beside what they become.
@Suite(
  .serialized, .disabled(if: isEmulated, "an emulator's memory is counted as the program's"),
  .enabled(if: isOptimised, "files of 32 MiB: run in an optimised build, as `.ci/run` does"))
struct FeatureMemoryTests {
  /// The part of the largest file, and of its memory, that is tried.
  static let part = 1
  static let fileBytes = (32 << 20) / part
  static let limit = (64 << 20) / part
  /// What the runs of a program differ by, whatever they read.
  static let noise = 3 << 20

  /// A file of features: its beginning, what is repeated, what is between two, and its end.
  struct Shape: Sendable, CustomStringConvertible {
    var name: String
    var head: String
    var item: String
    var tail: String
    /// The most items of a file of full size.
    var most = Int.max
    /// Bytes that an item becomes: 8 for a point, 52 for a feature of one part.
    var becomes: Int
    var description: String { name }

    func text(of bytes: Int) -> String {
      let room = (bytes - head.utf8.count - tail.utf8.count - item.utf8.count) / item.utf8.count
      let count = min(room, most / FeatureMemoryTests.part)
      let last = item.hasSuffix(",") ? String(item.dropLast()) : item
      return head + String(repeating: item, count: count) + last + tail
    }

    func becomes(_ text: String) -> Int { text.utf8.count / item.utf8.count * becomes }
  }

  static let shapes = [
    Shape(
      name: "line.geojson", head: #"{"type":"LineString","coordinates":["#,
      item: "[1.25,50.125,9],[1.5,51.5,8],", tail: "]}", most: 999_000, becomes: 16),
    Shape(
      name: "ring.geojson", head: #"{"type":"Polygon","coordinates":[["#,
      item: "[1.25,50.125],[1.5,51.5],[1,52],", tail: "]]}", most: 666_000, becomes: 24),
    Shape(
      name: "lines.geojson", head: #"{"type":"MultiLineString","coordinates":["#,
      item: "[[0,1],[1,1]],", tail: "]}", most: 666_000, becomes: 24),
    Shape(
      name: "cards.geojson",
      head: #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]},"#
        + #""properties":{"#, item: #""name":1,"#, tail: "}}", becomes: 0),
    Shape(
      name: "line.kml", head: "<kml><Placemark><LinearRing><coordinates>",
      item: "1.25,50.125,9 1.5,51.5,8 ",
      tail: "</coordinates></LinearRing></Placemark></kml>", most: 999_000, becomes: 16),
    Shape(
      name: "segments.gpx", head: "<gpx><trk>",
      item: #"<trkseg><trkpt lat="50" lon="1"/></trkseg>"#, tail: "</trk></gpx>", becomes: 16),
    Shape(
      name: "tracks.gpx", head: "<gpx>",
      item: #"<trk><trkseg><trkpt lat="50" lon="1"/></trkseg></trk>"#, tail: "</gpx>", becomes: 52),
  ]

  /// The most memory of a program that draws a corner of the map without the overlay's features.
  private func peak(_ folder: TemporaryFolder, _ overlay: String) throws -> Int {
    let program = try Program.built("waypost").start([
      "render", "--source", DaemonProcess.tiles, "--center=-60,-150", "--zoom", "5", "--size",
      "64x64", "--overlay", overlay, "-o", folder["out.png"],
    ])
    let peak = program.peakUntilItsEnd()
    let outcome = program.outcome()
    #expect(outcome.status == 0, "\(overlay): \(outcome.errors)")
    return peak
  }

  @Test(arguments: shapes) func ofTheLargestFiles(_ shape: Shape) throws {
    let folder = try TemporaryFolder()
    let small = try folder.write(shape.text(of: 1000), to: "small-" + shape.name)
    let text = shape.text(of: Self.fileBytes)
    let large = try folder.write(text, to: shape.name)
    let beside = try peak(folder, large) - peak(folder, small) - shape.becomes(text)
    print("\(shape.name): \(beside >> 20) MiB beside what it becomes")
    #expect(beside <= Self.limit + Self.noise)
  }
}
