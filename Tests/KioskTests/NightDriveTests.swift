import Configuration
import EventLoop
import Foundation
import MapGeometry
import MapOverlays
import TestSupport
import Testing

@testable import Kiosk

/// A receiver's log by way of the real gpsd, on the map at night, heading up.
@Suite struct NightDriveTests {
  @Test(.enabled(if: ReceiverFeed.program != nil, "gpsd is not installed (Debian: gpsd)"))
  func aNightDriveIsShownWithEveryBeatThatShowsSomethingNew() throws {
    let log = TestData.fixtures + "/nmea/haicom-305N.log"
    // From where it begins to go: 24 moments, and more where a busy machine loses the fix.
    let moments = try ReceiverFeed.moments(of: log)[20...]
    let feed = try ReceiverFeed()
    defer { withExtendedLifetime(feed) {} }
    let bench = try Bench([], width: 200, height: 160, beat: true) {
      $0.view.zoom = 18
      $0.theme.mode = .night
      $0.position.gpsd = "127.0.0.1:\(feed.port)"
      $0.position.headingUp = true
    }
    let kiosk = bench.kiosk
    defer { kiosk.closePosition() }
    var fixes = 0
    kiosk.onEvent = { if case .position = $0 { fixes += 1 } }
    kiosk.openPosition()
    #expect(bench.run { kiosk.view.position.client?.counts.reports ?? 0 >= 3 })

    var slides = 0
    var pictures = 0
    for (n, moment) in moments.enumerated() {
      if n >= 24, pictures >= 2 { break }
      let before = fixes
      feed.say(moment)
      // Until it is told, or the next sentences complete it.
      let end = EventLoop.now() + 300_000_000
      while fixes == before, EventLoop.now() < end { bench.loop.runOnce(timeout: 10_000_000) }
      while let due = kiosk.view.position.nextStep {
        slides += 1
        let timer = kiosk.frames.dotTimer
        let isTimed = timer?.isArmed == true && timer?.deadline == due
        #expect(!bench.display.isReady || isTimed)
        bench.loop.runOnce(timeout: 1_000_000_000)
        if kiosk.view.position.state.age(at: EventLoop.now()) > 0.3 { break }
      }
      guard n % 8 == 7, kiosk.view.position.state.fix != nil else { continue }
      // The dot's blue in the night's colours, in the middle of the picture.
      let blue = kiosk.theme.picture.position
      #expect(blue == PictureTheme.night.position)
      // What was told last may still wait for the display.
      #expect(bench.run { !kiosk.frames.isChanged })
      let picture = try bench.picture()
      // A position that is lost by then is drawn without its colour.
      if kiosk.view.position.state.isLost(at: EventLoop.now()) { continue }
      #expect(picture[100, 80] == blue)
      pictures += 1
    }
    #expect(pictures >= 2)
    #expect(slides > 20)

    // It comes to rest where the receiver is, with the course up.
    #expect(
      bench.run {
        !kiosk.frames.isChanged && kiosk.view.position.nextStep == nil && !kiosk.view.isMoving
      })
    let fix = try #require(kiosk.view.position.state.fix)
    let place = ReceiverFeed.place(fix.place.lat, fix.place.lon)
    #expect(try ReceiverFeed.places(of: log).contains(place))
    #expect(kiosk.view.current.center == kiosk.view.position.state.endPlace)
    #expect(kiosk.view.current.bearing == kiosk.view.position.state.end?.heading)
    #expect(kiosk.view.current.bearing != 0)
    // The theme knows the receiver's time, which can be: the last fix says nothing new.
    let time = try #require(fix.time)
    kiosk.theme.setClock(WallClock { nil })
    _ = kiosk.theme.choose(.auto)
    #expect(!kiosk.theme.note(gps: time) && WallClock.isPlausible(time))
  }
}
