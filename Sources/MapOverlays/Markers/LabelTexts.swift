/// The lines of labels with their sizes, kept because a turning map places the same labels in every
/// frame.
struct LabelTexts {
  /// A text in a style.
  struct Key: Hashable {
    var text: String
    var style: MarkerArt.Style
  }

  /// The lines of a label, and the size of its picture in pixels.
  struct Lines {
    var lines: [String]
    var width: Int
    var height: Int
  }

  /// More texts than this are forgotten.
  private static let most = 4096

  private var known: [Key: Lines] = [:]

  mutating func removeAll() { known.removeAll(keepingCapacity: true) }

  /// The lines for `key`, broken by `measure` if they are not known.
  mutating func lines(_ key: Key, measure: () -> Lines) -> Lines {
    if let lines = known[key] { return lines }
    if known.count >= LabelTexts.most { known.removeAll(keepingCapacity: true) }
    let lines = measure()
    known[key] = lines
    return lines
  }
}
