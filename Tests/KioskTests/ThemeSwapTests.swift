import Configuration
import Control
import Displays
import EventLoop
import MapGeometry
import MapScene
import Pixels
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Filters and the theme change all that is on the screen in one frame, and never to a blank.
@Suite struct ThemeSwapTests {
  @Test func withoutFiltersForTheNightQuietCellsDarkenAllTheSame() throws {
    let bench = try Bench([]) {
      $0.theme.night = []
      $0.theme.mode = .day
    }
    #expect(bench.kiosk.addSource("empty") { .success(PaintedZoomTests.Empty()) })
    try bench.settle()
    func light() -> Int { bench.panel().words.count { $0 >> 8 & 0xFF > 0x80 } }
    #expect(light() > 800 * 480 / 2)
    bench.kiosk.setTheme(.night)
    try bench.settle()
    // A card says that there is no map, in light words.
    #expect(light() < 800 * 480 / 20)
  }

  @Test func aFreezeLastsAsLongAsTilesAreBeingPainted() throws {
    let stage = try Stage(Self.headless(), isPlain: true)
    #expect(stage.settle())
    let (frames, kiosk) = (stage.kiosk.frames, stage.kiosk)
    let time: UInt64 = 1_000_000_000
    frames.setTimes(freeze: time)
    kiosk.freeze(for: time, whilePainting: true)
    let first = try #require(frames.freeze?.deadline)
    frames.decoded(nanoseconds: 1)
    frames.freezeDue()
    let second = try #require(frames.freeze?.deadline)
    #expect(second > first || second == frames.freeze?.limit)
    // Nothing came since: what is there is shown.
    frames.freezeDue()
    #expect(frames.freeze == nil)
    // It ends at its limit, and with any input.
    kiosk.freeze(for: FrameScheduler.paintingPatience, whilePainting: true)
    frames.decoded(nanoseconds: 1)
    frames.freezeDue()
    #expect(frames.freeze == nil)
    kiosk.freeze(for: time, whilePainting: true)
    kiosk.used()
    #expect(frames.freeze == nil)
    kiosk.freeze(for: time)
    kiosk.used()
    #expect(frames.freeze != nil)
    frames.decoded(nanoseconds: 1)
    frames.freezeDue()
    #expect(frames.freeze == nil)
  }

  /// A kiosk whose every frame is looked at.
  private final class Stage {
    let loop: EventLoop
    let kiosk: Kiosk
    let display: WatchedFrames

    init(
      _ display: any Display, loop: EventLoop? = nil, layers: Int = 1, isPlain: Bool = false,
      _ set: (inout Configuration) -> Void = { _ in }
    ) throws {
      var configuration = Configuration()
      configuration.sources = MosaicTests.layers(layers)
      // The map alone: a word of the HUD that comes and goes is a frame of its own.
      configuration.hud.attribution = false
      configuration.hud.scaleBar = false
      configuration.hud.toasts = false
      configuration.state.path = nil
      configuration.view.center = GeoPoint(lat: 0, lon: 0)
      configuration.view.zoom = 2
      set(&configuration)
      self.loop = try loop ?? EventLoop()
      let watched = WatchedFrames(display)
      self.display = watched
      kiosk = try Kiosk(
        configuration: configuration, loop: self.loop,
        makeScreen: { _, _ in FixedScreen(watched) }, font: { Bundled.text($0) })
      // However slow the machine is; the limit has its own test.
      kiosk.frames.setTimes(freeze: 900_000_000_000)
      if !isPlain { return }
      for entry in kiosk.sources {
        kiosk.pipeline.loader.setSource(
          entry.index, name: entry.spec.name, colors: kiosk.book.sources.store.colors(of: entry)
        ) { .success(PlaceholderTests.PlainSource()) }
      }
    }

    func settle(_ look: (Kiosk) -> Void = { _ in }) -> Bool {
      var outcome: SettleOutcome?
      kiosk.settle(timeout: 600) { outcome = $0 }
      loop.runOnce(timeout: 0)
      look(kiosk)
      while outcome == nil {
        loop.runOnce(timeout: 1_000_000_000)
        look(kiosk)
      }
      return outcome?.complete == true
    }
  }

  private static func headless(_ width: Int = 640, _ height: Int = 400) -> HeadlessDisplay {
    HeadlessDisplay(
      width: width, height: height, format: .xrgb8888, rotation: .none, loop: nil)
  }

