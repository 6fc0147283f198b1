import MapGeometry
import TileSources

extension PackReport {
  /// The report as one JSON object.
  package var json: String {
    var members: [(name: String, json: String)] = [
      ("file", JSONText.string(file)), ("kind", JSONText.string(kind.name)),
      ("format", PackReport.text(format)), ("compression", PackReport.text(compression)),
      ("tile_pixels", tilePixels.map { "\($0)" } ?? "null"),
      ("min_zoom", tally.zooms.map { "\($0.lowerBound)" } ?? "null"),
      ("max_zoom", tally.zooms.map { "\($0.upperBound)" } ?? "null"),
      ("bounds", PackReport.list(bounds?.array)),
      ("tiles", "\(tally.addressed)"),
      ("distinct", distinct.map { "\($0)" } ?? "null"),
      ("bytes", bytes.map { "\($0)" } ?? "null"),
      ("name", PackReport.text(plain("name"))),
      ("attribution", PackReport.text(plain("attribution"))),
      ("schema", PackReport.text(schema)),
      ("layers", "[" + layers.map(JSONText.string).joined(separator: ",") + "]"),
      ("zooms", "[" + zoomObjects.joined(separator: ",") + "]"),
    ]
    if let verification { members += PackReport.members(verification) }
    return JSONText.object(members)
  }

  /// What it covers: as stated, else as its tiles do.
  package var bounds: GeoBounds? { description.bounds ?? tally.bounds }

  /// A text of the metadata without markup; nil if there is none.
  package func plain(_ name: String) -> String? {
    let text = PlainText.stripping(html: description.text(name))
    return text.isEmpty ? nil : text
  }

  private var zoomObjects: [String] {
    tally.levels.enumerated().compactMap { zoom, level in
      level.map {
        JSONText.object([
          ("zoom", "\(zoom)"), ("tiles", "\($0.tiles)"),
          ("columns", "[\($0.columns.lowerBound),\($0.columns.upperBound)]"),
          ("rows", "[\($0.rows.lowerBound),\($0.rows.upperBound)]"),
        ])
      }
    }
  }

  private static func members(_ found: Verification) -> [(name: String, json: String)] {
    let broken = found.brokenTiles.map {
      JSONText.object([
        ("tile", JSONText.string("\($0.tile)")), ("reason", JSONText.string($0.reason)),
      ])
    }
    let holes = found.holes.map { level in
      JSONText.object([
        ("zoom", "\(level.zoom)"), ("expected", "\(level.expected)"),
        ("missing", "\(level.missing)"), ("outside", "\(level.outside)"),
        (
          "examples",
          "[" + level.examples.map { JSONText.string("\($0)") }.joined(separator: ",") + "]"
        ),
      ])
    }
    return [
      ("good", found.isGood ? "true" : "false"), ("checksum", JSONText.string(found.checksum)),
      ("broken", "\(found.broken)"),
      ("broken_tiles", "[" + broken.joined(separator: ",") + "]"),
      ("problems", list(found.problems)), ("warnings", list(found.warnings)),
      ("coverage", "[" + holes.joined(separator: ",") + "]"),
    ]
  }

  private static func list(_ problems: ProblemList) -> String {
    let kinds = problems.kinds.map { kind in
      JSONText.object([
        ("what", JSONText.string(kind.what)), ("count", "\(kind.count)"),
        ("examples", "[" + kind.examples.map(JSONText.string).joined(separator: ",") + "]"),
      ])
    }
    return "[" + kinds.joined(separator: ",") + "]"
  }

  private static func list(_ numbers: [Double]?) -> String {
    guard let numbers else { return "null" }
    return "[" + numbers.map { $0.isFinite ? "\($0)" : "null" }.joined(separator: ",") + "]"
  }

  private static func text(_ text: String?) -> String { text.map(JSONText.string) ?? "null" }
}
