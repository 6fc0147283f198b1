import MapGeometry
import TestSupport
import TileSources

@testable import TileServing

/// A file on a server, which answers at once with the parts that it is asked for.
final class PartServer: ServerFetcher {
  var file: [UInt8]
  var tag = "\"1\""
  var lifetime: Int? = 900
  /// What is answered instead to the question that is the so manieth.
  var instead: (Int) -> FetchOutcome? = { _ in nil }
  private(set) var asked: [ClosedRange<UInt64>] = []
  /// While true, answers are held back.
  var isHeld = false { didSet { if !isHeld { release() } } }
  private var held: [() -> Void] = []

  init(_ file: [UInt8]) { self.file = file }

  func ask(_ question: FetchQuestion, _ answer: @escaping (FetchOutcome) -> Void) {
    let range = question.range ?? 0...0
    let number = asked.count
    asked.append(range)
    let outcome = instead(number) ?? outcome(range)
    let reply = { answer(outcome) }
    if isHeld { held.append(reply) } else { reply() }
  }

  /// Answers what was asked last, and all from now on; what was asked before it is held on.
  func answerNewest() {
    guard let newest = held.popLast() else { return }
    let rest = held
    held = []
    isHeld = false
    newest()
    held = rest
  }

  private func release() {
    let all = held
    held = []
    for reply in all { reply() }
  }

  private func outcome(_ range: ClosedRange<UInt64>) -> FetchOutcome {
    guard range.lowerBound < UInt64(file.count) else {
      return .refused(status: 416, retryAfter: nil)
    }
    var terms = FetchOutcome.Terms()
    terms.lifetime = lifetime
    let end = min(Int(range.upperBound) + 1, file.count)
    return .part(
      FetchOutcome.Part(
        bytes: Array(file[Int(range.lowerBound)..<end]), size: UInt64(file.count), identity: tag,
        terms: terms))
  }
}

/// Archives made for tests. Tiles are lines, so that a client reads them as such.
enum MadeArchive {
  static func text(_ id: TileID, _ version: String) -> String {
    "\(id.z)/\(id.x)/\(id.y) \(version)"
  }

  static func bytes(_ id: TileID, _ version: String) -> [UInt8] {
    // A PNG ends its first line by itself.
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("\(text(id, version))\n".utf8)
  }

  /// All tiles of the levels but those whose column is `without`.
  static func pyramid(
    _ version: String, zooms: ClosedRange<Int> = 0...5, without: Int? = nil
  ) -> [(id: TileID, bytes: [UInt8])] {
    var tiles: [(id: TileID, bytes: [UInt8])] = []
    for z in zooms {
      for x in 0..<(1 << z) where x != without {
        for y in 0..<(1 << z) {
          if let id = TileID(z: z, x: x, y: y) { tiles.append((id, bytes(id, version))) }
        }
      }
    }
    return tiles
  }

  static let metadata = #"{"name":"Planet","attribution":"&copy; <a href='x'>them</a>"}"#

  static func file(_ version: String, leaf: Int? = 100, without: Int? = nil) -> [UInt8] {
    TilePacks.pmtiles(pyramid(version, without: without), leaf: leaf, metadata: metadata)
  }
}

extension SourceCase {
  /// A source whose tiles are in the archive of `server`.
  convenience init(
    archive server: PartServer, in folder: TemporaryFolder? = nil,
    _ change: (inout SourceSpec) -> Void = { _ in }
  ) throws {
    try self.init(server: server, in: folder) {
      $0.location = .url("http://x/planet.pmtiles?key=1")
      change(&$0)
    }
  }

  /// What is answered for the tile: its text, or the line that says why there is none.
  func tile(_ number: Int, _ z: Int, _ x: Int, _ y: Int) -> String? {
    send("get \(number) \(z) \(x) \(y) 1\n")
    guard let first = line() else { return nil }
    guard first.hasPrefix("tile ") else { return first }
    // The rest of the signature, which is two lines.
    _ = line()
    _ = line()
    return line()
  }
}
