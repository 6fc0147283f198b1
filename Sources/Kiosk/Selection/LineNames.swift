import Configuration
import Features
import Platform

/// The names of an overlay's lines: what the file calls them, and their labels.
struct LineNames {
  private let set: FeatureSet

  init(_ set: FeatureSet) { self.set = set }

  /// The first line of that name; nil: there is none.
  func first(called name: String) -> Int? {
    set.features.indices.first { isLine($0) && names(of: $0).contains(name) }
  }

  /// What people call the first feature of a name, in the language that the file was read for.
  ///
  /// - Parameter name: One of its names.
  /// - Returns: The name; nil: there is no such feature among the first.
  func shown(forFeature name: String) -> String? {
    set.features.indices.prefix(LineNames.mostSought).lazy.map(names)
      .first { $0.contains(name) }?.first
  }

  /// Among how many features the one that a notice closes is looked for.
  private static let mostSought = 2048

  /// Why there is no line of that name in `overlay`, with the name that was probably meant.
  func refusal(of name: String, in overlay: String) -> String {
    let known = set.features.indices.lazy.filter(isLine).flatMap(names)
    let nearest = NearestName.find(name, among: Array(known.prefix(LineNames.mostCompared)))
    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
    return "no line of \(overlay) is called \"\(NearestName.shorten(name))\"\(hint)"
  }

  /// How many names are compared with one that is unknown.
  private static let mostCompared = 1000

  private func isLine(_ number: Int) -> Bool {
    set.features[number].partRange.contains { set.parts[$0].kind == .line }
  }

  /// The names of a feature in the languages that the file was read for, and its label.
  private func names(of number: Int) -> [String] {
    // The first keys of cards are those of the name.
    let texts = set.cardTexts(of: number).filter { $0.key < Configuration.Overlay.cardSlots }
    return texts.map(\.text) + [set.label(of: set.features[number])].compactMap { $0 }
  }
}
