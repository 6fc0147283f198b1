/// What an expression reads. Where two contexts agree in all of it, its value is the same.
public struct StyleReads: Sendable, Hashable {
  /// Whether it reads the zoom.
  public var zoom = false
  /// The feature's properties that it reads by name.
  public var keys: Set<String> = []
  /// Whether it reads properties whose names are only known when it is evaluated: then any of them.
  public var allKeys = false
  /// Whether it reads the feature's id.
  public var id = false
  /// Whether it reads what the feature's geometry consists of.
  public var geometry = false
  /// Whether it may read which images there are.
  public var images = false

  /// Nothing.
  public init() {}

  /// Whether it reads anything of the feature.
  public var feature: Bool { allKeys || id || geometry || !keys.isEmpty }

  /// Adds what another expression reads.
  public mutating func formUnion(_ other: StyleReads) {
    zoom = zoom || other.zoom
    allKeys = allKeys || other.allKeys
    id = id || other.id
    geometry = geometry || other.geometry
    images = images || other.images
    if !other.keys.isEmpty { keys.formUnion(other.keys) }
  }
}

/// A property of a layer: a constant, or an expression with a default for when it fails.
///
/// A value that the style states is not clamped: a width may be negative and an opacity above 1.
/// All numbers are finite.
public struct StyleProperty<Value: Sendable>: Sendable {
  enum Storage: Sendable {
    case constant(Value)
    case computed(ComputedProperty<Value>)
  }
  let storage: Storage
  /// Whether the style's file has the property, and it could be compiled.
  public let isSet: Bool

  /// A property that always has one value.
  public init(constant: Value, isSet: Bool = true) {
    storage = .constant(constant)
    self.isSet = isSet
  }

  init(_ computed: ComputedProperty<Value>) {
    storage = .computed(computed)
    isSet = true
  }

  /// The value in a context; the property's default where its expression fails.
  public func value(_ context: StyleContext) -> Value {
    switch storage {
    case .constant(let value): value
    case .computed(let computed): computed.value(context)
    }
  }

  /// The value, if it is the same in every context.
  public var constant: Value? {
    if case .constant(let value) = storage { value } else { nil }
  }

  /// What the value depends on.
  public var reads: StyleReads {
    if case .computed(let computed) = storage { computed.reads } else { StyleReads() }
  }

  /// Whether the value depends on the zoom.
  public var dependsOnZoom: Bool { reads.zoom }
  /// Whether the value depends on the feature.
  public var dependsOnFeature: Bool { reads.feature }
  /// The feature's properties that the value depends on, but see `StyleReads.allKeys`.
  public var keys: Set<String> { reads.keys }
  /// Whether the value depends on the feature's id.
  public var readsID: Bool { reads.id }
  /// Whether the value depends on what the feature's geometry consists of.
  public var readsGeometry: Bool { reads.geometry }
}

/// An expression with the default of its property.
final class ComputedProperty<Value: Sendable>: Sendable {
  let node: any StyleNode
  let reads: StyleReads
  private let fallback: Value
  private let convert: @Sendable (StyleValue) -> Value?

  init(
    _ node: any StyleNode, reads: StyleReads, fallback: Value,
    convert: @escaping @Sendable (StyleValue) -> Value?
  ) {
    self.node = node
    self.reads = reads
    self.fallback = fallback
    self.convert = convert
  }

  func value(_ context: StyleContext) -> Value {
    do {
      return convert(try node.evaluate(context)) ?? fallback
    } catch {
      return fallback
    }
  }
}
