import CBench
import Glibc
import MapGeometry
import TileLoading
import TileSources

/// Measures finding tiles in packs and in the cache.
struct LookupRows {
  let data: BenchData
  let rounds: Int

  init(_ data: BenchData, rounds: Int) {
    self.data = data
    self.rounds = rounds
  }

  func run(_ report: inout Report) {
    for size in [100, 100_000] { cache(&report, size) }
    packs(&report)
  }

  /// Compares a hit, which makes the tile the most recently used, with a lookup in a dictionary.
  private func cache(_ report: inout Report, _ size: Int) {
    // Sixteen bytes per tile are enough, because only keys are looked up.
    let cache = TileCache(limit: 1 << 40)
    var dictionary: [UInt64: Int32] = [:]
    var keys: [TileKey] = []
    let side = Int(Double(size).squareRoot()) + 1
    for i in 0..<size {
      guard let tile = TileID(z: 17, x: 70000 + i % side, y: 45000 + i / side) else { continue }
      let key = TileKey(source: 3, tile: tile)
      keys.append(key)
      dictionary[key.raw] = Int32(i)
      guard let buffer = cache.reserve(16, standing: .ahead) else { stop("no memory") }
      cache.insert(
        key, buffer: buffer, bytes: 16, edge: 2, format: .xrgb8888, standing: .ahead)
    }
    // As frames look tiles up: neighbours, around positions that move.
    var asked: [TileKey] = []
    var seed: UInt64 = 88_172_645_463_325_252
    while asked.count < 20000 {
      seed ^= seed << 13
      seed ^= seed >> 7
      seed ^= seed << 17
      let start = Int(seed % UInt64(keys.count))
      for i in 0..<50 { asked.append(keys[(start + i) % keys.count]) }
    }
    var sum = 0
    var result = Comparison.run(rounds: rounds * 2) {
      for key in asked { sum &+= Int(cache.hit(key) ?? -1) }
    } reference: {
      for key in asked { sum &+= Int(dictionary[key.raw] ?? -1) }
    }
    if sum == 42 { print("") }
    result.measured = result.measured.map { $0 / Double(asked.count) }
    result.reference = result.reference.map { $0 / Double(asked.count) }
    let name = size == 100 ? "100" : "100,000"
    report.add(
      Row(
        "cache hit and move to the front, \(name) tiles", to: "Dictionary<UInt64, Int32>",
        goal: 0.8, result))
  }

  private func packs(_ report: inout Report) {
    guard let folder = data.folder else {
      return report.skip("tile lookup in packs", "the data set is not at hand (--data)")
    }
    mbtiles(
      &report, folder + "/mbtiles/pyramids/bluemarble-labeled-z0-5.mbtiles",
      "MBTiles, JPEG of 11 kB")
    mbtiles(
      &report, folder + "/mbtiles/pyramids/osm-node-density-2013-z0-5.mbtiles",
      "MBTiles, PNG of 1 kB")
    pmtiles(&report, folder + "/variants/osm-z3-4-palette.pmtiles", 4)
  }

  private func mbtiles(_ report: inout Report, _ path: String, _ name: String) {
    guard access(path, R_OK) == 0, let raw = bench_sqlite_open(path) else {
      return report.skip(name, "\(path) is not there")
    }
    defer { bench_sqlite_close(raw) }
    let source = data.open(SourceSpec(name: name, location: .path(path)))
    var buffer = TileBuffer()
    let ids = (0..<1024).compactMap { TileID(z: 5, x: $0 % 32, y: $0 / 32) }
    var sum = 0
    var result = Comparison.run(rounds: max(5, rounds / 2)) {
      for id in ids {
        // As the loader reads: into the memory of the previous tile.
        do {
          guard case .payload(let payload) = try source.read(id, into: &buffer) else { continue }
          sum &+= payload.bytes.count
          buffer.reuse(payload)
        } catch {
          stop("\(error)")
        }
      }
    } reference: {
      for id in ids { sum &+= bench_sqlite_tile(raw, 5, Int32(id.x), Int32(31 - id.y)) }
    }
    if sum == 42 { print("") }
    result.measured = result.measured.map { $0 / 1024 }
    result.reference = result.reference.map { $0 / 1024 }
    report.add(
      Row("tile lookup, \(name)", to: "a prepared statement of sqlite3", goal: 1.1, result))
  }

  private func pmtiles(_ report: inout Report, _ path: String, _ level: Int) {
    let fd = open(path, O_RDONLY)
    guard fd >= 0 else { return report.skip("tile lookup, PMTiles", "\(path) is not there") }
    defer { close(fd) }
    let source = data.open(SourceSpec(name: "pmtiles", location: .path(path)))
    var buffer = TileBuffer()
    let side = 1 << level
    let ids = (0..<side * side).compactMap { TileID(z: level, x: $0 % side, y: $0 / side) }
    // The same bytes from the same file.
    var places: [(offset: UInt64, count: Int)] = []
    let whole = Files.bytes(path)
    for id in ids {
      guard let bytes = try? source.tile(at: id), let at = Files.find(bytes, in: whole) else {
        continue
      }
      places.append((UInt64(at), bytes.count))
    }
    var sum = 0
    var result = Comparison.run(rounds: rounds, repeats: 4) {
      for id in ids {
        // As the loader reads: into the memory of the previous tile.
        do {
          guard case .payload(let payload) = try source.read(id, into: &buffer) else { continue }
          sum &+= payload.bytes.count
          buffer.reuse(payload)
        } catch {
          stop("\(error)")
        }
      }
    } reference: {
      for place in places { sum &+= bench_pread(fd, place.offset, place.count) }
    }
    if sum == 42 { print("") }
    result.measured = result.measured.map { $0 / Double(ids.count) }
    result.reference = result.reference.map { $0 / Double(ids.count) }
    report.add(Row("tile lookup, PMTiles, PNG of 4 kB", to: "pread", goal: 1.1, result))
  }
}

extension Files {
  static func bytes(_ path: String) -> [UInt8] {
    let fd = open(path, O_RDONLY)
    if fd < 0 { return [] }
    defer { close(fd) }
    var status = stat()
    fstat(fd, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let got = read(fd, &bytes, bytes.count)
    return got == bytes.count ? bytes : []
  }

  static func find(_ part: [UInt8], in whole: [UInt8]) -> Int? {
    whole.withUnsafeBytes { hay in
      part.withUnsafeBytes { needle in
        let at = bench_find(hay.baseAddress, hay.count, needle.baseAddress, needle.count)
        return at < 0 ? nil : at
      }
    }
  }
}
