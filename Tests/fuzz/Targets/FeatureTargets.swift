import MapGeometry

@testable import Features
@testable import Packs

/// Files of overlays, markers and regions. `FeatureLimits` allows 2,000,000 points in 32 MiB; an
/// input here is too short for that, so what is checked is that a short file cannot take much:
/// neither nesting, nor entities, nor a line that goes around the world many times.
extension FuzzTarget {
  static let features: [FuzzTarget] = [
    FuzzTarget("geojson", of: ["Features"], mebibytes: 64) { try read($0) },
    FuzzTarget("gpx", of: ["Features"], mebibytes: 64) { try read($0) },
    FuzzTarget("kml", of: ["Features"], mebibytes: 64) { try read($0) },
    FuzzTarget("points", of: ["Packs/Regions/PointTable.swift"], mebibytes: 16) { bytes in
      let file = [UInt8](bytes)
      guard PointTable.isTable(file) else { return }
      _ = try? PointTable(file, file: "fuzz.csv")
    },
  ]

  private static func read(_ bytes: UnsafeRawBufferPointer) throws {
    let file = [UInt8](bytes)
    let all: [FeatureOptions] = [
      FeatureOptions(), FeatureOptions(labelKey: "name", colorBy: .speed),
      FeatureOptions(labelKey: "desc", colorBy: .elevation),
    ]
    for options in all {
      guard let set = try? FeatureSet(bytes: file, name: "fuzz", options: options) else { continue }
      try check(set)
    }
  }

  private static func check(_ set: FeatureSet) throws {
    try promise(set.points.count <= FeatureLimits.points, "too many points")
    try promise(set.features.count <= FeatureLimits.features, "too many features")
    try promise(set.warnings.count <= FeatureSet.maxWarnings, "too many warnings")
    var end: Int32 = 0
    for part in set.parts {
      try promise(part.end >= end, "parts that overlap")
      end = part.end
    }
    try promise(Int(end) == set.points.count, "points without a part")
    for feature in set.features {
      try promise(feature.partRange.upperBound <= set.parts.count, "a feature beyond the parts")
      try promise(Int(feature.style) < set.styles.count, "a feature without a style")
      let label = set.label(of: feature)
      try promise(label?.utf8.count ?? 0 <= FeatureLimits.text, "a label that is too long")
      for part in feature.partRange where set.parts[part].kind == .circle {
        _ = set.circleBox(part)
      }
    }
    if let bounds = set.bounds {
      try promise(bounds.south <= bounds.north, "bounds of \(bounds.south) to \(bounds.north)")
    }
  }
}
