/// Which features a layer draws.
public struct StyleFilter: Sendable {
  let node: any StyleNode
  /// What the answer depends on.
  public let reads: StyleReads

  init(_ node: any StyleNode, reads: StyleReads) {
    self.node = node
    self.reads = reads
  }

  /// Whether the layer draws the feature; false where the filter's expression fails.
  public func matches(_ context: StyleContext) -> Bool {
    do {
      return try node.evaluate(context) == .bool(true)
    } catch {
      return false
    }
  }

  /// Whether the answer depends on the zoom.
  public var dependsOnZoom: Bool { reads.zoom }
  /// The feature's properties that the answer depends on, but see `StyleReads.allKeys`.
  public var keys: Set<String> { reads.keys }
  /// Whether the answer depends on the feature's id.
  public var readsID: Bool { reads.id }
  /// Whether the answer depends on what the feature's geometry consists of.
  public var readsGeometry: Bool { reads.geometry }
}

/// A filter taken apart into tests and how they are joined. A filter whose test fails draws
/// nothing.
public indirect enum StyleFilterPart: Sendable {
  /// True if all parts are true; they are looked at in their order until one is false.
  case all([StyleFilterPart])
  /// True if any part is true; they are looked at in their order until one is.
  case any([StyleFilterPart])
  /// True if the part is false.
  case not(StyleFilterPart)
  /// A test that is not taken apart.
  case test(StyleFilterTest)
}

/// A part of a filter that is evaluated as a whole.
public struct StyleFilterTest: Sendable {
  let node: any StyleNode
  /// What the answer depends on.
  public let reads: StyleReads

  /// The node, if it tests one property by its value alone.
  private let property: LegacyFilterNode?

  init(node: any StyleNode, reads: StyleReads) {
    self.node = node
    self.reads = reads
    property = (node as? LegacyFilterNode).flatMap { $0.key == nil ? nil : $0 }
  }

  /// Whether the answer only depends on whether the feature has its property.
  public var isPresence: Bool { property?.isPresence ?? false }

  /// Whether a feature with one property at most passes.
  ///
  /// - Parameters:
  ///   - bare: The feature without properties.
  ///   - value: The value of the one property that the test reads; nil: the feature does not have
  ///     it.
  /// - Returns: True if it does; nil if the test fails.
  public func holds(_ bare: StyleContext, value: StyleValue?) -> Bool? {
    if let property { return property.holds(value) }
    guard let value, let key = reads.keys.first else { return holds(bare) }
    var context = bare
    context.feature?.properties = [key: value]
    return holds(context)
  }

  /// Whether a feature passes; nil if the test fails.
  public func holds(_ context: StyleContext) -> Bool? {
    do {
      guard case .bool(let holds) = try node.evaluate(context) else { return nil }
      return holds
    } catch {
      return nil
    }
  }
}

extension StyleFilter {
  /// The filter's tests, and how they are joined.
  public var parts: StyleFilterPart { node.part(reads) }
}
