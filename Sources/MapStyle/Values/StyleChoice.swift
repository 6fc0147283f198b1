/// A property's value that is one of a few words.
public protocol StyleChoice: RawRepresentable, Sendable, Hashable, CaseIterable
where RawValue == String {}

extension StyleValue {
  /// The number, if it is one, and neither infinite nor NaN.
  var finite: Double? { number.flatMap { $0.isFinite ? $0 : nil } }
}

extension StyleOffset {
  init?(style value: StyleValue) {
    guard let items = value.array, items.count == 2, let x = items[0].finite,
      let y = items[1].finite
    else { return nil }
    self.init(x: x, y: y)
  }
}

extension StylePadding {
  init?(style value: StyleValue) {
    guard let items = value.array, items.count == 4, let top = items[0].finite,
      let right = items[1].finite, let bottom = items[2].finite, let left = items[3].finite
    else { return nil }
    self.init(top: top, right: right, bottom: bottom, left: left)
  }
}

extension [StyleAnchorOffset] {
  /// Anchors and offsets in turn.
  init?(style value: StyleValue) {
    guard let items = value.array, items.count.isMultiple(of: 2) else { return nil }
    self = []
    for index in stride(from: 0, to: items.count, by: 2) {
      guard let name = items[index].string, let anchor = StyleAnchor(rawValue: name),
        let offset = StyleOffset(style: items[index + 1])
      else { return nil }
      append(StyleAnchorOffset(anchor: anchor, offset: offset))
    }
  }
}
