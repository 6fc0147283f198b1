import Foundation
import Images
import MapGeometry
import Pixels
import Synchronization
import TestSupport
import TileSources

@testable import TileLoading

/// One pixel, half transparent: R 0x20, G 0x60, B 0xC0, A 0x80.
let transparentPNG = [UInt8](
  Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNQSDjQAAADpQHBGyhBbwAAAABJRU5ErkJggg=="
  ) ?? Data())

/// An opaque picture of one colour (0xRRGGBB).
func flatPNG(_ color: UInt32, side: Int = 16) -> [UInt8] {
  let pixels = [UInt32](repeating: 0xFF00_0000 | color, count: side * side)
  return
    (try? pixels.withUnsafeBytes { raw in
      try raw.baseAddress.map {
        try PNGWriter.encode($0, width: side, height: side, rowBytes: side * 4)
      }
    }) ?? []
}

/// What a test sees and steers of a source that is used on another thread. Guarded by the
/// condition.
final class SourceControl: @unchecked Sendable {
  private let condition = NSCondition()
  private var readTiles: [TileID] = []
  private var held: Set<TileID> = []

  /// The tiles that were asked for, in that order.
  var reads: [TileID] {
    condition.lock()
    defer { condition.unlock() }
    return readTiles
  }

  /// Lets whoever reads one of `tiles` wait until `release`.
  func hold(_ tiles: TileID...) {
    condition.lock()
    held.formUnion(tiles)
    condition.unlock()
  }

  func release() {
    condition.lock()
    held.removeAll()
    condition.broadcast()
    condition.unlock()
  }

  /// Called by the source.
  func read(_ tile: TileID) {
    condition.lock()
    readTiles.append(tile)
    condition.broadcast()
    while held.contains(tile) { condition.wait() }
    condition.unlock()
  }

  /// Whether `tile` is asked for within five minutes.
  func waitForRead(of tile: TileID) -> Bool { wait { $0.contains(tile) } }

  /// Whether so many tiles were asked for within five minutes.
  func waitForReads(_ count: Int) -> Bool { wait { $0.count >= count } }

  private func wait(until isSo: ([TileID]) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 300)
    condition.lock()
    defer { condition.unlock() }
    while !isSo(readTiles) {
      if !condition.wait(until: deadline) { return false }
    }
    return true
  }
}

/// A source made of a function.
final class FunctionSource: TileSource {
  let info: SourceInfo
  private let control: SourceControl
  private let give: @Sendable (TileID) throws(TileError) -> [UInt8]?
  private let has: @Sendable (TileID) -> Bool

  init(
    _ control: SourceControl, maxZoom: Int, has: @escaping @Sendable (TileID) -> Bool,
    give: @escaping @Sendable (TileID) throws(TileError) -> [UInt8]?
  ) {
    info = SourceInfo(kind: "function", minZoom: 0, maxZoom: maxZoom)
    self.control = control
    self.give = give
    self.has = has
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    control.read(id)
    guard let bytes = try give(id) else { return .nothing }
    buffer.set(bytes)
    return .payload(buffer.payload())
  }

  func contains(_ id: TileID) throws(TileError) -> Bool { has(id) }
}

/// A loader with its cache, and a bell that its threads ring.
final class Rig {
  final class Bell: @unchecked Sendable {
    private let condition = NSCondition()
    private var rings = 0

    func ring() {
      condition.lock()
      rings += 1
      condition.broadcast()
      condition.unlock()
    }

    /// Waits for a ring since the last wait; false after five minutes without.
    func wait() -> Bool {
      let deadline = Date(timeIntervalSinceNow: 300)
      condition.lock()
      defer { condition.unlock() }
      while rings == 0 {
        if !condition.wait(until: deadline) { return false }
      }
      rings = 0
      return true
    }
  }

  let cache: TileCache
  let missing = MissingTiles()
  let bell = Bell()
  private(set) var loader: TileLoader?
  var opened: [Int] = []
  var openErrors: [SourceError] = []
  var decoded: [TileKey] = []
  var absent: [TileKey] = []
  var tileErrors: [TileError] = []
  var failedAgain: [TileKey] = []
  var awaited: [TileKey] = []
  var returned: [TileKey] = []
  var recovered: [Int] = []
  var forgotten: [Int] = []
  var replaced: [Int] = []
  var troubles: [SourceError?] = []
  /// The loader's clock, in nanoseconds.
  var now: UInt64 = 1_000_000_000_000

