import MapGeometry
import TestSupport
import Testing
import TileFormats

@testable import TileSources

/// A container of tiles.
enum Container: String, CaseIterable {
  case mbtiles, folder, template
}

/// Vector tiles, compressed in each way, in containers that do not say how.
@Suite struct PackedTileTests {
  /// The world of Natural Earth, unpacked.
  private static func world() throws -> [UInt8] {
    let pack = try source(TestData.fixtures + "/vector/natural-earth-z0-1.mbtiles")
    return try #require(try pack.tile(at: .world))
  }

  private func open(
    _ tiles: [[UInt8]], _ container: Container, _ scratch: Scratch, ending: String = "pbf",
    format: String = "pbf"
  ) throws -> any TileSource {
    let ids = [TileID.world, tile(1, 0, 0), tile(1, 1, 0)]
    let placed = Array(zip(ids, tiles)).map { (id: $0.0, bytes: $0.1) }
    if container == .mbtiles {
      try TilePacks.writeMBTiles(placed, to: scratch + "a.mbtiles", format: format)
      return try source(scratch + "a.mbtiles")
    }
    for (id, bytes) in placed {
      _ = try scratch.write(bytes, to: "\(id.z)/\(id.x)/\(id.y).\(ending)")
    }
    if container == .folder { return try source(scratch.path) }
    let url = "file://\(scratch.path)/{z}/{x}/{y}.\(ending)"
    return try SourceSpec(name: "test", location: .url(url)).open()
  }

  @Test(arguments: Packing.allCases, Container.allCases)
  func everyCompressionIsReadFromEveryContainer(packing: Packing, container: Container) throws {
    let world = try Self.world()
    let scratch = try Scratch()
    let map = try open([packing.pack(world)], container, scratch)
    #expect(map.info.format == "mvt")
    guard case .payload(let payload) = try map.read(.world) else {
      Issue.record("no tile")
      return
    }
    #expect(payload.format == .mvt && [UInt8](payload.bytes) == world)
    let names = VectorLayerNames.present(inTile: payload.bytes)
    #expect(names.contains("water"))
    let stored = try #require(map as? any StoredTileSource)
    #expect(try stored.storedTile(at: .world)?.bytes == packing.pack(world))
  }

  @Test(arguments: Packing.allCases)
  func aPackThatDoesNotSayThatItHasVectorTilesIsOpened(packing: Packing) throws {
    let scratch = try Scratch()
    let map = try open([packing.pack(try Self.world())], .mbtiles, scratch, format: "")
    #expect(map.info.format == "mvt")
    #expect(try map.tile(at: .world) == Self.world())
  }

  @Test(arguments: [
    ("pbf.gz", Packing.gzip), ("mvt.br", .brotli), ("pbf.br", .brotli), ("pbf.zst", .zstd),
  ])
  func namesMaySayHowTilesAreCompressed(ending: String, packing: Packing) throws {
    let world = try Self.world()
    for container in [Container.folder, .template] {
      let scratch = try Scratch()
      let map = try open([packing.pack(world)], container, scratch, ending: ending)
      #expect(map.info.format == "mvt")
      let read = try withExtendedLifetime(scratch) { try map.tile(at: .world) }
      #expect(read == world)
    }
  }

  @Test func tilesOfOnePackMayBeCompressedInDifferentWays() throws {
    let world = try Self.world()
    let tiles = [Packing.gzip, .brotli, .zstd].map { $0.pack(world) }
    let scratch = try Scratch()
    let map = try open(tiles, .mbtiles, scratch)
    for id in [.world, tile(1, 0, 0), tile(1, 1, 0)] {
      let read = try withExtendedLifetime(scratch) { try map.tile(at: id) }
      #expect(read == world)
    }
  }

  @Test(arguments: [Packing.gzip, .zstd, .brotli])
  func aTileWithoutLayersMayBeCompressed(packing: Packing) throws {
    let scratch = try Scratch()
    let map = try open([packing.pack(try Self.world()), packing.pack([])], .mbtiles, scratch)
    let read = try withExtendedLifetime(scratch) { try map.read(tile(1, 0, 0)) }
    guard case .payload(let payload) = read else {
      Issue.record("no tile")
      return
    }
    #expect(payload.format == .mvt && payload.bytes.isEmpty)
  }

  @Test func brotliDataThatAreNoVectorTileStayWhatTheyAre() throws {
    let other = Packing.brotli.pack(pictureStart + [1, 2, 3])
    #expect(StoredTile(bytes: other).format == .unknown)
    #expect(try StoredTile(bytes: other).unpacked() == other)
    // A tile of a vector map is read and refused as what its pack says.
    let declared = StoredTile(bytes: other, encoding: .init(isDeclaredVector: true))
    #expect(declared.format == .mvt)
    #expect(try declared.unpacked() == other)
  }

  @Test func aStreamOfBrotliMayBeginAsGzipDataDo() throws {
    // A layer's name of 134 letters, "waterwater…", compressed by libbrotlienc with a window of
    // 2^24 bytes.
    let stream: [UInt8] = [
      0x1f, 0x8b, 0, 0, 0x04, 0x94, 0x71, 0x4d, 0x07, 0x38, 0x40, 0x78, 0xbd, 0x66, 0x09, 0xac,
      0x0a, 0x8b, 0x8e, 0x23, 0xdd, 0,
    ]
    let tile = StoredTile(bytes: stream)
    #expect(TileFormat(sniffing: stream) == .gzip && tile.format == .mvt)
    #expect(try tile.unpacked().count == 140)
    // What is neither stays damaged gzip data.
    let damaged = StoredTile(bytes: [0x1f, 0x8b, 8, 0, 1, 2, 3])
    let error = thrown(PackFault.self) { try damaged.unpacked() }
    #expect(error?.reason.contains("gzip") == true)
  }

  @Test func unpackedTilesHaveOneLimitHoweverTheyAreCompressed() throws {
    // A layer's name that alone is too long.
    let count = StoredTile.sizeLimit
    func varint(_ value: Int) -> [UInt8] {
      value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
    }
    let inside = [0x0a] + varint(count) + [UInt8](repeating: 65, count: count)
    let large = [0x1a] + varint(inside.count) + inside
    let stored = StoredTile(bytes: Packing.brotli.pack(large))
    #expect(TileFormat(sniffing: large) == .mvt && stored.format == .unknown)
    let zstd = thrown(PackFault.self) {
      try StoredTile(bytes: Packing.zstd.pack(large)).unpacked()
    }
    #expect(zstd != nil)
  }
}
