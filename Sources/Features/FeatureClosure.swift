/// What of a file of features is closed: all of it, or the features of some names.
public struct FeatureClosure: Sendable, Equatable {
  /// Whether all features are closed.
  public var isWhole: Bool
  /// The names of the closed features: their property `name`, or the one that is their label.
  public var names: Set<String>

  /// Creates a closure.
  ///
  /// - Parameters:
  ///   - isWhole: Whether all features are closed.
  ///   - names: The names of the closed features.
  public init(isWhole: Bool = false, names: Set<String> = []) {
    self.isWhole = isWhole
    self.names = names
  }
}

extension FeatureOptions {
  /// Whether a feature is closed that has the value `value` for the property `key`.
  func closes(_ key: String, _ value: String) -> Bool {
    guard let closed, key == "name" || key == labelKey else { return false }
    return closed.names.contains(value)
  }
}
