/// Why a vector tile cannot be read.
public struct VectorTileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The layer's name; nil if the fault lies outside of layers, or the layer has no name.
  public var layer: String?
  /// The feature's number in its layer, from 0.
  public var feature: Int?
  /// What is wrong, to continue "a vector tile ".
  public var reason: String
  /// Whether the system had no memory for it, which may pass.
  public private(set) var lacksMemory = false

  /// There is no memory for what the tile holds.
  package static func noMemory(layer: String?) -> VectorTileError {
    var error = VectorTileError(layer: layer, "there is no memory for it")
    error.lacksMemory = true
    return error
  }

  /// Creates an error.
  public init(layer: String? = nil, feature: Int? = nil, _ reason: String) {
    self.layer = layer
    self.feature = feature
    self.reason = reason
  }

  /// The reason with the layer and the feature.
  public var description: String {
    switch (layer, feature) {
    case (let layer?, let feature?): "layer \"\(layer)\", feature \(feature): \(reason)"
    case (let layer?, nil): "layer \"\(layer)\": \(reason)"
    default: reason
    }
  }
}

/// What a vector tile may have at most. All of it is checked before memory is allocated.
public struct VectorTileLimits: Sendable {
  /// Bytes of the uncompressed tile.
  public var bytes = 16 << 20
  /// Layers.
  public var layers = 512
  /// Features of all layers.
  public var features = 1 << 18
  /// Points of a feature.
  public var points = 1 << 20
  /// Keys of all layers.
  public var keys = 1 << 14
  /// Values of all layers.
  public var values = 1 << 18
  /// Bytes of a name, a key or a value.
  public var stringBytes = 1 << 16

  /// The limits for tiles of a map.
  public init() {}
}
