import CSQLite
import Foundation
import MapGeometry
import TestSupport
import Testing
import TileFormats
import TileSources

/// Bytes in memory as a pack.
final class ArrayReader: ByteReader {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var size: UInt64 { UInt64(bytes.count) }

  func read(at offset: UInt64, count: Int) throws(PackFault) -> [UInt8] {
    guard count >= 0, offset <= size, UInt64(count) <= size - offset else {
      throw PackFault("bytes \(offset) to \(offset)+\(count) lie beyond its end")
    }
    return Array(bytes[Int(offset)..<Int(offset) + count])
  }
}

/// A folder that goes with the test.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "waypost-sources-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    chmod(path, 0o755)
    try? FileManager.default.removeItem(atPath: path)
  }

  static func + (folder: Scratch, name: String) -> String { folder.path + "/" + name }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// Name and sum of every file.
  func contents() throws -> [String: String] {
    var sums: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder)
      if !isFolder.boolValue { sums[name] = sha256Hex(try bytes(of: path + "/" + name)) }
    }
    return sums
  }
}

func bytes(of file: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
}

func fixture(_ name: String) -> String { TestData.fixtures + "/packs/" + name }

func tile(_ z: Int, _ x: Int, _ y: Int) -> TileID {
  guard let id = TileID(z: z, x: x, y: y) else { preconditionFailure("no tile \(z)/\(x)/\(y)") }
  return id
}

func source(_ path: String, scheme: SourceSpec.Scheme? = nil) throws(SourceError) -> any TileSource
{
  var spec = SourceSpec(name: "test", location: .path(path))
  spec.scheme = scheme
  return try spec.open()
}

/// The error that `body` throws; one that does not come, or is another, is a failure of the test.
func thrown<Failure: Error>(_ type: Failure.Type, _ body: () throws -> Any) -> Failure? {
  do {
    _ = try body()
    Issue.record("no \(type) was thrown")
  } catch let failure as Failure {
    return failure
  } catch {
    Issue.record(error)
  }
  return nil
}

/// What opening `path` is refused with; "opened" where it is not.
func refusal(_ path: String) -> String {
  do throws(SourceError) {
    _ = try source(path)
    return "opened"
  } catch {
    return error.description
  }
}

/// What reading or drawing `id` is refused with; "read", "none" or "later" where it is not.
func refusal(_ source: any TileSource, _ id: TileID) -> String {
  do throws(TileError) {
    switch try source.read(id) {
    case .payload(let payload): return payload.format.refusal ?? "read"
    case .nothing: return "none"
    case .later: return "later"
    }
  } catch {
    return error.description
  }
}

/// A SQLite connection that writes.
final class Writer {
  private var connection: OpaquePointer?

  /// - Parameter isAddress: `path` is a URI.
  init(_ path: String, isAddress: Bool = false) throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | (isAddress ? SQLITE_OPEN_URI : 0)
    guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else {
      throw PackFault("no \(path)")
    }
    sqlite3_busy_timeout(connection, 5000)
  }

  func run(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
      throw PackFault(String(cString: sqlite3_errmsg(connection)))
    }
  }

  func close() {
    sqlite3_close(connection)
    connection = nil
  }

  deinit { close() }
}

/// The beginning of a PNG, which is all that a source looks at.
let pictureStart: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/// Parts of a PMTiles archive, put together byte by byte.
struct Archive {
  struct Row {
    var id: UInt64
    var run: UInt64 = 1
    var length: UInt64
    /// As stored: 0 for "after the one before", else the offset and 1.
    var offset: UInt64
  }

  var root: [UInt8]
  var metadata: [UInt8] = []
  var leaves: [UInt8] = []
  var tiles: [UInt8] = []
  var directoryCompression: UInt8 = 1
  var tileCompression: UInt8 = 1
  var type: UInt8 = 2
  var zooms: (UInt8, UInt8) = (0, 5)

  static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func directory(_ rows: [Row]) -> [UInt8] {
    var bytes = varint(UInt64(rows.count))
    var last: UInt64 = 0
    for row in rows {
      bytes += varint(row.id &- last)
      last = row.id
    }
    bytes += rows.flatMap { varint($0.run) }
    bytes += rows.flatMap { varint($0.length) }
    return bytes + rows.flatMap { varint($0.offset) }
  }

  var bytes: [UInt8] {
    func little(_ value: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    var header = Array("PMTiles".utf8) + [3]
    var place = 127
    for part in [root, metadata, leaves, tiles] {
      header += little(place) + little(part.count)
      place += part.count
    }
    header += [UInt8](repeating: 0, count: 24)
    header += [1, directoryCompression, tileCompression, type, zooms.0, zooms.1]
    header += [UInt8](repeating: 0, count: 127 - header.count)
    return header + root + metadata + leaves + tiles
  }

  func open() throws(PackFault) -> PMTilesSource {
    try PMTilesSource(ArrayReader(bytes), name: "archive", scheme: .xyz)
  }
}

/// `bytes` as a gzip member without compression.
func gzipStored(_ bytes: [UInt8]) -> [UInt8] { Packing.gzip.pack(bytes) }

/// `bytes` as a zstd frame of raw blocks.
func zstdStored(_ bytes: [UInt8]) -> [UInt8] { Packing.zstd.pack(bytes) }

/// `bytes` as a brotli stream of uncompressed meta-blocks.
func brotliStored(_ bytes: [UInt8]) -> [UInt8] { Packing.brotli.pack(bytes) }
