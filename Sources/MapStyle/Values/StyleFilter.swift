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
