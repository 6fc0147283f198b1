import Foundation
import MapGeometry
import Platform
import TestSupport
import TileSources

@testable import Packs

/// A server of tiles without a network, whose clock goes on only while it is waited for.
final class MadeTileLink: TileLink {
  /// What was asked, and when.
  struct Asked: Equatable {
    var url: String
    var etag: String?
    var time: Double
  }

  let window: Int
  private(set) var now = 0.0
  private(set) var asked: [Asked] = []
  private(set) var mostUnderWay = 0
  /// How often it was waited for while nothing was under way.
  private(set) var emptyWaits = 0
  private var underWay: [(number: Int, url: String, etag: String?)] = []
  /// After so many answers the work is told to stop.
  private let cut: Int
  private var answers = 0
  private let respond: (Asked, Int) -> TileAnswer.Content

  /// - Parameter respond: the answer to a request that asks for its address the so manieth time.
  init(
    window: Int = 2, cut: Int = .max, _ respond: @escaping (Asked, Int) -> TileAnswer.Content
  ) {
    (self.window, self.cut, self.respond) = (window, cut, respond)
  }

  func begin(_ number: Int, url: String, etag: String?) throws(PackError) {
    asked.append(Asked(url: url, etag: etag, time: now))
    underWay.append((number, url, etag))
    mostUnderWay = max(mostUnderWay, underWay.count)
  }

  func next(until deadline: Double) throws(PackError) -> TileAnswer? {
    if answers >= cut { throw .stopped }
    // The last that was begun comes first.
    guard let request = underWay.popLast() else {
      precondition(deadline.isFinite, "nothing is waited for")
      emptyWaits += 1
      guard emptyWaits < 10_000 else {
        throw PackError(file: "the made server", reason: "is looked at again and again")
      }
      now = max(now, deadline)
      return nil
    }
    answers += 1
    now += 0.01
    let times = asked.filter { $0.url == request.url }.count
    let question = Asked(url: request.url, etag: request.etag, time: now)
    return TileAnswer(number: request.number, content: respond(question, times))
  }

  /// The tile of "https://a.example/3/1/2.png".
  static func tile(_ url: String) -> TileID {
    let parts = url.split(separator: "/").suffix(3).map { $0.prefix { $0 != "." } }
    guard parts.count == 3, let z = Int(parts[0]), let x = Int(parts[1]), let y = Int(parts[2]),
      let tile = TileID(z: z, x: x, y: y)
    else { preconditionFailure(url) }
    return tile
  }

  /// The picture that the server has for a tile: of each level's first row all the same.
  static func picture(_ tile: TileID) -> [UInt8] {
    PlainPNG.tile(tile.y == 0 ? UInt64(tile.z) : HilbertID.number(of: tile) + 1000)
  }

  static func content(_ url: String) -> TileAnswer.Content {
    .tile(picture(tile(url)), fresh: nil, etag: "")
  }
}

extension FetchJob {
  /// The whole world, levels 0 to 3: 85 tiles.
  static var small: FetchJob {
    FetchJob(url: "https://a.example/{z}/{x}/{y}.png", region: .world, zooms: 0...3)
  }
}

/// A suite that fetches from a made server.
protocol FetchCase {}

extension FetchCase {
  func run(
    _ job: FetchJob, _ link: MadeTileLink, to path: String, now: UInt64 = 1_800_000_000,
    boot: String = "boot", notes: ((String) -> Void)? = nil
  ) throws -> FetchResult {
    try PackFetch(job, output: path, mayReplace: false, onNote: notes ?? { _ in })
      .run(link, now: { now }, boot: boot)
  }

  /// Tiles of levels 0 to 3 of the pack that are not what the server has.
  func wrong(
    _ path: String, absent: (TileID) -> Bool = { _ in false }
  ) throws -> [TileID] {
    let source = try SourceSpec(name: "a", location: .path(path)).open()
    var wrong: [TileID] = []
    for z in 0...3 {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          guard let tile = TileID(z: z, x: x, y: y) else { continue }
          let wanted = absent(tile) ? nil : MadeTileLink.picture(tile)
          if try source.tile(at: tile) != wanted { wrong.append(tile) }
        }
      }
    }
    return wrong
  }

  func names(_ folder: TemporaryFolder) throws -> [String] {
    try PackTest.names(in: folder.path).sorted()
  }
}

/// A shell script in place of waypost-fetch.
enum FetchScript {
  static func write(_ script: String, _ folder: TemporaryFolder) throws -> String {
    let path = try folder.write("#!/bin/sh\n" + script, to: "fetch")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  /// What `start` gives, which starts the script. A program that another test starts at this moment
  /// may have it open for writing.
  static func start<Value>(_ start: () throws -> Value) throws -> Value {
    let isBusy = SystemError.text(of: ETXTBSY)
    while true {
      let started = Result { try start() }
      guard case .failure(let error) = started, "\(error)".contains(isBusy) else {
        return try started.get()
      }
      sched_yield()
    }
  }
}
