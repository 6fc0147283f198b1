import CSQLite
import Glibc
import MapGeometry
import TileFormats

@testable import TileSources

/// Packs from anywhere, and what archives on servers consist of.
///
/// A pack of MBTiles is a database that may be damaged in any place: `mbtiles` changes the file,
/// `mbtiles-values` the values of an intact one. SQLite is limited by `SQLiteLimits` and
/// `SQLiteWatchdog`. A PMTiles directory takes at most 8 MiB unpacked, metadata 2 MiB, and 16 MiB
/// while they are parsed; a tile 16 MiB, stored and unpacked.
extension FuzzTarget {
  static let packs: [FuzzTarget] = [
    FuzzTarget(
      "mbtiles", of: ["TileSources/MBTiles", "TileSources/Text"], longest: 16384, mebibytes: 96,
      seconds: 20
    ) { bytes in
      let file = ScratchFile("mbtiles")
      try file.write(bytes)
      guard let pack = try? MBTilesSource(path: file.path) else { return }
      try use(pack)
    },
    FuzzTarget(
      "mbtiles-values", of: ["TileSources/MBTiles", "TileSources/Text"], mebibytes: 96, seconds: 20
    ) { bytes in
      let file = ScratchFile("values.mbtiles")
      try MadePack.write(bytes, to: file.path)
      guard let pack = try? MBTilesSource(path: file.path) else { return }
      try use(pack)
    },
    FuzzTarget(
      "pmtiles", of: ["TileSources/PMTiles", "TileSources/Text", "TileSources/Bytes"],
      longest: 8192, mebibytes: 96, seconds: 20
    ) { bytes in
      let cache = DirectoryCache(limit: 1 << 20)
      guard
        let pack = try? PMTilesSource(
          HeldReader(bytes), name: "fuzz", scheme: .xyz, directories: cache)
      else { return }
      try use(pack)
    },
    FuzzTarget("pmtiles-directory", of: ["TileSources/PMTiles"], mebibytes: 16) { bytes in
      guard let directory = try? PMTilesDirectory([UInt8](bytes)) else { return }
      try promise(
        directory.entries.count <= PMTilesDirectory.entryLimit, "more entries than allowed")
      for entry in directory.entries.prefix(100) {
        _ = HilbertID.tile(entry.id)
        let found = directory.entry(for: entry.id)
        try promise(found == entry, "entry \(entry.id) is found as \(String(describing: found))")
        _ = directory.entry(for: entry.id &+ UInt64(entry.run))
        _ = directory.entry(for: entry.id &- 1)
      }
      for number in [0, 1, UInt64.max / 2, UInt64.max] { _ = directory.entry(for: number) }
    },
    FuzzTarget(
      "compressed", of: ["TileSources/Bytes", "TileSources/UnpackedTile.swift"], mebibytes: 96
    ) { bytes in
      guard let first = bytes.first else { return }
      let ways: [PackCompression] = [.gzip, .brotli, .zstd, .none]
      let limit = 1 << 20
      let rest = [UInt8](bytes.dropFirst())
      let unpacked = try? Unpacking.unpack(rest, ways[Int(first) % ways.count], limit: limit)
      try promise(unpacked?.count ?? 0 <= limit, "more is unpacked than allowed")
      let tile = StoredTile(bytes: rest, encoding: .init(isDeclaredVector: first >= 128))
      let opened = try? tile.opened()
      try promise(
        opened?.bytes.count ?? 0 <= StoredTile.sizeLimit, "a tile unpacks to more than allowed")
    },
  ]

  /// Does with a pack what the daemon does.
  private static func use(_ pack: some StoredTileSource) throws {
    let info = pack.info
    try promise(info.minZoom <= info.maxZoom, "zooms \(info.minZoom) to \(info.maxZoom)")
    if let center = info.center, let bounds = info.bounds {
      try promise(bounds.contains(center), "a centre that lies outside the bounds")
    }
    var buffer = TileBuffer()
    let first = TileID(z: 0, x: 0, y: 0)
    for tile in pack.sampleTiles(upTo: 16) + (first.map { [$0] } ?? []) {
      _ = try? pack.contains(tile)
      guard case .payload(let payload)? = try? pack.read(tile, into: &buffer) else { continue }
      try promise(payload.bytes.count <= StoredTile.sizeLimit, "a tile that is too large")
      buffer.reuse(payload)
    }
  }
}

/// An archive that lies in memory.
private final class HeldReader: ByteReader {
  private let bytes: [UInt8]
  var size: UInt64 { UInt64(bytes.count) }

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = [UInt8](bytes) }

  func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
    guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
      throw PackFault("is cut off")
    }
    return [UInt8](bytes[Int(offset)..<Int(offset) + count])
  }
}

/// A file in memory that goes with this object; one per process and name.
final class ScratchFile {
  let path: String

  init(_ name: String) {
    let folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    path = "\(folder)/waypost-fuzz-\(getpid())-\(name)"
  }

  deinit { unlink(path) }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BrokenPromise(description: "\(path) cannot be written") }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      guard count > 0 else { throw BrokenPromise(description: "\(path) cannot be written") }
      done += count
    }
  }
}

/// An intact pack with the values of an input: rows of `metadata` as "name=value" lines up to an
/// empty one, then the blob of a tile.
private enum MadePack {
  static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
    unlink(path)
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(path, &handle) == SQLITE_OK else {
      throw BrokenPromise(description: "\(path) cannot be made")
    }
    let tables =
      "PRAGMA page_size=512;PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;BEGIN;"
      + "CREATE TABLE metadata(name,value);"
      + "CREATE TABLE tiles(zoom_level,tile_column,tile_row,tile_data)"
    sqlite3_exec(handle, tables, nil, nil, nil)
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")), end > rest.startIndex {
      let line = rest[..<end]
      let name = line.prefix { $0 != UInt8(ascii: "=") }
      insert(handle, "INSERT INTO metadata VALUES(?,?)", [name, line.dropFirst(name.count + 1)])
      rest = rest[(end + 1)...]
    }
    insert(handle, "INSERT INTO tiles VALUES(0,0,0,?)", [rest.dropFirst()], isBlob: true)
    sqlite3_exec(handle, "COMMIT", nil, nil, nil)
  }

  private static func insert(
    _ handle: OpaquePointer?, _ text: String, _ values: [Slice<UnsafeRawBufferPointer>],
    isBlob: Bool = false
  ) {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else { return }
    defer { sqlite3_finalize(statement) }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      let bytes = UnsafeRawBufferPointer(rebasing: value)
      if isBlob {
        sqlite3_bind_blob(
          statement, Int32(index + 1), bytes.baseAddress, Int32(bytes.count), transient)
      } else {
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(statement, Int32(index + 1), text, Int32(bytes.count), transient)
      }
    }
    sqlite3_step(statement)
  }
}
