import Control
import MapScene
import TileLoading
import TileSources

/// What is said of a picture that was drawn.
struct RenderReport {
  let request: StillRequest
  let info: SourceInfo
  let tally: StillTally
  /// The first errors of tiles, and how many there were.
  let errors: [TileError]
  let errorCount: Int

  /// The object that `--json` prints.
  var json: JSON {
    [
      "file": .string(request.output), "width": .int(Int64(request.width)),
      "height": .int(Int64(request.height)), "tiles": .int(Int64(tally.tiles)),
      "missing": .int(Int64(tally.missing)), "broken": .int(Int64(tally.broken)),
    ]
  }

  /// What the picture lacks because the source does not have it; nil: nothing.
  var missing: String? {
    if tally.missing > 0, tally.drawn == 0, tally.broken == 0 {
      return "\(request.source): no tile of this view is in it; \(extent)"
    }
    // The view lies above all of its levels.
    if tally.tiles == 0 { return "\(request.source): has no tiles for this zoom; \(extent)" }
    if tally.missing == 0 { return nil }
    return "\(request.source): \(tally.missing) of the \(tally.tiles) tiles are not in it"
  }

  /// How many tiles could not be read, and why the first could not; nil: all could.
  var broken: String? {
    guard let first = errors.first else { return nil }
    let file = first.file.isEmpty ? request.source : first.file
    let count = max(tally.broken, 1)
    return
      "\(file): \(count) of the \(max(tally.tiles, count)) tiles could not be read; the first, "
      + "\(first.tile): \(first.reason)"
  }

  /// The failure of a picture with broken tiles; nil if there are none.
  var failure: Failure? {
    if errorCount == 0 { return nil }
    return Failure(
      Failure.badData,
      tally.drawn == 0
        ? "\(request.output): nothing could be drawn"
        : "\(request.output): drawn without the tiles that could not be read")
  }

  /// The zooms and the area of the source.
  private var extent: String {
    var text = "it has the zooms \(info.minZoom) to \(info.maxZoom)"
    if info.minZoom == info.maxZoom { text = "it has the zoom \(info.minZoom)" }
    guard let box = info.bounds else { return text }
    let sides = [box.west, box.south, box.east, box.north].map {
      Tables.number(($0 * 1000).rounded() / 1000)
    }
    return text + " of the area \(sides.joined(separator: ","))"
  }

  /// Prints all of it.
  ///
  /// - Throws: `failure`.
  func tell() throws {
    if let missing { Output.error("waypost: \(missing)") }
    if let broken { Output.error("waypost: \(broken)") }
    if request.printsJSON { try Output.line(json.text) }
    if let failure { throw failure }
  }
}
