import Configuration
import Control
import EventLoop
import TestSupport
import Testing

@testable import Kiosk

/// Events are announced in their order, once the frame of a wake-up is done.
@Suite struct EventTests: OverlayCase {
  @Test func whatASubscriberChangesIsTakenAtOnce() throws {
    let bench = try bench()
    try bench.settle()
    var views = 0
    bench.kiosk.onEvent = { [unowned bench] event in
      switch event {
      case .display: bench.kiosk.pan(dx: 10, dy: 0, animate: false)
      case .view: views += 1
      default: break
      }
    }
    bench.kiosk.showHud(["zoom": true])
    bench.loop.runOnce(timeout: 0)
    while views == 0 {
      // Nothing else would wake it.
      let isAwake = bench.loop.runOnce(timeout: 20_000_000_000)
      try #require(isAwake)
    }
  }

  @Test func theDisplayIsAnnouncedOnceHoweverOftenItChanges() throws {
    let bench = try bench()
    try bench.settle()
    var count = 0
    bench.kiosk.onEvent = { if case .display = $0 { count += 1 } }
    bench.kiosk.showHud(["zoom": true])
    bench.kiosk.showHud(["zoom": false])
    bench.kiosk.setTheme(.night)
    bench.loop.runOnce(timeout: 0)
    #expect(count == 1)
  }

  @Test func moreEventsThanMayWaitAreAnnouncedAtOnceAndInOrder() {
    let outbox = Outbox()
    var ids: [String] = []
    let later = (0...Outbox.mostEvents).map { "later \($0)" }
    outbox.onEvent = { event in
      guard case .marker(let id, _) = event else { return }
      ids.append(id)
      if id == "5" { for id in later { outbox.tell(.marker(id, .set)) } }
    }
    let all = (0...Outbox.mostEvents).map { "\($0)" }
    for id in all.dropLast() { outbox.tell(.marker(id, .set)) }
    #expect(ids.isEmpty)
    outbox.tell(.marker(all[all.count - 1], .set))
    #expect(ids == all)
    #expect(outbox.hasEvents)
    outbox.announce()
    #expect(ids == all + later && !outbox.hasEvents)
  }

  @Test func anOverlayIsAnnouncedOnceItIsOpenAndARestoredOneIsNot() throws {
    let folder = try TemporaryFolder()
    func kept() throws -> (Bench, () -> [String]) {
      let bench = try bench {
        $0.state.path = folder["state.json"]
        $0.state.keepAdded = true
      }
      let box = Box()
      bench.kiosk.onEvent = {
        if case .overlay(let name, let change) = $0 { box.all.append("\(name) \(change)") }
      }
      return (bench, { box.all })
    }
    let (first, told) = try kept()
    try add(first, "a", "#ff0000")
    #expect(first.run { first.kiosk.overlays[0].info != nil })
    #expect(told() == ["a added"])
    try add(first, "a", "#0000ff")
    try first.settle()
    #expect(told() == ["a added", "a added"])
    first.kiosk.saveState()

    let (second, toldThen) = try kept()
    second.kiosk.restoreState()
    try second.settle()
    #expect(second.kiosk.overlays.map(\.name) == ["a"])
    #expect(second.kiosk.overlays[0].info != nil && toldThen() == [])
  }
}

private final class Box { var all: [String] = [] }
