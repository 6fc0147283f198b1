import TestSupport

@testable import Features

extension FeatureSet {
  /// Features from a text.
  static func text(_ text: String, label: String? = nil) throws -> FeatureSet {
    try FeatureSet(
      bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: label))
  }

  /// How many parts there are of each kind.
  var kinds: [FeaturePart.Kind: Int] {
    Dictionary(parts.map { ($0.kind, 1) }, uniquingKeysWith: +)
  }

  /// The style of a feature.
  func style(_ feature: Int) -> FeatureStyle { styles[Int(features[feature].style)] }
}

/// The error that a text is refused with, nil where it is not.
func refusal(_ text: String) -> FeatureError? {
  do {
    _ = try FeatureSet(bytes: Array(text.utf8), name: "inline")
    return nil
  } catch {
    return error
  }
}
