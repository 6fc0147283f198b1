/// What the style language says of a property.
struct PropertySpec {
  /// What its expressions may read.
  enum Parameters: Int {
    /// Nothing.
    case none
    /// The zoom.
    case zoom
    /// The zoom and the feature.
    case feature
  }

  let name: String
  /// Nil: any.
  let type: StyleType?
  let parameters: Parameters
  /// Whether its values can be interpolated: functions of stops then do so.
  let interpolated: Bool
  /// Whether `{name}` in a constant stands for a feature's property.
  let tokens: Bool
  /// The words that it may be.
  let choices: [String]?
  /// The value of functions of stops where they are undefined.
  let fallback: StyleValue?

  init(
    _ name: String, _ type: StyleType?, _ parameters: Parameters, interpolated: Bool = false,
    tokens: Bool = false, choices: [String]? = nil, fallback: StyleValue? = nil
  ) {
    self.name = name
    self.type = type
    self.parameters = parameters
    self.interpolated = interpolated
    self.tokens = tokens
    self.choices = choices
    self.fallback = fallback
  }

  /// What is expected, in words.
  var expected: String {
    if let choices { return choices.map { "\"\($0)\"" }.joined(separator: " or ") }
    return type.map { "\($0)" } ?? "a value"
  }
}
