/// A part of a style that is not drawn as the style says. The rest is.
public struct StyleFinding: Sendable, Hashable, CustomStringConvertible {
  /// What kind of thing is not drawn.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A layer's type, which is not drawn.
    case layerType
    /// The layer itself: no id, the id of another, another source; the layer is left out.
    case layer
    /// A property that is not drawn.
    case property
    /// A property whose value cannot be used; it has its default.
    case value
    /// A filter that cannot be used; the layer is left out.
    case filter
    /// Something outside the layers.
    case style
  }

  /// The kind.
  public var kind: Kind
  /// The layer's id, or its place if it has none.
  public var layer: String?
  /// The property's name.
  public var property: String?
  /// What is wrong, in one sentence without its full stop.
  public var reason: String

  /// Creates a finding.
  public init(_ kind: Kind, layer: String? = nil, property: String? = nil, reason: String) {
    self.kind = kind
    self.layer = layer
    self.property = property
    self.reason = reason
  }

  /// `layer "water", fill-color: …`
  public var description: String {
    let place = [layer.map { "layer \"\($0)\"" }, property].compactMap { $0 }
    return place.isEmpty ? reason : "\(place.joined(separator: ", ")): \(reason)"
  }
}

/// Why a file is no style at all.
public struct StyleError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, and where in the file.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// What is wrong, and where in the file.
  public var description: String { reason }
}
