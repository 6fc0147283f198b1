import Control
import MapGeometry
import Packs
import TileSources

/// Reports about packs for people.
enum PackTables {
  /// What a pack is.
  static func info(_ report: PackReport) -> String { Tables.columns(rows(report)) }

  /// What verifying found.
  static func verification(_ report: PackReport) -> String {
    guard let found = report.verification else { return info(report) }
    var rows = rows(report)
    rows.append(["checksum", found.checksum])
    rows.append(["coverage", coverage(found.holes)])
    rows.append(["broken tiles", "\(found.broken)"])
    var text = Tables.columns(rows)
    for (tile, reason) in found.brokenTiles { text += "\n  \(tile): \(reason)" }
    if found.broken > UInt64(found.brokenTiles.count) { text += "\n  …" }
    for problem in found.problems.kinds { text += "\nwrong: \(line(problem))" }
    for warning in found.warnings.kinds { text += "\nnote: \(line(warning))" }
    return text + "\n" + (found.isGood ? "The pack is good." : "The pack is bad.")
  }

  /// A pack that was made.
  static func made(
    _ path: String, tiles: UInt64, contents: UInt64, bytes: UInt64, broken: UInt64
  ) -> JSON {
    [
      "pack": .string(path), "tiles": .int(Int64(clamping: tiles)),
      "contents": .int(Int64(clamping: contents)), "bytes": .int(Int64(clamping: bytes)),
      "broken": .int(Int64(clamping: broken)),
    ]
  }

  /// "tiles are outside the map (3): 1/2/3; …".
  static func line(_ problem: ProblemList.Kind) -> String {
    var text = problem.what
    if problem.count > 1 { text += " (\(problem.count))" }
    if !problem.examples.isEmpty { text += ": " + problem.examples.joined(separator: "; ") }
    if problem.count > problem.examples.count, !problem.examples.isEmpty { text += "; …" }
    return text
  }

  private static func rows(_ report: PackReport) -> [[String]] {
    var format = report.format ?? "unknown"
    if let pixels = report.tilePixels { format += ", \(pixels) px" }
    if let compression = report.compression, compression != "none" { format += ", \(compression)" }
    var rows = [["kind", report.kind.name], ["format", format]]
    if let zooms = report.tally.zooms {
      rows.append(["zooms", "\(zooms.lowerBound)-\(zooms.upperBound)"])
    }
    if let bounds = report.bounds {
      rows.append(["bounds", bounds.array.map { Tables.number($0) }.joined(separator: " ")])
    }
    var tiles = "\(report.tally.addressed)"
    if let distinct = report.distinct { tiles += ", \(distinct) different" }
    rows.append(["tiles", tiles])
    if let bytes = report.bytes { rows.append(["size", Tables.bytes(Int(clamping: bytes))]) }
    if let name = report.plain("name") { rows.append(["name", name]) }
    rows.append(["attribution", report.plain("attribution") ?? "none"])
    if report.format == "mvt" {
      rows.append(["schema", report.schema ?? "unknown"])
      if !report.layers.isEmpty {
        rows.append(["layers", report.layers.prefix(40).joined(separator: " ")])
      }
    }
    for (zoom, level) in report.tally.levels.enumerated() {
      guard let level else { continue }
      rows.append(["zoom \(zoom)", "\(level.tiles)"])
    }
    return rows
  }

  /// "complete" or what is missing, level by level.
  private static func coverage(_ levels: [CoverageHoles.Level]) -> String {
    if levels.isEmpty { return "no bounds and zooms are stated" }
    let gaps = levels.filter { $0.missing > 0 }
    if gaps.isEmpty { return "complete within the stated bounds and zooms" }
    return gaps.map { level in
      var text = "zoom \(level.zoom): \(level.missing) of \(level.expected) missing"
      if !level.examples.isEmpty {
        text += " (\(level.examples.map { "\($0)" }.joined(separator: ", "))"
        text += level.missing > UInt64(level.examples.count) ? ", …)" : ")"
      }
      return text
    }.joined(separator: "; ")
  }
}
