/// A feature's kind, and where its id, its tags and its geometry lie in the tile.
///
/// Tiles have tens of thousands, so it takes 20 bytes.
public struct VectorFeature: Sendable {
  /// Where the field with its id begins in the tile. 0 means no id, because only a layer can begin
  /// there.
  private var idStart: UInt32 = 0
  /// Starts and sizes are below 2^31, because a tile has fewer bytes. The highest bits of the sizes
  /// hold the kind.
  private var tagStart: UInt32 = 0
  private var tagSize: UInt32 = 0
  private var geometryStart: UInt32 = 0
  private var geometrySize: UInt32 = 0

  private static let highest: UInt32 = 1 << 31

  /// Whether it has an id.
  public var hasID: Bool { idStart != 0 }

  /// What the geometry consists of.
  public internal(set) var kind: VectorGeometryKind {
    get {
      let bits = tagSize >> 31 | (geometrySize >> 30 & 2)
      return VectorGeometryKind(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .unknown
    }
    set {
      let bits = UInt32(newValue.rawValue)
      tagSize = tagSize & ~Self.highest | bits << 31
      geometrySize = geometrySize & ~Self.highest | (bits >> 1) << 31
    }
  }

  /// Where the field with its id begins in the tile; 0: it has none.
  var idField: Int {
    get { Int(idStart) }
    set { idStart = UInt32(truncatingIfNeeded: newValue) }
  }

  var tags: Range<Int> {
    get { Int(tagStart)..<Int(tagStart) + Int(tagSize & ~Self.highest) }
    set {
      tagStart = UInt32(truncatingIfNeeded: newValue.lowerBound)
      tagSize = tagSize & Self.highest | UInt32(truncatingIfNeeded: newValue.count)
    }
  }

  var geometry: Range<Int> {
    get { Int(geometryStart)..<Int(geometryStart) + geometryBytes }
    set {
      geometryStart = UInt32(truncatingIfNeeded: newValue.lowerBound)
      geometrySize = geometrySize & Self.highest | UInt32(truncatingIfNeeded: newValue.count)
    }
  }

  /// How many bytes its geometry takes in the tile; 0: there is nothing to draw.
  public var geometryBytes: Int { Int(geometrySize & ~Self.highest) }
}

/// A layer of a vector tile: keys, values and features (Vector Tile Specification 2.1, 4.1).
public struct VectorLayer: Sendable {
  /// The layer's name.
  public let name: String
  /// The specification's version: 1 or 2. Version 1 allows lines to be closed.
  public let version: Int
  /// The tile's edge in the units of the geometries; 4096 as a rule.
  public let extent: Int
  /// The keys of the features' properties.
  public private(set) var keys: [String] = []
  /// The features in the tile's order.
  public private(set) var features: [VectorFeature] = []

  let storage: VectorTileBytes
  let maximumPoints: Int
  private var values: [Range<UInt32>] = []

  init(
    _ storage: VectorTileBytes, name: String, version: Int, extent: Int, maximumPoints: Int
  ) {
    self.storage = storage
    self.name = name
    self.version = version
    self.extent = extent
    self.maximumPoints = maximumPoints
  }

  /// Bytes of the tables of so many features, keys and values.
  static func bytes(_ features: Int, _ keys: Int, _ values: Int) -> Int {
    features * MemoryLayout<VectorFeature>.stride + keys * MemoryLayout<String>.stride
      + values * MemoryLayout<Range<UInt32>>.stride
  }

  mutating func reserve(features: Int, keys: Int, values: Int) {
    self.features.reserveCapacity(features)
    self.keys.reserveCapacity(keys)
    self.values.reserveCapacity(values)
  }

  mutating func add(_ feature: VectorFeature) { features.append(feature) }
  mutating func add(key: String) { keys.append(key) }
  /// A tile has fewer than 2^31 bytes.
  mutating func add(value: Range<Int>) {
    let start = UInt32(truncatingIfNeeded: value.lowerBound)
    values.append(start..<start &+ UInt32(truncatingIfNeeded: value.count))
  }

  /// How many features it has.
  public var featureCount: Int { features.count }
  /// How many values its properties have.
  public var valueCount: Int { values.count }

  /// Bytes of its tables.
  var tableBytes: Int {
    features.capacity * MemoryLayout<VectorFeature>.stride + values.capacity * 8
      + keys.reduce(0) { $0 + 16 + $1.utf8.count }
  }

