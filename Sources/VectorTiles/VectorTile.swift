import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A value of a feature's property (Vector Tile Specification 2.1, 4.4). Numbers of all seven wire
/// types become doubles, as in the style language.
public enum VectorValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A number.
  case number(Double)
  /// True or false.
  case bool(Bool)
}

/// What a feature's geometry consists of (Vector Tile Specification 2.1, 4.3.4).
public enum VectorGeometryKind: UInt8, Sendable {
  /// Not stated; such a feature is not drawn.
  case unknown
  /// Points.
  case point
  /// Lines.
  case line
  /// Rings of polygons.
  case polygon
}

/// The layers of a Mapbox Vector Tile, version 1 or 2 (Vector Tile Specification 2.1).
///
/// Features are found and their frames checked when the tile is read. Tags and geometries are
/// decoded when a caller asks for them; `verify` decodes all. The tile owns a copy of its bytes, or
/// keeps their owner, and does not change.
public final class VectorTile: Sendable {
  /// The layers in the tile's order.
  public let layers: [VectorLayer]
  /// Bytes of memory that the tile takes.
  public let memoryBytes: Int
  private let storage: VectorTileBytes

  /// Reads the frame of an uncompressed tile.
  ///
  /// - Parameters:
  ///   - bytes: The tile.
  ///   - owner: What keeps `bytes` where and as they are for as long as it exists; nil: they are
  ///     copied.
  ///   - wanted: The names of the layers to read; others are skipped. Nil: all.
  ///   - limits: What the tile may have at most.
  /// - Throws: `VectorTileError` for a tile that is damaged, contradicts the specification or
  ///   exceeds a limit.
  public init(
    _ bytes: UnsafeRawBufferPointer, owner: (any AnyObject & Sendable)? = nil,
    layers wanted: Set<String>? = nil, limits: VectorTileLimits = VectorTileLimits()
  ) throws(VectorTileError) {
    guard bytes.count <= min(limits.bytes, Int(Int32.max)) else {
      throw VectorTileError("\(bytes.count) bytes; at most \(limits.bytes) are read")
    }
    guard
      let storage = owner.map({ VectorTileBytes(bytes, of: $0) }) ?? VectorTileBytes(copying: bytes)
    else { throw VectorTileError.noMemory(layer: nil) }
    self.storage = storage
    var reader = VectorTileReader(storage, limits)
    layers = try reader.layers(wanted)
    memoryBytes = layers.reduce(bytes.count) { $0 + $1.tableBytes }
  }

  /// The layers named `name`; the specification allows one.
  public func layers(named name: String) -> [VectorLayer] { layers.filter { $0.name == name } }

  /// Whether the tile was read from the same bytes.
  public func hasBytes(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == storage.bytes.count else { return false }
    guard let a = bytes.baseAddress, let b = storage.bytes.baseAddress, a != b else { return true }
    return memcmp(a, b, bytes.count) == 0
  }

  /// Decodes all tags and geometries.
  ///
  /// - Throws: `VectorTileError` for the first feature that is broken.
  public func verify() throws(VectorTileError) {
    let geometry = VectorGeometry()
    for layer in layers {
      for index in 0..<layer.featureCount {
        _ = try layer.tags(of: index)
        try layer.read(index, into: geometry)
      }
    }
  }
}

/// A tile's bytes, a copy or another object's.
///
/// Unchecked: a copy is written once, by the initialiser; an owner leaves its bytes as they are.
final class VectorTileBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let owner: (any AnyObject & Sendable)?

  /// Nil: there is no memory for a copy.
  init?(copying bytes: UnsafeRawBufferPointer) {
    guard let memory = SpareMemory.allocate(bytes.count) else { return nil }
    let copy = UnsafeMutableRawBufferPointer(start: memory, count: bytes.count)
    copy.copyMemory(from: bytes)
    self.bytes = UnsafeRawBufferPointer(copy)
    owner = nil
  }

  init(_ bytes: UnsafeRawBufferPointer, of owner: any AnyObject & Sendable) {
    self.bytes = bytes
    self.owner = owner
  }

  deinit { if owner == nil { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) } }
}
