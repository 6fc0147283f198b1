import VectorTiles

/// Writes small vector tiles for tests.
struct TileWriter {
  /// A value of a property.
  enum Value: Hashable {
    case text(String)
    case whole(UInt64)
  }

  /// A layer being written.
  struct Layer {
    var name: String
    var extent: UInt64 = 4096
    private var keys: [String] = []
    private var values: [Value] = []
    private var features: [UInt8] = []

    init(_ name: String, extent: UInt64 = 4096) {
      self.name = name
      self.extent = extent
    }

    /// Adds a feature of lines, rings or points (each part a list of x, y, x, y, …).
    mutating func add(
      _ kind: VectorGeometryKind, _ parts: [[Int]], id: UInt64? = nil,
      _ properties: [(String, Value)] = []
    ) {
      var tags: [UInt8] = []
      for (key, value) in properties {
        if !keys.contains(key) { keys.append(key) }
        if !values.contains(value) { values.append(value) }
        tags += TileWriter.number(UInt64(keys.firstIndex(of: key) ?? 0))
        tags += TileWriter.number(UInt64(values.firstIndex(of: value) ?? 0))
      }
      var feature: [UInt8] = []
      if let id { feature += TileWriter.field(1, id) }
      feature += TileWriter.field(2, tags)
      feature += TileWriter.field(3, UInt64(kind.rawValue))
      feature += TileWriter.field(4, Self.commands(kind, parts))
      features += TileWriter.field(2, feature)
    }

    var bytes: [UInt8] {
      var layer = TileWriter.field(15, 2) + TileWriter.field(1, Array(name.utf8)) + features
      for key in keys { layer += TileWriter.field(3, Array(key.utf8)) }
      for value in values {
        switch value {
        case .text(let text): layer += TileWriter.field(4, TileWriter.field(1, Array(text.utf8)))
        case .whole(let number): layer += TileWriter.field(4, TileWriter.field(5, number))
        }
      }
      layer += TileWriter.field(5, extent)
      return TileWriter.field(3, layer)
    }

    private static func commands(_ kind: VectorGeometryKind, _ parts: [[Int]]) -> [UInt8] {
      var bytes: [UInt8] = []
      var (x, y) = (0, 0)
      func zigzag(_ value: Int) -> UInt64 {
        UInt64(bitPattern: Int64((value << 1) ^ (value >> 63)))
      }
      for part in parts {
        let count = part.count / 2
        for index in 0..<count {
          if kind == .point, index == 0 { bytes += TileWriter.number(UInt64(count) << 3 | 1) }
          if kind != .point, index == 0 { bytes += TileWriter.number(1 << 3 | 1) }
          if kind != .point, index == 1 { bytes += TileWriter.number(UInt64(count - 1) << 3 | 2) }
          bytes += TileWriter.number(zigzag(part[2 * index] - x))
          bytes += TileWriter.number(zigzag(part[2 * index + 1] - y))
          (x, y) = (part[2 * index], part[2 * index + 1])
        }
        if kind == .polygon { bytes += TileWriter.number(1 << 3 | 7) }
      }
      return bytes
    }
  }

  static func number(_ value: UInt64) -> [UInt8] {
    var (value, bytes): (UInt64, [UInt8]) = (value, [])
    while value > 127 {
      bytes.append(UInt8(value & 127) | 128)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }

  static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
    Self.number(number << 3) + Self.number(value)
  }

  static func field(_ number: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    Self.number(number << 3 | 2) + Self.number(UInt64(bytes.count)) + bytes
  }
}