  /// The id of the feature `index`; 0 if it has none.
  public func id(of index: Int) -> UInt64 {
    guard features.indices.contains(index), features[index].hasID else { return 0 }
    // The field was read once already, when the feature was found.
    var field = WireReader(storage.bytes, features[index].idField..<storage.bytes.count)
    return field.next()?.value ?? 0
  }

  /// The value `index` of the layer; nil if there is no such value.
  public func value(_ index: Int) -> VectorValue? {
    guard values.indices.contains(index) else { return nil }
    let range = Int(values[index].lowerBound)..<Int(values[index].upperBound)
    var fields = WireReader(storage.bytes, range)
    var value: VectorValue?
    while let field = fields.next() {
      switch field.number {
      case 1: value = .string(String(decoding: storage.bytes[field.range], as: UTF8.self))
      case 2:
        let bits = storage.bytes.loadUnaligned(
          fromByteOffset: field.range.lowerBound, as: UInt32.self)
        value = .number(Double(Float(bitPattern: UInt32(littleEndian: bits))))
      case 3:
        let bits = storage.bytes.loadUnaligned(
          fromByteOffset: field.range.lowerBound, as: UInt64.self)
        value = .number(Double(bitPattern: UInt64(littleEndian: bits)))
      case 4: value = .number(Double(Int64(bitPattern: field.value)))
      case 5: value = .number(Double(field.value))
      case 6:
        let half = Int64(bitPattern: field.value >> 1)
        value = .number(Double(half ^ -Int64(field.value & 1)))
      case 7: value = .bool(field.value != 0)
      default: break
      }
    }
    return value
  }

  /// Whether there is a value `index`. Same answer as `value`, but faster.
  public func hasValue(_ index: Int) -> Bool {
    guard values.indices.contains(index) else { return false }
    let range = Int(values[index].lowerBound)..<Int(values[index].upperBound)
    var fields = WireReader(storage.bytes, range)
    while let field = fields.next() {
      if (1...7).contains(field.number) { return true }
    }
    return false
  }

  /// The properties of the feature `index` as numbers of keys and values, in the tile's order. A
  /// key without a value is left out.
  ///
  /// - Throws: `VectorTileError` if a number names no key or no value of the layer.
  public func tags(of index: Int) throws(VectorTileError) -> [(key: Int, value: Int)] {
    guard features.indices.contains(index) else { return [] }
    let feature = features[index]
    var numbers = tagReader(feature)
    var tags: [(key: Int, value: Int)] = []
    while !numbers.isAtEnd {
      let key = numbers.number()
      if numbers.isAtEnd, !numbers.isDamaged { break }
      let value = numbers.number()
      guard !numbers.isDamaged, key < UInt64(keys.count), value < UInt64(values.count) else {
        throw tagError(index)
      }
      tags.append((Int(key), Int(value)))
    }
    return tags
  }

  /// The properties of the feature `index`; of a key that it has twice, the last value.
  ///
  /// - Throws: `VectorTileError` if its tags are broken.
  public func properties(of index: Int) throws(VectorTileError) -> [String: VectorValue] {
    var properties: [String: VectorValue] = [:]
    for tag in try tags(of: index) { properties[keys[tag.key]] = value(tag.value) }
    return properties
  }

  /// Writes the values of chosen keys: each the number of its value plus 1, or 0 for a key that the
  /// feature does not have.
  ///
  /// - Parameters:
  ///   - index: The feature.
  ///   - slots: For each of the layer's keys the place in `tuple`, or −1.
  ///   - tuple: The values, all 0 before. It has a place for each slot.
  /// - Throws: `VectorTileError` if the feature's tags are broken.
  public func readTuple(
    of index: Int, slots: UnsafeBufferPointer<Int16>, into tuple: UnsafeMutableBufferPointer<UInt32>
  ) throws(VectorTileError) {
    var numbers = tagReader(features[index])
    let (keyCount, valueCount) = (UInt64(keys.count), UInt64(values.count))
    while !numbers.isAtEnd {
      let key = numbers.number()
      if numbers.isAtEnd, !numbers.isDamaged { break }
      let value = numbers.number()
      guard !numbers.isDamaged, key < keyCount, value < valueCount else { throw tagError(index) }
      let slot = Int(slots[Int(key)])
      if slot >= 0 { tuple[slot] = UInt32(truncatingIfNeeded: value + 1) }
    }
  }

  @inline(__always)
  private func tagReader(_ feature: VectorFeature) -> WireReader {
    WireReader(storage.bytes, feature.tags)
  }

  private func tagError(_ index: Int) -> VectorTileError {
    VectorTileError(layer: name, feature: index, "its tags name no key or value of the layer")
  }
}
