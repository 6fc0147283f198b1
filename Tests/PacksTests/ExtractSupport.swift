import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// An archive in memory whose answers come late, in another order, cut off or not at all.
final class FaultyReader: RangeReader {
  enum Fault { case drop, truncate, refuse, change, tooMuch, stray }

  let name: String
  let window = 4
  private let bytes: [UInt8]
  private let identity: String
  private let fault: (Int) -> Fault?
  private let cut: Int
  private var waiting: [RangeRequest] = []
  /// Every request that was begun, and those that were answered as they should be.
  private(set) var asked: [RangeRequest] = []
  private(set) var answered: [RangeRequest] = []

  /// - Parameters:
  ///   - cut: after so many answers all is refused.
  ///   - fault: what happens to the request that is the so manieth.
  init(
    _ bytes: [UInt8], name: String = "https://example.org/map.pmtiles", identity: String = "\"1\"",
    cut: Int = .max, fault: @escaping (Int) -> Fault? = { _ in nil }
  ) {
    self.bytes = bytes
    self.name = name
    self.identity = identity
    self.cut = cut
    self.fault = fault
  }

  func begin(_ request: RangeRequest) {
    // What a reader may count on.
    #expect(waiting.count < window && !asked.contains { $0.number == request.number })
    waiting.append(request)
    asked.append(request)
  }

  func next() -> RangeAnswer {
    // The last that was begun comes first.
    let request = waiting.removeLast()
    let index = asked.firstIndex { $0.number == request.number } ?? 0
    let start = min(Int(request.offset), bytes.count)
    let end = min(start + request.count, bytes.count)
    var content = Array(bytes[start..<end])
    var archive = ArchiveState(size: UInt64(bytes.count), identity: identity)
    switch answered.count >= cut ? .refuse : fault(index) {
    case nil: answered.append(request)
    case .drop:
      return RangeAnswer(
        number: request.number,
        result: .failure(RangeFault("dropped the connection", canRetry: true, retryAfter: 0)))
    case .refuse:
      return RangeAnswer(
        number: request.number, result: .failure(RangeFault("was cut", canRetry: false)))
    case .truncate: content.removeLast(content.count / 2 + 1)
    case .tooMuch: content.append(0)
    case .change: archive.identity = "\"2\""
    case .stray:
      waiting.append(request)
      return RangeAnswer(
        number: request.number + 1000, result: .success(.init(bytes: [], archive: archive)))
    }
    return RangeAnswer(
      number: request.number, result: .success(.init(bytes: content, archive: archive)))
  }
}

/// A pyramid made for tests: each tile different but for those of the sea, which are all the same.
enum MadePyramid {
  static func tiles(zooms: ClosedRange<Int>) -> [(id: TileID, bytes: [UInt8])] {
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    for z in zooms {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          guard let id = TileID(z: z, x: x, y: y) else { continue }
          tiles.append((id, bytes(of: id)))
        }
      }
    }
    return tiles
  }

  /// A layer of version 2 without features, as bytes of ASCII.
  static let vectorTile = "\u{1a}\u{06}\u{0a}\u{02}ab\u{78}\u{02}"

  static func bytes(of id: TileID) -> [UInt8] {
    let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    if (id.x / 3 + id.y / 2) % 3 == 0 { return start + Array("the sea".utf8) }
    var random = SeededNumbers(id.packed)
    var bytes = start + Array("\(id)".utf8)
    for _ in 0..<random.integer(20...90) { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
    return bytes
  }

  /// A PMTiles archive of it.
  static func archive(zooms: ClosedRange<Int>, leaf: Int? = 300) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try TilePacks.writePMTiles(tiles(zooms: zooms), to: folder["made.pmtiles"], leaf: leaf)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder["made.pmtiles"])))
  }
}

extension Region {
  init(_ box: GeoBounds) {
    self.init()
    add(box)
  }
}

/// The tiles of one pack that are in a set, read one by one, and the same of the other.
func differences(
  _ whole: String, _ part: String, _ tiles: TileSet, zooms: ClosedRange<Int>
) throws -> [TileID] {
  let one = try SourceSpec(name: "a", location: .path(whole)).open()
  let other = try SourceSpec(name: "b", location: .path(part)).open()
  var different: [TileID] = []
  for z in zooms {
    for x in 0..<(1 << z) {
      for y in 0..<(1 << z) {
        guard let id = TileID(z: z, x: x, y: y) else { continue }
        let wanted = tiles.contains(id) ? try one.tile(at: id) : nil
        if try other.tile(at: id) != wanted { different.append(id) }
      }
    }
  }
  return different
}
