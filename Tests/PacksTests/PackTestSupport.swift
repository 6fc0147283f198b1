import Foundation
import MapGeometry
import Packs
import TestSupport
import Testing
import TileSources

/// What tests of packs share.
enum PackTest {
  /// Every tile as stored, by its number; through the readers under test.
  static func tiles(of path: String) throws -> [UInt64: [UInt8]] {
    let reader = try PackReaders.open(path)
    var buffer = TileBuffer()
    var found: [UInt64: [UInt8]] = [:]
    while let stretch = try reader.next(into: &buffer) {
      if stretch.fault != nil { continue }
      for number in stretch.first..<(stretch.first + stretch.count) {
        found[number] = [UInt8](buffer.bytes)
      }
    }
    return found
  }

  /// Every tile of a folder, read by the tests alone.
  static func folderTiles(of path: String) throws -> [UInt64: [UInt8]] {
    var found: [UInt64: [UInt8]] = [:]
    for (id, bytes) in try TilePacks.tiles(of: path) { found[HilbertID.number(of: id)] = bytes }
    return found
  }

  /// Converts by the ending of `output`.
  @discardableResult
  static func convert(
    _ inputs: [String], to output: String, force: Bool = false
  ) throws -> PackCopy.Result {
    let kind = try PackTest.kind(of: output)
    let copy = try PackCopy(inputs, to: kind)
    let writer = try PackTarget.writer(output, kind: kind, mayReplace: force)
    return try copy.run(into: writer, what: "test") { _ in true }
  }

  /// The kind by the ending; without one it is a folder.
  static func kind(of output: String) throws -> PackKind {
    let hasEnding = output.split(separator: "/").last?.contains(".") == true
    return hasEnding ? try PackTarget.kind(of: output) : .folder
  }

  static func verify(_ path: String) throws -> PackReport {
    try PackVerifier.run(path) { _ in true }
  }

  /// Adds tiles to a writer and completes the pack.
  @discardableResult
  static func write(
    _ tiles: [(UInt64, [UInt8])], into writer: any PackWriter,
    _ description: PackDescription = PackDescription()
  ) throws -> PackTotals {
    for (number, bytes) in tiles { try add(number, 1, bytes, to: writer) }
    return try writer.finish(description)
  }

  static func add(
    _ first: UInt64, _ count: UInt64, _ bytes: [UInt8], to writer: any PackWriter
  ) throws {
    try bytes.withUnsafeBytes { try writer.add(first: first, count: count, $0) }
  }

  static func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Names in a folder.
  static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  static let packs = TestData.fixtures + "/packs"
  static let osm = TestData.fixtures + "/tiles/osm"

  /// Every raster and vector set of the large data set.
  static func largeSets() throws -> [String] {
    guard let data = TestData.large else { return [] }
    var sets: [String] = []
    for folder in ["mbtiles", "pmtiles", "variants", "vector"] {
      sets += try large(folder, [".mbtiles", ".pmtiles"])
    }
    for name in try names(in: data + "/raster-dirs") { sets.append(data + "/raster-dirs/" + name) }
    sets += [data + "/variants/osm-z3-2x", data + "/vector/maplibre-demotiles-sparse-dir"]
    return sets.filter { set in
      FileManager.default.fileExists(atPath: set) && !notSets.contains { set.hasSuffix($0) }
    }
  }

  /// What is no pack, has no tile, or has a number of tiles that a folder cannot hold (its README).
  private static let notSets = [
    "/incomplete.mbtiles", "/invalid.mbtiles", "/invalid-tile-format.mbtiles", "/corrupt.mbtiles",
    "/empty.mbtiles", "/faulty.mbtiles", "/with spaces.mbtiles", "/empty.pmtiles",
    "/invalid.pmtiles", "/invalid_v4.pmtiles", "/run_length_max.pmtiles",
    "/git-lfs-pointers-instead-of-png", "/json.mbtiles", "/webp-no-primary.mbtiles",
    "/invalid-tile-idx.mbtiles",
  ]

  /// Packs of the large data set below `folder`, with one of the endings.
  static func large(_ folder: String, _ endings: [String]) throws -> [String] {
    guard let data = TestData.large else { return [] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: data + "/" + folder).sorted()
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.map {
      "\(data)/\(folder)/\($0)"
    }
  }
}

/// The error that `body` throws; nil, and an issue, where it throws none or another one.
func packError<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
) -> PackError? {
  do {
    _ = try body()
    Issue.record("no error was thrown", sourceLocation: sourceLocation)
  } catch let error as PackError {
    return error
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
  return nil
}
