import Foundation
import TestSupport

@testable import Images
@testable import Pixels

/// Files and decoded pictures for the tests of decoding.
enum TestFile {
  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  static func fixture(_ name: String) throws -> [UInt8] {
    try bytes(TestData.fixtures + "/images/" + name)
  }

  /// Every file below a folder, sorted.
  static func all(below folder: String) -> [String] {
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.map { folder + "/" + $0 }.sorted().filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// A table's rows, split at tabs; without the first when it is a heading.
  static func table(_ path: String, heading: Bool) -> [[String]] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").dropFirst(heading ? 1 : 0).map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A table of the large data set; empty without it.
  static func facts(_ name: String) -> [[String]] {
    TestData.large.map { table($0 + "/facts/" + name, heading: true) } ?? []
  }
}

/// A picture at its own size. Described in short: a failed expectation describes both of its sides.
struct Picture: Equatable, CustomStringConvertible, CustomReflectable {
  var width: Int
  var height: Int
  /// `0xAARRGGBB`
  var pixels: [UInt32]
  var isOpaque: Bool

  var description: String { "a picture of \(width) × \(height) pixels" }
  var customMirror: Mirror { Mirror(self, children: []) }

  init(_ file: [UInt8], straight: Bool = true, decoder: TileDecoder = TileDecoder()) throws {
    decoder.keepsStraightAlpha = straight
    defer { decoder.keepsStraightAlpha = false }
    let info = try file.withUnsafeBytes { try decoder.probe($0) }
    try self.init(file, width: info.width, height: info.height, decoder: decoder)
  }

  init(_ file: [UInt8], width: Int, height: Int, decoder: TileDecoder = TileDecoder()) throws {
    self.width = width
    self.height = height
    pixels = Array(repeating: 0x1234_5678, count: width * height)
    isOpaque = try pixels.withUnsafeMutableBytes { target in
      try file.withUnsafeBytes {
        try decoder.render(
          $0, width: width, height: height, into: target.baseAddress!, rowBytes: width * 4)
      }
    }
  }

  init(width: Int, height: Int, pixels: [UInt32]) {
    self.width = width
    self.height = height
    self.pixels = pixels
    isOpaque = pixels.allSatisfy { $0 >> 24 == 255 }
  }

  var rgba: [UInt8] {
    pixels.flatMap {
      [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255), UInt8($0 >> 24)]
    }
  }

  var rgb: [UInt8] {
    pixels.flatMap { [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
  }
}

/// A reproducible sequence (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

/// Decodes the ways that the loader does and returns the errors' text, nil for success. Whatever
/// the bytes, it must come back.
func decodeAllWays(_ file: [UInt8], decoder: TileDecoder, edge: Int = 64) -> String? {
  var failure: String?
  var target = [UInt32](repeating: 0, count: edge * edge)
  file.withUnsafeBytes { bytes in
    target.withUnsafeMutableBytes { room in
      do {
        _ = try decoder.decode(
          bytes, edge: edge, opaque: .rgb565,
          into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(edge * edge * 2)))
      } catch { failure = "\(error)" }
    }
    if failure == nil, let info = try? decoder.probe(bytes) {
      var whole = [UInt32](repeating: 0, count: info.width * info.height)
      whole.withUnsafeMutableBytes { room in
        do {
          _ = try decoder.render(
            bytes, width: info.width, height: info.height, into: room.baseAddress!,
            rowBytes: info.width * 4)
        } catch { failure = "\(error)" }
      }
    }
  }
  return failure
}
