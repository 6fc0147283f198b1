import TestSupport
import Testing
import VectorTiles

@Suite struct VectorTileTests {
  @Test func eachTypeOfValueIsRead() throws {
    let tile = try fixture("038")
    let layer = try #require(tile.layers.first)
    let properties = try layer.properties(of: 0)
    #expect(properties["string_value"] == .string("ello"))
    #expect(properties["bool_value"] == .bool(true))
    #expect(properties["int_value"] == .number(6))
    #expect(properties["double_value"] == .number(1.23))
    #expect(properties["float_value"] == .number(Double(Float(3.1))))
    #expect(properties["sint_value"] == .number(-87948))
    #expect(properties["uint_value"] == .number(87948))
    #expect(layer.features[0].hasID)
    #expect(layer.id(of: 0) == 1)
  }

  /// A tile of one layer with these features, each of its fields' bytes.
  private func tile(_ features: [[UInt8]]) throws -> VectorTile {
    var layer: [UInt8] = [0x0a, 1, 0x61, 0x78, 2]
    for feature in features { layer += [0x12, UInt8(feature.count)] + feature }
    let bytes = [0x1a, UInt8(layer.count & 0x7f | 0x80), UInt8(layer.count >> 7)] + layer
    return try bytes.withUnsafeBytes { try VectorTile($0) }
  }

