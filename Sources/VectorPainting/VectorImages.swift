import Drawing

/// The pictures of a style's sprite sheet, as patterns.
public protocol VectorImages: Sendable {
  /// The names of all pictures; nil: unknown, and every name is taken to exist.
  var names: Set<String>? { get }

  /// The picture `name` as a pattern for canvases of `pixelsPerPoint`; nil if there is none.
  func pattern(_ name: String, pixelsPerPoint: Double) -> FillPattern?
}

/// A style without a sprite sheet.
public struct NoVectorImages: VectorImages {
  /// Creates an empty set of pictures.
  public init() {}

  /// Unknown, so that labels keep their icons' names.
  public var names: Set<String>? { nil }

  /// Nil: there is no picture.
  public func pattern(_ name: String, pixelsPerPoint: Double) -> FillPattern? { nil }
}
