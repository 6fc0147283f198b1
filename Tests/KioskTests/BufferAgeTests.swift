import Configuration
import Displays
import EventLoop
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Whichever of a display's memories is shown, it shows the whole picture.
@Suite struct BufferAgeTests {
  private static let counts = [1, 2, 3]

  private func kiosk(
    _ display: any Display, _ loop: EventLoop, cache: Int = 32 << 20, layers: Int = 1
  ) throws -> Kiosk {
    var configuration = Configuration()
    configuration.sources = MosaicTests.layers(layers)
    configuration.state.path = nil
    configuration.view.center = GeoPoint(lat: 0, lon: 0)
    configuration.view.zoom = 2
    configuration.cache.memory = cache
    return try Kiosk(
      configuration: configuration, loop: loop, makeScreen: { _, _ in FixedScreen(display) },
      font: { Bundled.text($0) })
  }

  private func settle(_ kiosk: Kiosk, _ look: (Kiosk) -> Void = { _ in }) -> Bool {
    var outcome: SettleOutcome?
    kiosk.settle(timeout: 600) { outcome = $0 }
    kiosk.loop.runOnce(timeout: 0)
    look(kiosk)
    while outcome == nil {
      kiosk.loop.runOnce(timeout: 1_000_000_000)
      look(kiosk)
    }
    return outcome?.complete == true
  }

  private func pixels(_ display: any Display) -> [UInt32] {
    var words: [UInt32] = []
    let isRead = display.readFrame { _, row in
      words.append(contentsOf: UnsafeBufferPointer(start: row, count: display.width))
    }
    return isRead ? words : []
  }

  /// Goes through views and small changes, and compares with a display of one memory each time.
  private func compare(
    memories: Int, cache: Int, layers: Int, width: Int, height: Int, places: [(Int, Int)]
  ) throws {
    let single = SwappingDisplay(width: width, height: height, memories: 1)
    let loop = try EventLoop()
    let display = SwappingDisplay(width: width, height: height, memories: memories, loop: loop)
    let reference = try kiosk(single, EventLoop(), cache: 64 << 20, layers: layers)
    let kiosk = try kiosk(display, loop, cache: cache, layers: layers)
    var wasHeldBack = false
    for (n, place) in places.enumerated() {
      for kiosk in [reference, kiosk] {
        var view = kiosk.goal
        view.center = GeoPoint(lat: Double(place.0), lon: Double(place.1))
        view.zoom = n == 3 ? 1.6 : 2
        kiosk.go(to: view, animate: false)
      }
      // A small change between whole ones: the notice comes and goes.
      for text in ["", "a notice", "another, longer notice", ""] {
        reference.setNotice(text)
        kiosk.setNotice(text)
        #expect(settle(reference))
        #expect(settle(kiosk) { wasHeldBack = wasHeldBack || $0.pipeline.scene.isHeldBack })
        let isSame = pixels(single) == pixels(display)
        #expect(isSame, "place \(n), \"\(text)\"")
      }
    }
    #expect(wasHeldBack == (layers > 1))
  }

  @Test(arguments: counts)
  func everyMemoryShowsTheWholePicture(memories: Int) throws {
    try compare(
      memories: memories, cache: 32 << 20, layers: 1, width: 640, height: 400,
      places: [(0, 0), (10, 20), (-40, 100), (60, -30), (60, -29)])
  }

  @Test(arguments: counts)
  func soItIsWhereTheCacheHoldsLessThanTheView(memories: Int) throws {
    try compare(
      memories: memories, cache: 1, layers: 4, width: 1000, height: 760, places: [(0, 0), (10, 20)])
  }

  @Test func aMemoryThatForgotIsDrawnAgain() throws {
    let display = SwappingDisplay(width: 640, height: 400, memories: 2)
    let kiosk = try kiosk(display, EventLoop())
    #expect(settle(kiosk))
    let before = pixels(display)
    display.forget()
    kiosk.setNotice("a notice")
    #expect(settle(kiosk))
    kiosk.setNotice("")
    #expect(settle(kiosk))
    let isSame = pixels(display) == before
    #expect(isSame)
  }

  @Test func whileNobodySeesItNothingIsDrawnButTheViewIsSettled() throws {
    let display = SwappingDisplay(width: 640, height: 400, memories: 2)
    let kiosk = try kiosk(display, EventLoop())
    #expect(settle(kiosk))
    let frame = display.frame
    display.isVisible = false
    display.isReady = false
    kiosk.pan(dx: 300, dy: 0, animate: false)
    #expect(settle(kiosk))
    #expect(display.frame == frame)
    display.forget()
    display.isVisible = true
    display.isReady = true
    display.onReady?()
    // Nobody asks for anything: what is shown is drawn again all the same.
    kiosk.loop.runOnce(timeout: 0)
    #expect(display.frame > frame)
    #expect(settle(kiosk))
    let seen = pixels(display)
    let other = SwappingDisplay(width: 640, height: 400, memories: 1)
    let fresh = try self.kiosk(other, EventLoop())
    fresh.pan(dx: 300, dy: 0, animate: false)
    #expect(settle(fresh))
    let isSame = pixels(other) == seen
    #expect(isSame)
  }
}
