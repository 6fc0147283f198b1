/// `rgb` and `rgba`
final class ColorNode: StyleNode {
  let type = StyleType.color
  private let channels: [any StyleNode]

  /// - Parameter channels: Three or four.
  init(_ channels: [any StyleNode]) { self.channels = channels }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    var values: [Double] = []
    for channel in channels { values.append(try channel.number(context)) }
    guard values.count >= 3,
      let color = ColorNode.color(
        values[0], values[1], values[2], alpha: values.count == 4 ? values[3] : 1)
    else { throw StyleFailure() }
    return .color(color)
  }

  /// A colour of channels 0 ... 255; nil if one is beyond.
  static func color(
    _ red: Double, _ green: Double, _ blue: Double, alpha: Double
  ) -> StyleColor? {
    let bytes = 0.0...255
    guard bytes.contains(red), bytes.contains(green), bytes.contains(blue),
      (0.0...1).contains(alpha)
    else { return nil }
    return StyleColor(red: red / 255, green: green / 255, blue: blue / 255, alpha: alpha)
  }
}

/// `to-rgba`
final class ChannelsNode: StyleNode {
  let type = StyleType.array(.number, 4)
  private let color: any StyleNode

  init(_ color: any StyleNode) { self.color = color }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    guard case .color(let color) = try color.evaluate(context) else { throw StyleFailure() }
    return .array([
      .number(color.red * 255), .number(color.green * 255), .number(color.blue * 255),
      .number(color.alpha),
    ])
  }
}
