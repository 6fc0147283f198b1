/// How files of vector tiles are called.
package enum VectorTileNames {
  /// Their endings.
  private static let plain = ["pbf", "mvt"]
  /// Their endings where the name says that they are compressed.
  package static let packed = ["pbf.gz", "mvt.gz", "pbf.br", "mvt.br", "pbf.zst", "mvt.zst"]

  /// Whether the path of a file ends as those of vector tiles do.
  package static func areNamed(by path: some StringProtocol) -> Bool {
    let name = path.lowercased()
    return (plain + packed).contains { name.hasSuffix(".\($0)") }
  }
}
