extension Configuration.Overlay {
  /// A list of dashes has at most this many lengths.
  public static let mostDashes = 8
  /// Dashes that have a name.
  public static let namedDashes = [
    "boundary": [10.0, 4, 2, 4], "closed": [3.0, 5], "trail": [8.0, 5],
  ]
}

extension Configuration.Overlay.Casing: CustomStringConvertible {
  /// As it is written in a configuration.
  public var description: String {
    switch self {
    case .auto: "auto"
    case .none: "none"
    case .color(let color): color.description
    }
  }
}

/// How the lines of an overlay are written in a configuration.
extension ConfigValue {
  /// A line's casing: "auto", "none" or a colour.
  var casing: Configuration.Overlay.Casing? {
    switch string {
    case "auto": .auto
    case "none": Configuration.Overlay.Casing.none
    default: color.map { .color($0) }
    }
  }

  /// Dashes: their name, or lengths in points, of which some are drawn and some are gaps.
  var dash: [Double]? {
    if let string {
      return Configuration.Overlay.namedDashes[string] ?? (string == "none" ? [] : nil)
    }
    guard let array, array.count <= Configuration.Overlay.mostDashes else { return nil }
    var lengths: [Double] = []
    for element in array {
      guard let length = element.number, (0...1000).contains(length) else { return nil }
      lengths.append(length)
    }
    if lengths.isEmpty { return [] }
    // An odd list is repeated, so that its gaps become dashes.
    let total = lengths.reduce(0, +)
    return total >= 1 ? lengths : nil
  }
}

extension Expected {
  static let casing = "a colour such as \"#ffffffd9\", or \"auto\" or \"none\""
  static let dash =
    "at most \(Configuration.Overlay.mostDashes) lengths from 0 to 1000 points, drawn and left out in "
    + "turn, such as [8, 5], or one of \"trail\", \"closed\", \"boundary\" and \"none\""
}