  /// The picture of a kiosk that is in that theme from the start.
  private static func picture(
    _ mode: Configuration.Theme.Mode, width: Int = 640, height: Int = 400, layers: Int = 1,
    isPlain: Bool = false, _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> [UInt32] {
    let stage = try Stage(headless(width, height), layers: layers, isPlain: isPlain) {
      $0.theme.mode = mode
      set(&$0)
    }
    #expect(stage.settle())
    return stage.display.pixels
  }

  @Test func theThemeChangesAllThatIsOnTheScreenInOneFrame() throws {
    let stage = try Stage(Self.headless())
    #expect(stage.settle())
    let day = stage.display.pixels
    stage.display.frames = []
    stage.kiosk.setTheme(.night)
    #expect(stage.settle())
    let isNight = try stage.display.frames == [Self.picture(.night)]
    #expect(isNight, "\(stage.display.frames.count) frames")
    stage.display.frames = []
    stage.kiosk.setTheme(.day)
    #expect(stage.settle())
    let isDay = stage.display.frames == [day]
    #expect(isDay, "\(stage.display.frames.count) frames")
  }

  @Test func soDoFiltersWhenTheConfigurationIsReadAgain() throws {
    let stage = try Stage(Self.headless())
    #expect(stage.settle())
    stage.display.frames = []
    var new = stage.kiosk.configuration
    new.sources[0].filters = ["invert", "mosaic:0.5"]
    stage.kiosk.apply(new)
    #expect(stage.settle())
    let expected = try Self.picture(.day) { $0.sources[0].filters = ["invert", "mosaic:0.5"] }
    let isExpected = stage.display.frames == [expected]
    #expect(isExpected, "\(stage.display.frames.count) frames")
  }

  @Test func theWordsOverTheMapChangeTogetherWithIt() throws {
    func words(_ c: inout Configuration) {
      c.hud.attribution = true
      c.hud.scaleBar = true
      c.hud.zoom = true
      c.sources[0].attribution = "Whose map this is"
    }
    let stage = try Stage(Self.headless(), words)
    #expect(stage.settle())
    stage.display.frames = []
    stage.kiosk.setTheme(.night)
    #expect(stage.settle())
    let night = try Self.picture(.night, words)
    let isNight = stage.display.frames == [night]
    #expect(isNight, "\(stage.display.frames.count) frames")
  }

  @Test func soDoFiltersOfASourceThatIsAddedAgain() throws {
    let stage = try Stage(Self.headless())
    #expect(stage.settle())
    stage.display.frames = []
    let name = try stage.kiosk.addSource(
      ["name": "osm", "path": .string(MosaicTests.small), "filters": ["grayscale"]],
      trusted: true)
    #expect(name == "osm" && stage.kiosk.sources.count == 1)
    #expect(stage.settle())
    let expected = try Self.picture(.day) { $0.sources[0].filters = ["grayscale"] }
    let isExpected = stage.display.frames == [expected]
    #expect(isExpected, "\(stage.display.frames.count) frames")
  }

  @Test(arguments: [1, 2, 3])
  func soItIsWhereTheCacheHoldsLessThanTheView(memories: Int) throws {
    let (width, height, layers) = (760, 560, 4)
    let loop = try EventLoop()
    let display: any Display =
      memories == 1
      ? Self.headless(width, height)
      : SwappingDisplay(width: width, height: height, memories: memories, loop: loop)
    let stage = try Stage(display, loop: loop, layers: layers, isPlain: true) {
      $0.cache.memory = 1
    }
    #expect(stage.settle())
    let day = stage.display.pixels
    let night = try Self.picture(
      .night, width: width, height: height, layers: layers, isPlain: true)
    var wasHeldBack = false
    stage.display.frames = []
    stage.kiosk.setTheme(.night)
    #expect(stage.settle { wasHeldBack = wasHeldBack || $0.pipeline.scene.isHeldBack })
    #expect(wasHeldBack)
    #expect(!stage.display.frames.isEmpty)
    let mixed = stage.display.frames.filter { $0 != day && $0 != night }.count
    #expect(mixed == 0)
    let isNight = stage.display.pixels == night
    #expect(isNight)
    #expect(stage.kiosk.pipeline.cache.stats.bytes <= stage.kiosk.pipeline.cache.stats.limit)
    // Every memory of the display shows the night, in its turn.
    for text in ["a notice", ""] {
      stage.kiosk.setNotice(text)
      #expect(stage.settle())
    }
    let isStillNight = stage.display.pixels == night
    #expect(isStillNight)
  }

  @Test func aCacheThatHoldsTheViewAndNoMoreIsEnough() throws {
    let stage = try Stage(Self.headless()) { $0.cache.memory = 1 }
    #expect(stage.settle())
    stage.display.frames = []
    stage.kiosk.setTheme(.night)
    #expect(stage.settle())
    let isNight = try stage.display.frames == [Self.picture(.night)]
    #expect(isNight, "\(stage.display.frames.count) frames")
    #expect(stage.kiosk.pipeline.cache.stats.bytes <= stage.kiosk.pipeline.cache.stats.limit)
  }

  @Test func overlaysChangeWithTheMap() throws {
    func overlay(_ c: inout Configuration) {
      c.overlays = [Configuration.Overlay(name: "grid", content: .grid, level: .aboveLabels)]
    }
    let stage = try Stage(Self.headless(), overlay)
    #expect(stage.settle())
    stage.display.frames = []
    stage.kiosk.setTheme(.night)
    #expect(stage.settle())
    #expect(stage.display.frames.count == 1)
    let night = try Self.picture(.night, overlay)
    let shown = stage.display.pixels
    let others = shown.indices.filter { shown[$0] != night[$0] }
    #expect(others.isEmpty, "\(others.count) pixels from \(others.first ?? 0) on")
  }

  @Test func whatStoodInIsGoneAndItsNumbersAreFreeAgain() throws {
    let stage = try Stage(Self.headless())
    #expect(stage.settle())
    let free = stage.kiosk.book.sources.store.freeCount
    for mode in [Configuration.Theme.Mode.night, .day, .night, .day] {
      stage.kiosk.setTheme(mode)
      // The new colours are asked for now.
      stage.loop.runOnce(timeout: 0)
      #expect(stage.kiosk.sources.allSatisfy { $0.former != nil })
      // Some change before the one before them has come about.
      if mode == .day { #expect(stage.settle()) }
    }
    #expect(stage.settle())
    stage.loop.runOnce(timeout: 0)
    #expect(stage.kiosk.book.sources.store.freeCount == free)
    #expect(stage.kiosk.sources.allSatisfy { $0.former == nil })
    #expect(!stage.kiosk.book.dropFormers())
    #expect(stage.kiosk.frames.freeze == nil)
    let isDay = try stage.display.pixels == Self.picture(.day)
    #expect(isDay)
  }

  /// A kiosk over plain tiles, all there, of which none comes any more.
  private func heldBench() throws -> (Bench, Hold) {
    let bench = try Bench([MosaicTests.spec("/nowhere")], width: 1024, height: 768)
    let hold = Hold()
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: "plain") {
      .success(HeldSource(PlaceholderTests.PlainSource(), hold))
    }
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    // What is around the view, too.
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle })
    hold.hold { _ in true }
    #expect(bench.kiosk.frames.freezeTime == 2_000_000_000)
    bench.kiosk.frames.setTimes(freeze: 900_000_000_000)
    return (bench, hold)
  }

  @Test func theOldPictureStaysWhileTheNewOneIsNotWhole() throws {
    let (bench, hold) = try heldBench()
    defer { hold.release() }
    let (before, frame) = (bench.panel(), bench.display.frame)
    let begun = EventLoop.now()
    bench.kiosk.setTheme(.night)
    bench.drain()
    let end = EventLoop.now()
    for _ in 0..<3 {
      #expect(bench.releaseOne(hold) != nil)
      bench.drain()
    }
    #expect(bench.display.frame == frame)
    #expect(bench.panel() == before)
    #expect(bench.kiosk.frames.freezeTimer?.isArmed == true)
    let deadline = try #require(bench.kiosk.frames.freeze?.deadline)
    let time = bench.kiosk.frames.freezeTime
    #expect((begun + time...end + time).contains(deadline))
  }

  @Test func afterTwoSecondsWhatIsThereIsShownAndTheOldStandsInForTheRest() throws {
    let (bench, hold) = try heldBench()
    defer { hold.release() }
    let before = bench.panel()
    let frame = bench.display.frame
    bench.kiosk.setTheme(.night)
    bench.drain()
    #expect(bench.releaseOne(hold) != nil)
    // What the timer calls.
    bench.kiosk.frames.endFreeze()
    bench.drain()
    #expect(bench.run { bench.display.frame > frame })
    let after = bench.panel()
    let changed = zip(before.words, after.words).filter { $0 != $1 }.count
    #expect(changed == 0 || changed % 65536 == 0 || changed < 1024 * 768)
    #expect(changed < 1024 * 768)
    #expect(bench.kiosk.frames.freezeTimer?.isArmed == false)
    hold.release()
    try bench.settle()
    let differ = zip(before.words, bench.panel().words).allSatisfy { $0 != $1 }
    #expect(differ)
  }

  @Test func aViewThatMovesDoesNotWaitAndShowsNoBlank() throws {
    let (bench, hold) = try heldBench()
    defer { hold.release() }
    let frame = bench.display.frame
    bench.kiosk.setTheme(.night)
    bench.drain()
    bench.kiosk.pan(dx: 40, dy: 0, animate: false)
    bench.drain()
    #expect(bench.display.frame > frame)
    #expect(bench.kiosk.frames.freeze == nil)
    let waiting = bench.kiosk.palette.waiting
    let blank = bench.panel().words.filter { $0 == waiting }.count
    #expect(blank == 0)
  }

  @Test func asleepTheThemeChangesTooAndWakingShowsIt() throws {
    let stage = try Stage(Self.headless())
    #expect(stage.settle())
    stage.kiosk.sleep()
    stage.display.frames = []
    stage.kiosk.setTheme(.night)
    #expect(stage.settle())
    #expect(stage.display.frames.count == 0)
    stage.kiosk.wake()
    #expect(stage.settle())
    let isNight = try stage.display.frames.last == Self.picture(.night)
    #expect(isNight)
    #expect(stage.kiosk.frames.freeze == nil)
  }

  @Test func whereThereIsNoMapTheThemeHoldsToo() throws {
    func nowhere(_ c: inout Configuration) { c.view.center = GeoPoint(lat: 85, lon: 0) }
    let day = try Self.picture(.day, nowhere)
    let night = try Self.picture(.night, nowhere)
    // Beyond the world's edge.
    #expect(day[0] != night[0])
    #expect(night[0] == Compositor.Palette.night.outside)
  }
}
