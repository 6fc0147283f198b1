import Control
import Packs

extension PackTables {
  /// How much a region takes.
  ///
  /// - Parameters:
  ///   - plan: tiles and bytes.
  ///   - sample: the pack that was looked at; nil: none.
  ///   - target: where the pack is to lie.
  ///   - free: bytes that are free there; nil where that is not known.
  /// - Returns: a table, and where the bytes come from.
  static func plan(_ plan: PackPlan, sample: String?, _ target: String, free: UInt64?) -> String {
    var rows = [["ZOOM", "TILES", "BYTES"]]
    for level in plan.levels {
      rows.append(["\(level.zoom)", "\(level.tiles)", Tables.bytes(Int(level.bytes))])
    }
    rows.append(["all", "\(plan.tiles)", Tables.bytes(Int(plan.bytes))])
    var text = Tables.columns(rows) + "\n"
    if let sample, plan.sizes.isMeasured {
      text += "bytes: measured from \(plan.sizes.found) tiles of \(sample)"
    } else {
      text += "bytes: by the default of \(Int(TileSizes.usual / 1000)) KB a tile"
      if let sample { text += "; \(sample) has none of these" }
    }
    guard let free else { return text + "\nroom: not known at \(target)" }
    let fits = plan.bytes <= free ? "it fits" : "it does not fit"
    return text + "\nroom: \(fits); \(Tables.bytes(Int(clamping: free))) are free at \(target)"
  }

  /// The same as JSON.
  static func planned(_ plan: PackPlan, _ target: String, free: UInt64?) -> JSON {
    [
      "zooms": .array(
        plan.levels.map {
          [
            "zoom": .int(Int64($0.zoom)), "tiles": .int(Int64($0.tiles)),
            "bytes": .int(Int64($0.bytes)),
          ]
        }),
      "tiles": .int(Int64(plan.tiles)), "bytes": .int(Int64(plan.bytes)),
      "basis": .string(plan.sizes.isMeasured ? "sample" : "default"),
      "sampled": .int(Int64(plan.sizes.found)), "target": .string(target),
      "free": free.map { .int(Int64(clamping: $0)) } ?? .null,
      "fits": free.map { .bool(plan.bytes <= $0) } ?? .null,
    ]
  }
}
