import Glibc
import Kiosk
import MapGeometry
import Platform
import TileSources

/// The tiles that everything is measured with: those of the data set if it is available, else the
/// bundled maps.
struct BenchData {
  /// The data set's folder; nil if it is not available.
  let folder: String?
  /// A folder for temporary files, removed at the end.
  let scratch: String

  init(folder: String?) {
    let here = folder ?? getenv("WAYPOST_TEST_DATA").map { String(cString: $0) }
    let places = [here, "../shared/data"].compactMap { $0 }
    // An absolute path, because the daemon resolves paths from its configuration's folder.
    self.folder = places.first { access($0 + "/raster-dirs/osm-standard-z3-5", R_OK) == 0 }
      .flatMap { realpath($0, nil) }.map { path in
        defer { free(path) }
        return String(cString: path)
      }
    var template = Array("/tmp/waypost-bench-XXXXXX".utf8CString)
    scratch = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/tmp"
    }
  }

  /// Palette PNG of 256 pixels, levels 3 to 5 (the bundled map: 0 to 3).
  var map: SourceSpec {
    guard let folder else { return Bundled.sources[0] }
    return SourceSpec(name: "osm", location: .path(folder + "/raster-dirs/osm-standard-z3-5"))
  }

  /// Another map of the same area.
  var otherMap: SourceSpec {
    guard let folder else { return Bundled.sources[1] }
    return SourceSpec(
      name: "marble", location: .path(folder + "/mbtiles/pyramids/bluemarble-labeled-z0-5.mbtiles"))
  }

  /// Opens a source, or ends the program with the reason.
  func open(_ spec: SourceSpec) -> any TileSource {
    do {
      return try spec.open()
    } catch {
      stop("\(error)")
    }
  }

  /// Up to `count` tiles of `spec` at `level`, from the middle of the world outwards.
  func tiles(of spec: SourceSpec, level: Int, count: Int) -> [[UInt8]] {
    let source = open(spec)
    var ids: [(distance: Int, id: TileID)] = []
    let side = 1 << level
    for y in 0..<side {
      for x in 0..<side {
        guard let id = TileID(z: level, x: x, y: y) else { continue }
        // Europe, where tiles are full.
        let (dx, dy) = (2 * x - side * 17 / 16, 2 * y - side * 11 / 16)
        ids.append((dx * dx + dy * dy, id))
      }
    }
    ids.sort { $0.distance < $1.distance }
    var found: [[UInt8]] = []
    for (_, id) in ids where found.count < count {
      if let bytes = try? source.tile(at: id) { found.append(bytes) }
    }
    return found
  }

  /// Removes all temporary files.
  func tidy() {
    guard scratch.hasPrefix("/tmp/waypost-bench-") else { return }
    for name in (try? Directory.names(in: scratch)) ?? [] { unlink(scratch + "/" + name) }
    rmdir(scratch)
  }
}

/// Access to files.
enum Files {
  /// The contents of a file; empty if it cannot be read.
  static func text(_ path: String) -> String {
    let fd = open(path, O_RDONLY)
    if fd < 0 { return "" }
    defer { close(fd) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      let got = read(fd, &part, part.count)
      if got <= 0 { break }
      bytes += part[..<got]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ bytes: [UInt8], to path: String) {
    let fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    if fd < 0 { stop("\(path): cannot be written") }
    var done = 0
    while done < bytes.count {
      let put = bytes.withUnsafeBytes {
        Glibc.write(fd, $0.baseAddress! + done, bytes.count - done)
      }
      if put <= 0 { stop("\(path): cannot be written") }
      done += put
    }
    close(fd)
  }
}

/// Ends the program with a reason.
func stop(_ reason: String) -> Never {
  Report.note(reason)
  exit(1)
}