  init(limit: Int = 8 << 20, opaque: TilePixelFormat = .xrgb8888, threads: Int = 1) {
    cache = TileCache(limit: limit)
    loader = TileLoader(
      cache: cache, missing: missing, opaque: opaque, threads: threads,
      clock: { [unowned self] in now }, wake: { [bell] in bell.ring() })
  }

  func dropLoader() { loader = nil }

  func add(
    _ index: Int, _ control: SourceControl = SourceControl(), on path: String? = nil,
    maxZoom: Int = 24,
    has: @escaping @Sendable (TileID) -> Bool = { _ in true },
    give: @escaping @Sendable (TileID) throws(TileError) -> [UInt8]?
  ) {
    loader?.setSource(index, name: "source \(index)", path: path) {
      .success(FunctionSource(control, maxZoom: maxZoom, has: has, give: give))
    }
  }

  func request(
    _ tile: TileID, source: Int = 0, levels: Int = 0, edge: Int = 16,
    _ standing: TileStanding = .needed
  ) -> TileLoader.Request {
    TileLoader.Request(
      key: TileKey(source: source, tile: tile), tile: tile, levels: levels, edge: edge,
      standing: standing)
  }

  func want(_ requests: TileLoader.Request...) { loader?.want(requests) }

  func collect() {
    loader?.collect { event in
      switch event {
      case .opened(let source, _, _): opened.append(source)
      case .openFailed(_, let error): openErrors.append(error)
      case .decoded(let key, _): decoded.append(key)
      case .missing(let key): absent.append(key)
      case .tileError(_, let error): tileErrors.append(error)
      case .failedAgain(let key, _): failedAgain.append(key)
      case .awaited(let key): awaited.append(key)
      case .returned(let key): returned.append(key)
      case .forgotten(let source): forgotten.append(source)
      case .recovered(let source): recovered.append(source)
      case .replaced(let source): replaced.append(source)
      case .trouble(_, let error): troubles.append(error)
      }
    }
  }

  /// Takes in results until `done`; false when nothing comes for 30 s.
  func run(until done: (Rig) -> Bool) -> Bool {
    while true {
      collect()
      if done(self) { return true }
      if !bell.wait() { return false }
    }
  }

  func runUntilIdle() -> Bool { run { $0.loader?.isIdle ?? true } }

  func entry(_ tile: TileID, source: Int = 0) -> TileCache.Entry? {
    cache.peek(TileKey(source: source, tile: tile)).map { cache.entry($0) }
  }

  /// The pixels of a tile of four bytes a pixel.
  func pixels(_ tile: TileID, source: Int = 0) -> [UInt32] {
    guard let entry = entry(tile, source: source), entry.format != .rgb565 else { return [] }
    let count = Int(entry.edge) * Int(entry.edge)
    return (0..<count).map { entry.pixels.load(fromByteOffset: $0 * 4, as: UInt32.self) }
  }
}

/// A tile that a test names; z/0/0 where it is none.
func tile(_ z: Int, _ x: Int, _ y: Int) -> TileID { TileID(z: z, x: x, y: y) ?? .world }

/// A medium that a test pulls and puts back.
final class Medium: Sendable {
  private let isThere = Mutex(true)

  func pull() { isThere.withLock { $0 = false } }
  func putBack() { isThere.withLock { $0 = true } }

  func read(_ tile: TileID) throws(TileError) -> [UInt8]? {
    if isThere.withLock({ $0 }) { return flatPNG(0xE01020) }
    throw TileError(file: "/media/card", tile: tile, reason: "it is gone", isTransient: true)
  }
}

extension Rig {
  /// Plans a view of `tiles` as a scene does: holes are looked for, what is neither there nor known
  /// is asked for.
  func plan(_ tiles: [TileID]) {
    cache.beginView()
    missing.beginView()
    let wanted = tiles.filter {
      let key = TileKey(source: 0, tile: $0)
      return cache.hit(key) == nil && missing.find(key) == nil
    }
    loader?.want(wanted.map { request($0) })
  }
}
