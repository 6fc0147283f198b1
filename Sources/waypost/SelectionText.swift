import Control
import Platform

/// A selected line in a few lines of text.
enum SelectionText {
  static func lines(_ info: SelectionInfo) -> String? {
    guard let overlay = info.overlay else { return nil }
    var rows: [String] = []
    func add(_ label: String, _ value: String?) {
      if let value { rows.append("\(label.escaped): \(value.escaped)") }
    }
    func metres(_ value: Double?) -> String? { value.map { "\(Int($0.rounded())) m" } }
    add("name", info.name)
    add("overlay", overlay)
    add("feature", info.feature.map(String.init))
    add("length", metres(info.length))
    add("ascent", metres(info.ascent))
    add("descent", metres(info.descent))
    add("lowest", metres(info.lowest))
    add("highest", metres(info.highest))
    add("time", info.seconds.map { "\(Int(($0 / 60).rounded())) min" })
    add("position", metres(info.along))
    if info.isClosed == true { add("closed", "yes") }
    for (key, value) in info.properties.sorted(by: { $0.key < $1.key }) { add(key, value) }
    return rows.joined(separator: "\n")
  }
}
