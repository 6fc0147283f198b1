import Platform

/// Reads a tile's frame: layers, their keys and values, and where each feature's parts lie.
struct VectorTileReader {
  private let storage: VectorTileBytes
  private let limits: VectorTileLimits
  /// What the layers so far have together.
  private var features = 0
  private var keys = 0
  private var values = 0

  init(_ storage: VectorTileBytes, _ limits: VectorTileLimits) {
    self.storage = storage
    self.limits = limits
  }

  /// The layers whose names are wanted.
  mutating func layers(_ wanted: Set<String>?) throws(VectorTileError) -> [VectorLayer] {
    var tile = WireReader(storage.bytes, 0..<storage.bytes.count)
    var layers: [VectorLayer] = []
    var count = 0
    while let field = tile.next() {
      guard field.number == 3 else { continue }
      count += 1
      guard field.kind == .bytes else { throw VectorTileError("layer \(count) is not a message") }
      guard count <= limits.layers else {
        throw VectorTileError("more than \(limits.layers) layers")
      }
      if let layer = try layer(field.range, number: count, wanted) { layers.append(layer) }
    }
    if tile.isDamaged { throw VectorTileError("the tile is cut off or damaged") }
    return layers
  }

  /// What a layer's first pass finds.
  private struct Head {
    var name: String?
    var version: UInt64 = 1
    var extent: UInt64 = 4096
    var features = 0
    var keys = 0
    var values = 0
  }

  private mutating func layer(
    _ range: Range<Int>, number: Int, _ wanted: Set<String>?
  ) throws(VectorTileError) -> VectorLayer? {
    let head = try head(range, number)
    guard let name = head.name else { throw VectorTileError("layer \(number) has no name") }
    if let wanted, !wanted.contains(name) { return nil }
    func fault(_ reason: String) -> VectorTileError { VectorTileError(layer: name, reason) }
    // Section 4.1: a reader must not read a layer of a version that it does not know.
    guard head.version == 1 || head.version == 2 else {
      throw fault("version \(head.version); known are 1 and 2")
    }
    guard head.extent > 0, head.extent <= 1 << 24 else { throw fault("extent \(head.extent)") }
    keys += head.keys
    guard keys <= limits.keys else {
      throw fault("the tile has more than \(limits.keys) keys")
    }
    values += head.values
    guard values <= limits.values else {
      throw fault("the tile has more than \(limits.values) values")
    }
    features += head.features
    guard features <= limits.features else {
      throw fault("the tile has more than \(limits.features) features")
    }
    var layer = VectorLayer(
      storage, name: name, version: Int(head.version), extent: Int(head.extent),
      maximumPoints: limits.points)
    guard SpareMemory.has(VectorLayer.bytes(head.features, head.keys, head.values)) else {
      throw VectorTileError.noMemory(layer: name)
    }
    layer.reserve(features: head.features, keys: head.keys, values: head.values)
    var fields = WireReader(storage.bytes, range)
    while let field = fields.next() {
      switch field.number {
      case 2: layer.add(try feature(field.range, layer.featureCount, name))
      case 3: layer.add(key: try string(field.range, name))
      case 4:
        try checkValue(field.range, layer.valueCount, name)
        layer.add(value: field.range)
      default: break
      }
    }
    return layer
  }

  /// Counts what the layer has and checks how its fields are encoded.
  private func head(_ range: Range<Int>, _ number: Int) throws(VectorTileError) -> Head {
    var head = Head()
    var fields = WireReader(storage.bytes, range)
    while let field = fields.next() {
      let expected: WireReader.Kind
      switch field.number {
      case 1, 2, 3, 4: expected = .bytes
      case 5, 15: expected = .varint
      default: continue
      }
      guard field.kind == expected else {
        throw VectorTileError(
          layer: head.name, "field \(field.number) of layer \(number) has another type")
      }
      switch field.number {
      case 1: head.name = try string(field.range, nil)
      case 2: head.features += 1
      case 3: head.keys += 1
      case 4: head.values += 1
      case 5: head.extent = field.value
      default: head.version = field.value
      }
    }
    if fields.isDamaged {
      throw VectorTileError(layer: head.name, "layer \(number) is cut off or damaged")
    }
    return head
  }

  private func string(_ range: Range<Int>, _ layer: String?) throws(VectorTileError) -> String {
    guard range.count <= limits.stringBytes else {
      throw VectorTileError(layer: layer, "a text of \(range.count) bytes")
    }
    return String(decoding: storage.bytes[range], as: UTF8.self)
  }

  /// Section 4.4: a value is of one of seven types.
  private func checkValue(
    _ range: Range<Int>, _ number: Int, _ layer: String
  ) throws(VectorTileError) {
    var fields = WireReader(storage.bytes, range)
    var isValue = false
    while let field = fields.next() {
      let expected: WireReader.Kind
      switch field.number {
      case 1: expected = .bytes
      case 2: expected = .fourBytes
      case 3: expected = .eightBytes
      case 4, 5, 6, 7: expected = .varint
      default: throw VectorTileError(layer: layer, "value \(number) is of an unknown type")
      }
      guard field.kind == expected else {
        throw VectorTileError(layer: layer, "value \(number) is encoded as another type")
      }
      guard field.range.count <= limits.stringBytes else {
        throw VectorTileError(layer: layer, "a text of \(field.range.count) bytes")
      }
      isValue = true
    }
    guard isValue, !fields.isDamaged else {
      throw VectorTileError(layer: layer, "value \(number) is damaged")
    }
  }

  private func feature(
    _ range: Range<Int>, _ number: Int, _ layer: String
  ) throws(VectorTileError) -> VectorFeature {
    var feature = VectorFeature()
    var fields = WireReader(storage.bytes, range)
    var start = fields.place
    while let field = fields.next() {
      defer { start = fields.place }
      let expected: WireReader.Kind
      switch field.number {
      case 1, 3: expected = .varint
      case 2, 4: expected = .bytes
      default: continue
      }
      guard field.kind == expected else {
        throw VectorTileError(layer: layer, feature: number, "its fields have other types")
      }
      switch field.number {
      case 1: feature.idField = start
      case 2: feature.tags = field.range
      case 3:
        feature.kind = VectorGeometryKind(rawValue: UInt8(clamping: field.value)) ?? .unknown
      default: feature.geometry = field.range
      }
    }
    if fields.isDamaged {
      throw VectorTileError(layer: layer, feature: number, "it is cut off or damaged")
    }
    return feature
  }
}
