import Control

/// A selected line in a few lines of text.
enum SelectionText {
  static func lines(_ info: SelectionInfo) -> String? {
    guard let overlay = info.overlay else { return nil }
    func metres(_ value: Double?) -> String? { value.map { "\(Int($0.rounded())) m" } }
    let rows: [(String, String?)] =
      [
        ("name", info.name), ("overlay", overlay), ("feature", info.feature.map(String.init)),
        ("length", metres(info.length)), ("ascent", metres(info.ascent)),
        ("descent", metres(info.descent)), ("lowest", metres(info.lowest)),
        ("highest", metres(info.highest)),
        ("time", info.seconds.map { "\(Int(($0 / 60).rounded())) min" }),
        ("position", metres(info.along)),
      ] + info.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return rows.compactMap { row in row.1.map { "\(row.0): \($0)" } }.joined(separator: "\n")
  }
}
