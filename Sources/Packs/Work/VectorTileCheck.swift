import TileFormats

/// Reads a vector tile through (Vector Tile Specification 2.1): layers, features, tags and the
/// commands of each geometry, without keeping anything.
enum VectorTileCheck {
  /// Why the uncompressed tile `bytes` cannot be drawn; nil: it can.
  static func fault(of bytes: UnsafeRawBufferPointer) -> String? {
    var tile = ProtobufReader(bytes)
    var layers = 0
    while let field = tile.next() {
      guard field.number == 3 else { continue }
      guard let content = field.content else {
        return "a vector tile whose layers are not messages"
      }
      layers += 1
      if let fault = layerFault(content) { return "a vector tile whose layer \(layers) \(fault)" }
    }
    return tile.isDamaged ? "a vector tile that is cut off or damaged" : nil
  }

  private static func layerFault(_ bytes: UnsafeRawBufferPointer) -> String? {
    var layer = ProtobufReader(bytes)
    var (hasName, keys, values) = (false, 0, 0)
    var version: UInt64 = 1
    while let field = layer.next() {
      switch field.number {
      case 1: hasName = field.content != nil
      case 3: keys += 1
      case 4: values += 1
      // A version that is not a number counts as absent; readers then assume the default.
      case 15 where field.content == nil: version = field.value
      default: break
      }
    }
    if layer.isDamaged { return "is cut off or damaged" }
    guard hasName else { return "has no name" }
    // Section 4.1: a reader must not read a layer of a version that it does not know.
    guard version == 1 || version == 2 else { return "is of version \(version): known are 1 and 2" }
    var features = ProtobufReader(bytes)
    var count = 0
    while let field = features.next() {
      guard field.number == 2, let content = field.content else { continue }
      count += 1
      if let fault = featureFault(content, keys, values) {
        return "has a feature \(count) \(fault)"
      }
    }
    return nil
  }

  private static func featureFault(
    _ bytes: UnsafeRawBufferPointer, _ keys: Int, _ values: Int
  ) -> String? {
    var feature = ProtobufReader(bytes)
    var type: UInt64 = 0
    var geometry: UnsafeRawBufferPointer?
    while let field = feature.next() {
      switch field.number {
      case 2:
        guard let content = field.content else { break }
        var tags = ProtobufReader(content)
        var index = 0
        while let tag = tags.number() {
          guard tag < UInt64(index % 2 == 0 ? keys : values) else {
            return "whose tags name no key or value of the layer"
          }
          index += 1
        }
        guard index % 2 == 0 else { return "with a key without a value" }
      case 3: type = field.value
      case 4: geometry = field.content
      default: break
      }
    }
    if feature.isDamaged { return "that is cut off or damaged" }
    guard let geometry else { return nil }
    return type <= 3 ? geometryFault(geometry) : nil
  }

  /// Section 4.3: a command with a count, then two parameters for each point.
  private static func geometryFault(_ bytes: UnsafeRawBufferPointer) -> String? {
    var numbers = ProtobufReader(bytes)
    while let command = numbers.number() {
      let count = command >> 3
      switch command & 7 {
      case 1, 2:
        guard count <= UInt64(bytes.count) else { return "with more points than bytes" }
        for _ in 0..<(count * 2) {
          guard numbers.number() != nil else { return "whose geometry is cut off" }
        }
      case 7: break
      default: return "with an unknown command (\(command & 7))"
      }
    }
    return numbers.isDamaged ? "whose geometry is cut off" : nil
  }
}