  @Test func aFeaturesIDMayStandBeforeAndAfterItsGeometryAndHaveAnySize() throws {
    let point: [UInt8] = [0x18, 1, 0x22, 3, 9, 2, 2]
    let ids: [([UInt8], UInt64)] = [
      ([8, 0], 0), ([8, 127], 127), ([8, 0xac, 2], 300), ([8, 0x81, 0x80, 0], 1),
      ([8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], .max),
    ]
    let layer = try #require(
      try tile(ids.map { $0.0 + point } + ids.map { point + $0.0 } + [point]).layers.first)
    for (index, id) in (ids + ids).enumerated() {
      #expect(layer.features[index].hasID)
      let found = layer.id(of: index)
      #expect(found == id.1)
    }
    #expect(!layer.features[10].hasID)
    #expect(layer.id(of: 10) == 0 && layer.id(of: 11) == 0)
  }

  @Test func aFeaturesKindDoesNotDependOnTheOrderOfItsFields() throws {
    for kind in UInt8(0)...4 {
      let (tags, geometry): ([UInt8], [UInt8]) = ([0x12, 0], [0x22, 3, 9, 2, 2])
      let layer = try #require(
        try tile([[0x18, kind] + tags + geometry, geometry + tags + [0x18, kind]]).layers.first)
      for feature in layer.features {
        #expect(feature.kind == VectorGeometryKind(rawValue: kind) ?? .unknown)
        #expect(feature.geometryBytes == 3)
      }
    }
    #expect(MemoryLayout<VectorFeature>.stride == 20)
  }

  @Test func aFeatureMayHaveNoID() throws {
    let layer = try #require(try fixture("002").layers.first)
    #expect(!layer.features[0].hasID)
    #expect(layer.features[0].kind == .point)
  }

  @Test func theSpecificationsPolygonHasItsPoints() throws {
    let (points, ends) = try geometry("019")
    #expect(points == [.init(x: 3, y: 6), .init(x: 8, y: 12), .init(x: 20, y: 34)])
    #expect(ends == [3])
  }

  @Test func theSpecificationsPointsAreOnePart() throws {
    let (points, ends) = try geometry("020")
    #expect(points == [.init(x: 5, y: 7), .init(x: 3, y: 2)])
    #expect(ends == [2])
  }

  @Test func theSpecificationsPolygonsHaveThreeRings() throws {
    let (points, ends) = try geometry("022")
    #expect(points.count == 12)
    #expect(ends == [4, 8, 12])
    #expect(points[4] == .init(x: 11, y: 11))
    #expect(points[11] == .init(x: 17, y: 13))
  }

  @Test func aClosedLineOfVersion1EndsWhereItBegan() throws {
    let (points, _) = try geometry("061")
    #expect(points.count == 4)
    #expect(points.first == points.last)
  }

  @Test func aKeyWithoutAValueIsLeftOut() throws {
    let layer = try #require(try fixture("005").layers.first)
    #expect(try layer.tags(of: 0).isEmpty)
  }

  @Test func chosenKeysAreReadAsATuple() throws {
    let layer = try #require(try fixture("038").layers.first)
    let slots: [Int16] = [1, -1, 0, -1, -1, -1, -1]
    var tuple: [UInt32] = [0, 0]
    try tuple.withUnsafeMutableBufferPointer { tuple in
      try slots.withUnsafeBufferPointer { try layer.readTuple(of: 0, slots: $0, into: tuple) }
    }
    #expect(tuple == [3, 1])
  }

  @Test func layersThatAreNotWantedAreSkipped() throws {
    let bytes = try fixtureBytes("038")
    let tile = try bytes.withUnsafeBytes { try VectorTile($0, layers: ["other"]) }
    #expect(tile.layers.isEmpty)
  }

  @Test func anErrorNamesLayerAndFeature() throws {
    let tile = try fixture("044")
    do throws(VectorTileError) {
      try tile.verify()
      Issue.record("a fault was not found")
    } catch {
      #expect(error.layer == "hello")
      #expect(error.feature == 0)
      #expect(error.description == "layer \"hello\", feature 0: its geometry closes a path wrongly")
    }
  }

  @Test(arguments: ["010", "040", "044", "058"])
  func aFatalFaultIsAnError(_ name: String) throws {
    #expect(throws: VectorTileError.self) { try fixture(name).verify() }
  }

  @Test func limitsAreKept() throws {
    let bytes = try fixtureBytes("038")
    func refuses(_ change: (inout VectorTileLimits) -> Void) -> Bool {
      var limits = VectorTileLimits()
      change(&limits)
      return bytes.withUnsafeBytes { bytes in
        (try? VectorTile(bytes, limits: limits).verify()) == nil
      }
    }
    #expect(!refuses { _ in })
    #expect(refuses { $0.bytes = bytes.count - 1 })
    #expect(refuses { $0.layers = 0 })
    #expect(refuses { $0.features = 0 })
    #expect(refuses { $0.keys = 6 })
    #expect(refuses { $0.values = 6 })
    #expect(refuses { $0.stringBytes = 3 })
    #expect(refuses { $0.points = 0 })
  }

  @Test func keysAndValuesOfAllLayersCountTogether() throws {
    // A layer with a key and a value, twice.
    let layer: [UInt8] = [0x1a, 0x0c, 0x0a, 1, 0x61, 0x1a, 1, 0x6b, 0x22, 2, 0x38, 1, 0x78, 2]
    func reads(_ change: (inout VectorTileLimits) -> Void) -> Bool {
      var limits = VectorTileLimits()
      change(&limits)
      return (layer + layer).withUnsafeBytes { bytes in
        (try? VectorTile(bytes, limits: limits)) != nil
      }
    }
    #expect(reads { ($0.keys, $0.values) = (2, 2) })
    #expect(!reads { $0.keys = 1 })
    #expect(!reads { $0.values = 1 })
  }

  @Test func anEmptyTileHasNoLayers() throws {
    #expect(try VectorTile(UnsafeRawBufferPointer(start: nil, count: 0)).layers.isEmpty)
  }

  @Test func randomDamageNeverTraps() throws {
    var numbers = SeededNumbers(7)
    let names = ["002", "005", "019", "020", "022", "038", "049", "061"]
    let tiles = try names.map { try fixtureBytes($0) }
    var (whole, broken) = (0, 0)
    for round in 0..<Emulation.rounds(4000) {
      var bytes = tiles[round % tiles.count]
      for _ in 0...numbers.next(0..<4) {
        bytes[numbers.next(0..<bytes.count)] = UInt8(truncatingIfNeeded: numbers.next())
      }
      if round % 3 == 0 { bytes.removeLast(numbers.next(0..<bytes.count)) }
      do {
        let tile = try bytes.withUnsafeBytes { try VectorTile($0) }
        try tile.verify()
        for layer in tile.layers { for index in 0..<layer.valueCount { _ = layer.value(index) } }
        whole += 1
      } catch { broken += 1 }
    }
    #expect(whole > 0)
    #expect(broken > 0)
  }
}

private func fixtureBytes(_ name: String) throws -> [UInt8] {
  try fileBytes(TestData.fixtures + "/mvt/\(name).mvt")
}

private func fixture(_ name: String) throws -> VectorTile {
  try fixtureBytes(name).withUnsafeBytes { try VectorTile($0) }
}

private func geometry(_ name: String) throws -> (points: [VectorPoint], ends: [Int]) {
  let layer = try #require(try fixture(name).layers.first)
  let geometry = VectorGeometry()
  try layer.read(0, into: geometry)
  return (Array(geometry.points), geometry.ends)
}
