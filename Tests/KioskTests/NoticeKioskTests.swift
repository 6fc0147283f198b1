import Control
import EventLoop
import Inputs
import MapGeometry
import MapOverlays
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// Notices in a running kiosk.
@Suite struct NoticeKioskTests: MarkerCase {
  /// A kiosk whose clock says `time`; nil: it cannot be trusted.
  private func bench(
    at time: Double?, _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    let bench = try bench(set)
    bench.kiosk.theme.setClock(WallClock { time })
    bench.kiosk.outbox.add(.noticesDue)
    try bench.settle()
    return bench
  }

  private static let noon = 1_811_865_600.0

  @Test func aNoticeIsABannerAndGoesWithItsRemoval() throws {
    let bench = try bench(at: nil)
    let plain = bench.panel()
    _ = try bench.kiosk.setNotice(["id": "a", "text": "Bridge closed", "severity": "warning"])
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .hud).count == 1)
    #expect(bench.panel() != plain)
    let frames = bench.kiosk.presentedFrames
    try bench.settle()
    #expect(bench.kiosk.presentedFrames == frames)
    #expect(bench.kiosk.removeNotice("a"))
    try bench.settle()
    #expect(bench.panel() == plain)
    #expect(!bench.kiosk.removeNotice("a"))
  }

  @Test func theWorstComesFirst() throws {
    let bench = try bench(at: nil)
    for severity in ["info", "danger", "warning"] {
      _ = try bench.kiosk.setNotice([
        "id": .string(severity), "text": .string(severity), "severity": .string(severity),
      ])
    }
    try bench.settle()
    #expect(bench.kiosk.overMap.notices.map(\.text) == ["danger", "warning", "info"])
  }

  @Test func aBannerOfOneLineHasATouchTargetOfUsualHeight() throws {
    // So low that there is room for one line.
    let bench = try bench(width: 480, height: 80)
    let text = String(repeating: "Storm damage on the upper loop. ", count: 8)
    _ = try bench.kiosk.setNotice(["id": "a", "text": .string(text)])
    try bench.settle()
    let (hud, turn) = (bench.kiosk.overMap.hud, bench.kiosk.overMap.noticeTurn)
    let rect = try #require(hud.noticeRect)
    #expect(rect.height < 48 && hud.noticePages > 1)
    let beyond = (48 - rect.height) / 2
    for (distance, isHit) in [(beyond - 1, true), (beyond + 3, false)] {
      let before = turn.page
      bench.kiosk.handle(
        TouchEvent.tapped(x: Double(rect.x + 30), y: Double(rect.maxY + distance)))
      try bench.settle()
      #expect((turn.page != before) == isHit, "\(distance)")
    }
  }

  @Test func aNoticeOnTheBannerKnowsWhetherItClosesSomething() throws {
    let bench = try bench(at: nil) {
      var path = Configuration.Notice(id: "path", text: "Rockfall")
      path.closes = .overlay("trails", feature: nil)
      $0.notices = [path, Configuration.Notice(id: "bus", text: "No bus")]
    }
    #expect(bench.kiosk.overMap.notices.map(\.closes) == [true, false])
  }

  @Test func theNameOfWhatANoticeClosesTurnsNoPageBack() throws {
    let turn = NoticeTurn(loop: try EventLoop(), outbox: Outbox())
    let closed = NoticeLine(text: "Rockfall", severity: .danger)
    let bus = NoticeLine(text: "No bus", severity: .info)
    var named = closed
    named.short = "Closed: Ridge"
    turn.turn()
    turn.change(from: [closed, bus], to: [named, bus])
    turn.change(from: [named, bus], to: [closed, bus])
    #expect(turn.page == 1)
    turn.change(from: [closed, bus], to: [closed])
    #expect(turn.page == 0)
    turn.turn()
    turn.change(from: [closed], to: [NoticeLine(text: "Rockfall", severity: .info)])
    #expect(turn.page == 0)
  }

  @Test func noticesThatDoNotFitTurnTheirPagesByThemselvesAndWithATap() throws {
    let bench = try bench(at: nil)
    let turn = bench.kiosk.overMap.noticeTurn
    for n in 0..<5 {
      _ = try bench.kiosk.setNotice([
        "id": .string("\(n)"), "text": .string("Notice number \(n) of those that are set"),
      ])
      try bench.settle()
      // One that is alone stays.
      if n == 0 { #expect(turn.timer?.isArmed == false) }
    }
    #expect(bench.kiosk.overMap.hud.noticePages > 1)
    #expect(turn.timer?.isArmed == true)
    let first = bench.panel()
    turn.turn()
    try bench.settle()
    #expect(bench.panel() != first)
    #expect(turn.timer?.isArmed == true)
    // A finger goes on as well, and what is beside the notices is not touched.
    let rect = try #require(bench.kiosk.overMap.hud.noticeRect)
    while turn.page % bench.kiosk.overMap.hud.noticePages != 0 {
      let before = turn.page
      bench.kiosk.handle(TouchEvent.tapped(x: Double(rect.x + 9), y: Double(rect.y + 9)))
      try bench.settle()
      #expect(turn.page == before + 1)
      if turn.page == before { return }
    }
    #expect(bench.panel() == first)
    bench.kiosk.handle(
      TouchEvent.tapped(x: Double(rect.x + 9), y: Double(rect.y + rect.height + 9)))
    try bench.settle()
    #expect(bench.panel() == first)
    // Other notices begin with the worst.
    turn.turn()
    #expect(bench.kiosk.removeNotice("0"))
    try bench.settle()
    #expect(turn.page == 0)
  }

  @Test func aNoticeEndsAtItsTime() throws {
    let bench = try bench(at: Self.noon)
    var told: [String] = []
    bench.kiosk.onEvent = {
      if case .notice(let id, let change) = $0 { told.append("\(change.rawValue) \(id)") }
    }
    _ = try bench.kiosk.setNotice(["id": "a", "text": "a", "until": "2027-06-01T16:00:00Z"])
    _ = try bench.kiosk.setNotice(["id": "b", "text": "b", "until": "2027-06-01T16:00:05Z"])
    try bench.settle()
    #expect(bench.kiosk.notices.map(\.id) == ["b"])
    #expect(told == ["set a", "set b", "ended a"])
    let timer = try #require(bench.kiosk.noticeBoard.timer)
    #expect(timer.isArmed)
    bench.kiosk.theme.setClock(WallClock { Self.noon + 5 })
    bench.kiosk.outbox.add(.noticesDue)
    try bench.settle()
    #expect(bench.kiosk.notices.isEmpty)
    #expect(!timer.isArmed)
  }

  @Test func aConfiguredNoticeThatIsOverAtTheStartIsLogged() throws {
    var old = Configuration.Notice(id: "old", text: "a")
    old.until = .init("2027-06-01T15:59:59Z")
    var soon = Configuration.Notice(id: "soon", text: "a")
    soon.until = .init("2027-06-01T16:00:05Z")
    let bench = try bench(at: nil) { $0.notices = [old, soon] }
    var lines: [String] = []
    bench.kiosk.onLog = { if $0 == .warning { lines.append($1) } }
    for time in [Self.noon, Self.noon + 60] {
      bench.kiosk.theme.setClock(WallClock { time })
      bench.kiosk.outbox.add(.noticesDue)
      try bench.settle()
    }
    // The other one ended as it was meant to.
    #expect(bench.kiosk.notices.isEmpty)
    #expect(
      lines == ["notice old: until \"2027-06-01T15:59:59Z\" is over, so that it is not shown"])
  }

  @Test func withoutATrustedClockNoticesStayAndTheStatusSaysSo() throws {
    let bench = try bench(at: nil)
    func isNoted() -> Bool { bench.kiosk.health.entries.contains { $0.what == "notices" } }
    #expect(!isNoted())
    _ = try bench.kiosk.setNotice(["id": "a", "text": "a", "until": "2026-01-01"])
    try bench.settle()
    #expect(bench.kiosk.notices.count == 1)
    #expect(isNoted())
    bench.kiosk.theme.setClock(WallClock { Self.noon })
    bench.kiosk.outbox.add(.noticesDue)
    try bench.settle()
    #expect(bench.kiosk.notices.isEmpty)
    #expect(!isNoted())
  }

  @Test func theNumberAndTheSizeOfNoticesAreBounded() throws {
    let bench = try bench(at: nil)
    for n in 0..<Configuration.Notice.most {
      _ = try bench.kiosk.setNotice(["id": .string("n\(n)"), "text": "x"])
    }
    #expect(throws: ControlError.self) {
      try bench.kiosk.setNotice(["id": "one more", "text": "x"])
    }
    // Replacing one is no further one.
    _ = try bench.kiosk.setNotice(["id": "n0", "text": "y"])
    var table: JSONObject = ["id": "n1", "text": "x"]
    let long = String(repeating: "x", count: Configuration.Notice.longestText)
    for tag in ["de", "fr", "it", "es", "pt", "nl", "pl", "ro", "ru", "uk", "ar", "ja", "zh"] {
      table["text.\(tag)"] = .string(long)
    }
    var refused = 0
    for n in 0..<Configuration.Notice.most {
      table["id"] = .string("n\(n)")
      do { _ = try bench.kiosk.setNotice(.object(table)) } catch { refused += 1 }
    }
    #expect(refused > 0)
    #expect(bench.kiosk.noticeBytes <= NoticeBoard.maxBytes)
  }

  @Test func manyNoticesLeaveRoomForTheMapAndAreCounted() throws {
    let bench = try bench(at: nil)
    for n in 0..<20 {
      _ = try bench.kiosk.setNotice([
        "id": .string("n\(n)"), "text": .string(String(repeating: "Long words. ", count: 40)),
        "severity": "danger",
      ])
    }
    try bench.settle()
    let sprite = try #require(bench.kiosk.overMap.sprites(on: .hud).first)
    #expect(sprite.rect.height <= 300 / 2)
    #expect(sprite.rect.maxX <= 400)
  }

  @Test func aReloadReplacesConfiguredNoticesAndKeepsOthers() throws {
    let first = Configuration.Notice(id: "first", text: "one")
    let bench = try bench(at: nil) { $0.notices = [first] }
    _ = try bench.kiosk.setNotice(["id": "own", "text": "mine"])
    var new = bench.kiosk.configuration
    new.notices = [Configuration.Notice(id: "second", text: "two")]
    bench.kiosk.apply(new)
    try bench.settle()
    #expect(bench.kiosk.notices.map(\.id) == ["second", "own"])
    #expect(bench.kiosk.isAddedNotice("own"))
    new.notices = [Configuration.Notice(id: "own", text: "theirs")]
    bench.kiosk.apply(new)
    #expect(bench.kiosk.notices.map(\.text) == ["theirs"])
    #expect(!bench.kiosk.isAddedNotice("own"))
    // One that replaced a configured one stays, until that is configured otherwise.
    _ = try bench.kiosk.setNotice(["id": "own", "text": "mine"])
    bench.kiosk.apply(new)
    #expect(bench.kiosk.notices.map(\.text) == ["mine"])
    #expect(bench.kiosk.isAddedNotice("own"))
    new.notices[0].severity = .danger
    bench.kiosk.apply(new)
    #expect(bench.kiosk.notices.map(\.text) == ["theirs"])
  }

  @Test func addedNoticesOutlastARestartWhereTheConfigurationKeepsThem() throws {
    let folder = try TemporaryFolder()
    func open(_ keeps: Bool) throws -> Bench {
      try bench(at: nil) {
        $0.state.path = folder["state.json"]
        $0.state.keepAdded = keeps
      }
    }
    let first = try open(true)
    _ = try first.kiosk.setNotice(["id": "a", "text": "x", "text.de": "y", "severity": "danger"])
    first.kiosk.saveState()
    let second = try open(true)
    second.kiosk.restoreState()
    #expect(second.kiosk.notices == first.kiosk.notices)
    let third = try open(false)
    third.kiosk.restoreState()
    #expect(third.kiosk.notices.isEmpty)
  }

  @Test func aKeptNoticeThatEndedWhileTheUnitWasOffIsLoggedAndForgotten() throws {
    let folder = try TemporaryFolder()
    var lines: [String] = []
    func open(at time: Double) throws -> Bench {
      let bench = try bench(at: time) {
        $0.state.path = folder["state.json"]
        $0.state.keepAdded = true
      }
      bench.kiosk.onLog = { if $0 == .warning { lines.append($1) } }
      return bench
    }
    let first = try open(at: Self.noon)
    for (id, minute) in [("old", "01"), ("later", "30")] {
      _ = try first.kiosk.setNotice([
        "id": .string(id), "text": "x", "until": .string("2027-06-01T16:\(minute):00Z"),
      ])
    }
    first.kiosk.saveState()
    for _ in 0..<2 {
      let next = try open(at: Self.noon + 600)
      next.kiosk.restoreState()
      try next.settle()
      #expect(next.kiosk.notices.map(\.id) == ["later"])
      next.kiosk.saveState()
    }
    // Once: it is not in the second state.
    #expect(
      lines == [
        "notice old: until \"2027-06-01T16:01:00Z\" is over, so that it is not shown; it was set "
          + "over the socket before the start"
      ])
  }

  private static let lines = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Ridge"},"geometry":{"type":"LineString",
    "coordinates":[[10,41],[12,41]]}},
    {"type":"Feature","properties":{"name":"Lake"},"geometry":{"type":"LineString",
    "coordinates":[[10,40],[12,40]]}}]}
    """

  @Test func aNoticeClosesALineUntilItGoes() throws {
    let bench = try bench(at: nil)
    _ = try bench.kiosk.addOverlay(
      ["name": "trails", "geojson": .string(Self.lines), "stroke": "#0000ff"], trusted: true)
    try bench.settle()
    let open = bench.panel()
    _ = try bench.kiosk.setNotice([
      "id": "n", "text": "x", "closes": "trails", "feature": "Ridge",
    ])
    try bench.settle()
    let closed = bench.panel()
    _ = try bench.kiosk.setNotice(["id": "n", "text": "x", "closes": "trails"])
    try bench.settle()
    #expect(bench.panel() != closed)
    #expect(bench.kiosk.removeNotice("n"))
    try bench.settle()
    #expect(bench.panel() == open)
  }

  @Test func aLineThatIsJustBeingOpenedIsClosedOnceItIsOpen() throws {
    let truth = try bench(at: nil)
    _ = try truth.kiosk.setNotice(["id": "n", "text": "x", "closes": "trails"])
    try truth.settle()
    let table: JSON = ["name": "trails", "geojson": .string(Self.lines), "stroke": "#0000ff"]
    _ = try truth.kiosk.addOverlay(table, trusted: true)
    try truth.settle()
    let bench = try bench(at: nil)
    _ = try bench.kiosk.addOverlay(table, trusted: true)
    // Its thread has read it before the notice, and the loop hears of it after.
    let entry = try #require(bench.kiosk.overlays.first)
    let end = EventLoop.now() + 60_000_000_000
    while entry.spoken.locked({ $0 == nil }), EventLoop.now() < end {}
    #expect(entry.info == nil)
    _ = try bench.kiosk.setNotice(["id": "n", "text": "x", "closes": "trails"])
    bench.kiosk.updateNotices()
    try bench.settle()
    #expect(bench.panel() == truth.panel())
  }

  @Test func namesOfWhatNoticesCloseAreRefused() throws {
    let bench = try bench(at: nil)
    #expect {
      try bench.kiosk.addOverlay(
        ["name": "notice:mine", "geojson": .string(Self.lines)], trusted: true)
    } throws: {
      guard let error = $0 as? ControlError else { return false }
      return "\(error)".contains("notice:") && "\(error)".contains("name")
    }
    let table = JSON.object(["name": "notice:a", "path": "/tmp/a.gpx"])
    let (spec, findings) = parseOverlay(
      ConfigValue(table, origin: ConfigValue.Origin(file: "c.toml", directory: nil)),
      baseDirectory: nil)
    #expect(spec == nil)
    #expect(findings.contains { $0.text.contains("another name") })
  }

  @Test func aNoticeBringsWhatItClosesAndTakesItAway() throws {
    let bench = try bench(at: nil) {
      $0.state.keepAdded = true
    }
    let plain = bench.panel()
    let json = try JSON.parse(Array(Self.lines.utf8))
    _ = try bench.kiosk.setNotice(["id": "n", "text": "x", "geojson": json])
    try bench.settle()
    #expect(bench.panel() != plain)
    #expect(bench.kiosk.savedState.addedOverlays.isEmpty)
    #expect(bench.kiosk.savedState.overlays.isEmpty)
    #expect(bench.kiosk.removeNotice("n"))
    try bench.settle()
    #expect(bench.panel() == plain)
    #expect(throws: ControlError.self) {
      try bench.kiosk.setNotice(["id": "n", "text": "x", "geojson": ["type": "Nothing"]])
    }
  }
}
