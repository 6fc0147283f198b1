import EventLoop
import Foundation
import MapGeometry
import TileSources

@testable import Kiosk

/// Keeps the reader of a source waiting until a tile is let go.
///
/// Unchecked: all its state is touched under its condition's lock only.
final class Hold: @unchecked Sendable {
  private let condition = NSCondition()
  private var isHeld: @Sendable (TileID) -> Bool = { _ in false }
  private var free: Set<TileID> = []
  private var waiting: TileID?

  /// From now on tiles for which `rule` is true wait.
  func hold(_ rule: @escaping @Sendable (TileID) -> Bool) {
    condition.withLock {
      isHeld = rule
      free = []
    }
  }

  /// Lets everything go.
  func release() {
    hold { _ in false }
    condition.broadcast()
  }

  /// Lets the tile go that the reader waits for; nil when it waits for none.
  func releaseOne() -> TileID? {
    condition.withLock {
      let id = waiting
      waiting = nil
      if let id { free.insert(id) }
      condition.broadcast()
      return id
    }
  }

  /// Called by the reader: comes back when `id` may be read.
  func pass(_ id: TileID) {
    condition.withLock {
      while isHeld(id), !free.contains(id) {
        waiting = id
        condition.broadcast()
        condition.wait()
      }
      if waiting == id { waiting = nil }
    }
  }
}

/// A source whose tiles come when a `Hold` lets them.
final class HeldSource: TileSource {
  private let source: any TileSource
  private let hold: Hold

  init(_ source: any TileSource, _ hold: Hold) {
    self.source = source
    self.hold = hold
  }

  var info: SourceInfo { source.info }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    hold.pass(id)
    return try source.read(id, into: &buffer)
  }

  func contains(_ id: TileID) throws(TileError) -> Bool { try source.contains(id) }
}

extension Bench {
  /// Puts a held source in the place of the one at `place`, the first one.
  func hold(_ spec: SourceSpec, at place: Int = 0) -> Hold {
    let hold = Hold()
    kiosk.pipeline.loader.setSource(kiosk.sources[place].index, name: spec.name) {
      do throws(SourceError) {
        return .success(HeldSource(try spec.open(), hold))
      } catch {
        return .failure(error)
      }
    }
    return hold
  }

  /// Runs the loop as long as there is something to do at once.
  func drain() {
    repeat {} while loop.runOnce(timeout: 0)
  }

  /// Lets the next tile go once the reader waits for one; nil when it does not within 60 seconds.
  func releaseOne(_ hold: Hold) -> TileID? {
    let deadline = Date(timeIntervalSinceNow: 60)
    while Date() < deadline {
      if let id = hold.releaseOne() { return id }
      loop.runOnce(timeout: 2_000_000)
    }
    return nil
  }

  /// Runs the loop until `condition` holds; false when nothing happens for 20 seconds before. A
  /// process that was stopped wakes without an event.
  func run(until condition: () -> Bool) -> Bool {
    let patience: UInt64 = 20_000_000_000
    var end = EventLoop.now() + patience
    while !condition() {
      let now = EventLoop.now()
      guard now < end else { return false }
      if loop.runOnce(timeout: end - now) { end = EventLoop.now() + patience }
    }
    return true
  }
}
