import Configuration
import EventLoop
import MapGeometry
import Platform
import TestSupport
import Testing

@testable import Kiosk

/// Day, night, and what the sun says.
@Suite struct ThemeTests {
  /// 2024-03-20 12:07 UTC: noon at longitude 0, midnight at 180.
  private static let equinoxNoon = 1_710_936_420.0

  private func bench(
    _ mode: Configuration.Theme.Mode, lon: Double = 0,
    _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    try Bench([MosaicTests.spec(MosaicTests.small)]) {
      $0.theme.mode = mode
      $0.view.center = GeoPoint(lat: 0, lon: lon)
      set(&$0)
    }
  }

  private func setClock(_ kiosk: Kiosk, _ time: Double?) {
    kiosk.theme.setClock(WallClock { time })
    kiosk.updateTheme()
  }

  @Test func autoIsNightWhereTheSunIsDown() throws {
    let bench = try bench(.auto)
    setClock(bench.kiosk, Self.equinoxNoon)
    #expect(!bench.kiosk.isNight)
    setClock(bench.kiosk, Self.equinoxNoon + 12 * 3600)
    #expect(bench.kiosk.isNight)
    #expect(bench.kiosk.themeMode == .auto)
  }

  @Test func autoFollowsTheViewAroundTheWorld() throws {
    let bench = try bench(.auto)
    setClock(bench.kiosk, Self.equinoxNoon)
    var view = bench.kiosk.goal
    view.center.lon = 179
    bench.kiosk.go(to: view, animate: false)
    bench.drain()
    #expect(bench.kiosk.isNight)
  }

  @Test func withoutAClockToTrustAutoIsDay() throws {
    let bench = try bench(.auto, lon: 179)
    setClock(bench.kiosk, nil)
    #expect(!bench.kiosk.isNight)
    // It looks again, and rarely.
    #expect(bench.kiosk.theme.timer?.isArmed == true)
  }

  @Test func autoWithoutAClockToTrustIsToldAfterAWhileUntilThereIsOne() throws {
    let outbox = Outbox()
    var settings = Configuration().theme
    settings.mode = .auto
    let time = Gate<Double?>(nil)
    let clock = ThemeClock(
      settings, loop: try EventLoop(), outbox: outbox, clock: WallClock { time.locked { $0 } },
      patience: 0)
    let place = GeoPoint(lat: 0, lon: 0)
    _ = clock.update(at: place)
    #expect(outbox.takeNotes().isEmpty)
    _ = clock.update(at: place)
    let told = outbox.takeNotes().last
    #expect(told?.what == "clock" && told?.state == .warning && told?.detail != nil)
    time.locked { $0 = Self.equinoxNoon }
    _ = clock.update(at: place)
    let ended = outbox.takeNotes().last
    #expect(ended?.what == "clock" && ended?.detail == nil)
  }

  @Test func gpsTimeComesFirst() throws {
    let bench = try bench(.auto, lon: 179)
    setClock(bench.kiosk, nil)
    bench.kiosk.noteGPSTime(
      1_790_000_000
        - (1_790_000_000 - Self.equinoxNoon).truncatingRemainder(dividingBy: 86400))
    #expect(bench.kiosk.isNight)
    setClock(bench.kiosk, Self.equinoxNoon + 12 * 3600)
    #expect(bench.kiosk.isNight)
    // A fix of a receiver that does not know the time yet says nothing.
    bench.kiosk.noteGPSTime(12345)
    bench.kiosk.noteGPSTime(nil)
    #expect(bench.kiosk.isNight)
  }

  @Test func onlyAutoHasATimerAndItIsForTheNextChange() throws {
    let bench = try bench(.day)
    #expect(bench.kiosk.theme.timer?.isArmed != true)
    bench.kiosk.theme.setClock(WallClock { Self.equinoxNoon })
    bench.kiosk.setTheme(.auto)
    #expect(bench.kiosk.theme.timer?.isArmed == true)
    #expect(bench.kiosk.theme.clockWatch != nil)
    bench.kiosk.setTheme(.night)
    #expect(bench.kiosk.theme.timer?.isArmed == false)
    #expect(bench.kiosk.theme.clockWatch == nil)
  }

  @Test func toggleGoesFromWhatIsSeenToTheOther() throws {
    let bench = try bench(.auto)
    setClock(bench.kiosk, Self.equinoxNoon + 12 * 3600)
    #expect(bench.kiosk.press(.themeToggle) == nil)
    #expect(bench.kiosk.themeMode == .day && !bench.kiosk.isNight)
    #expect(bench.kiosk.press(.themeToggle) == nil)
    #expect(bench.kiosk.themeMode == .night && bench.kiosk.isNight)
  }

  @Test func whatWasChosenOutlastsARestartAndAReloadThatLeavesItAlone() throws {
    let folder = try TemporaryFolder()
    func start(_ mode: Configuration.Theme.Mode = .day) throws -> Bench {
      let bench = try bench(mode) { $0.state.path = folder["state.json"] }
      bench.kiosk.restoreState()
      return bench
    }
    let first = try start()
    first.kiosk.setTheme(.night)
    first.kiosk.saveState()
    let second = try start()
    #expect(second.kiosk.themeMode == .night && second.kiosk.isNight)
    var new = second.kiosk.configuration
    new.view.maxZoom = 12
    second.kiosk.apply(new)
    #expect(second.kiosk.themeMode == .night)
    new.theme.mode = .auto
    second.kiosk.apply(new)
    #expect(second.kiosk.themeMode == .auto)
  }

  @Test func aNightOfOtherFiltersIsTakenOverAtOnce() throws {
    let bench = try bench(.night)
    try bench.settle()
    let before = bench.panel()
    var new = bench.kiosk.configuration
    new.theme.night = [.invert]
    bench.kiosk.apply(new)
    try bench.settle()
    #expect(bench.panel() != before)
    #expect(bench.kiosk.theme.transform.apply(0xff00_0000) == 0xffff_ffff)
  }
}

extension Kiosk {
  /// As a fix does that tells the time.
  fileprivate func noteGPSTime(_ time: Double?) {
    if theme.note(gps: time) { updateTheme() }
  }
}
