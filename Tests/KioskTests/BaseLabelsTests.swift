import Control
import EventLoop
import MapGeometry
import MapLabels
import MapScene
import MapStyle
import Testing
import TileLoading
import TileSources

@testable import Kiosk

/// The labels of a painted base map are sprites over it, placed from what its tiles carry.
@Suite struct BaseLabelsTests {
  private static func source() -> PlainSource {
    var settings = LabelSettings()
    settings.textSize = 20
    return PlainSource(settings) { "\($0)" }
  }

  private func bench(zoom: Double = 4.3) throws -> Bench {
    let bench = try Bench([], width: 640, height: 480) {
      $0.view.zoom = zoom
      $0.view.center = GeoPoint(lat: 20.123, lon: 10.456)
    }
    #expect(bench.kiosk.addSource("names") { .success(Self.source()) })
    try bench.settle()
    return bench
  }

  private func dark(_ bench: Bench) -> Int {
    bench.panel().words.filter { $0 & 0xFF < 0x40 }.count
  }

  @Test func theSettledPictureHasTheTilesLabels() throws {
    let bench = try bench()
    let visible = bench.kiosk.pipeline.scene.plan.visible
    #expect(visible > 0)
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(dark(bench) > 200)
    #expect(!bench.kiosk.baseLabels.isPending)
    #expect(bench.kiosk.baseLabels.bytes > 0)
  }

  @Test func labelsMoveWithTheMap() throws {
    let bench = try bench()
    let before = bench.kiosk.overMap.sprites(on: .mapLabels).map(\.rect)
    let view = bench.kiosk.goal.panned(dx: 20, dy: 10)
    bench.kiosk.go(to: view, animate: false)
    bench.loop.runOnce(timeout: 0)
    let after = bench.kiosk.overMap.sprites(on: .mapLabels).map(\.rect)
    // The nearest whole pixel.
    let moved = before.map { rect in
      PixelRect(x: rect.x - 20, y: rect.y - 10, width: rect.width, height: rect.height)
    }
    let close = after.filter { rect in
      moved.contains { abs($0.x - rect.x) <= 1 && abs($0.y - rect.y) <= 1 }
    }
    #expect(close.count == after.count)
    #expect(!after.isEmpty)
    try bench.settle()
  }

  @Test func atRestTheLabelsStayAndOthersComeAfterIt() throws {
    let bench = try bench()
    try bench.show(GeoPoint(lat: 20.123, lon: 30.456), 4.3, bearing: 0)
    let (words, bytes) = (bench.panel().words, bench.kiosk.baseLabels.bytes)
    var isDone = false
    bench.kiosk.baseLabels.rest { isDone = true }
    #expect(bench.kiosk.baseLabels.isPending)
    let end = EventLoop.now() + 60_000_000_000
    while !isDone, EventLoop.now() < end { bench.loop.runOnce(timeout: 100_000_000) }
    #expect(isDone && !bench.kiosk.baseLabels.isPending)
    // Those of the first view are gone.
    let left = bench.kiosk.baseLabels.bytes
    #expect(left < bytes)
    let isSame = bench.panel().words == words
    #expect(isSame)
    try bench.show(GeoPoint(lat: 20.123, lon: 10.456), 4.3, bearing: 0)
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(dark(bench) > 200)
  }

  @Test func labelsKeepClearOfTheHud() throws {
    let bench = try bench()
    bench.kiosk.overMap.showHud(["coordinates": true, "zoom": true, "scale_bar": true])
    try bench.settle()
    var obstacles: [PixelRect] = []
    bench.kiosk.overMap.addObstacles(to: &obstacles)
    #expect(!obstacles.isEmpty)
    for sprite in bench.kiosk.overMap.sprites(on: .mapLabels) {
      let overlaps = obstacles.contains { $0.intersects(sprite.rect) }
      #expect(!overlaps)
    }
  }

  @Test func labelsDoNotRunIntoMarkersAndTheirLabels() throws {
    let bench = try bench(zoom: 4)
    let kiosk = bench.kiosk
    let before = kiosk.overMap.sprites(on: .mapLabels)
    let label = try #require(
      before.first { (180..<420).contains($0.rect.x) && (100..<380).contains($0.rect.y) }
    ).rect
    // A marker passes one of the map's names from side to side.
    var counts: Set<Int> = []
    for step in -12...12 {
      let place = kiosk.goal.panned(
        dx: Double(label.x + label.width / 2 - 320 + 10 * step),
        dy: Double(label.y + label.height / 2 - 240)
      ).center
      _ = try kiosk.setMarker([
        "id": "hut", "lat": .double(place.lat), "lon": .double(place.lon), "label": "Hut",
      ])
      try bench.settle()
      let sprites = kiosk.overMap.sprites(on: .markers)
      #expect(sprites.count == 2)
      let names = kiosk.overMap.sprites(on: .mapLabels)
      counts.insert(names.count)
      // Beside them it would be read as a part of theirs.
      let taken = sprites.map { sprite in
        PixelRect(
          x: sprite.rect.x - 4, y: sprite.rect.y, width: sprite.rect.width + 8,
          height: sprite.rect.height)
      }
      let meeting = names.filter { name in taken.contains { $0.intersects(name.rect) } }
      #expect(meeting.isEmpty, "step \(step): \(meeting.map(\.rect)) in \(taken)")
    }
    // It is left out under the marker, and there beside it.
    #expect(counts.contains(before.count) && counts.contains { $0 < before.count })
  }

  @Test func anotherMapHasNoLabels() throws {
    let bench = try bench()
    #expect(bench.kiosk.addSource("empty") { .success(PaintedZoomTests.Empty()) })
    #expect(bench.kiosk.use("empty"))
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(bench.kiosk.use("names"))
    try bench.settle()
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
  }

  @Test func aTurnedMapHasUprightLabels() throws {
    let bench = try bench()
    try bench.show(GeoPoint(lat: 20.123, lon: 10.456), 4.3, bearing: 40)
    let panel = bench.panel()
    let screen = PixelRect(x: 0, y: 0, width: panel.width, height: panel.height)
    let labels = bench.kiosk.overMap.sprites(on: .mapLabels).map(\.rect)
      .filter { screen.intersection($0) == $0 }
    #expect(!labels.isEmpty)
    for label in labels {
      var ink: [(x: Int, y: Int)] = []
      for y in label.y..<label.maxY {
        for x in label.x..<label.maxX where panel[x, y] & 0xFF < 0x40 { ink.append((x, y)) }
      }
      let (columns, rows) = (ink.map(\.x), ink.map(\.y))
      guard let left = columns.min(), let right = columns.max(), let top = rows.min(),
        let bottom = rows.max()
      else {
        Issue.record("no ink in \(label)")
        continue
      }
      // "4/8/7" in a size of 20. Turned by 40 degrees, it would be two thirds as high as wide.
      #expect(bottom - top < 24 && right - left > 36, "\(label)")
    }
  }

  @Test func aLabelThatLostItsSideWhileTheMapTurnedHasAnotherAtRest() throws {
    let own = try #require(TileID(z: 4, x: 8, y: 7))
    var settings = LabelSettings()
    settings.textSize = 20
    settings.textVariableAnchors = [.left, .right]
    settings.textRadialOffset = 1
    let look = LabelLook(settings)
    let bench = try Bench([], width: 640, height: 480) {
      $0.view.zoom = 4
      $0.view.center = WebMercator.unproject(WorldPoint(x: 8.5 / 16, y: 7.5 / 16))
    }
    let painter = PlainPainter { tile, builder in
      guard tile == own else { return }
      builder.add(
        LabelCandidate(
          layer: 0, text: FormattedText("Town"), look: look, points: [TilePoint(0.5, 0.5)]))
    }
    #expect(bench.kiosk.addSource("town") { .success(PlainSource(painter)) })
    try bench.settle()
    let outbox = Outbox()
    let labels = BaseLabels(loop: bench.loop, outbox: outbox, fonts: { .bundled(with: $0) })
    labels.use(LabelIcons.none)
    var plates: [PixelRect] = []
    /// The column of the label's middle once it was placed for a view.
    func place(_ view: Viewport) -> Int? {
      _ = outbox.take(.picture)
      labels.follow(bench.kiosk.pipeline.scene, view, isMoving: false, now: EventLoop.now()) {
        $0 += plates
      }
      let end = EventLoop.now() + 30_000_000_000
      while !outbox.take(.picture), EventLoop.now() < end {
        bench.loop.runOnce(timeout: 100_000_000)
      }
      let rect = labels.placement?.labels.first { !$0.isLeaving }?.rect
      return rect.map { $0.x + $0.width / 2 }
    }
    let view = bench.kiosk.shownView
    let first = try #require(place(view))
    #expect(first > 320)
    // Nothing but a plate to the right of the middle is in the way.
    plates = [PixelRect(x: 330, y: 200, width: 80, height: 80)]
    var turned = view
    turned.bearing = 5
    #expect(place(turned) == nil)
    #expect(labels.isPending)
    let last = try #require(place(turned))
    #expect(last < 320)
    // It is not placed a third time.
    _ = labels.move(to: turned, now: EventLoop.now() + 1_000_000_000)
    labels.follow(bench.kiosk.pipeline.scene, turned, isMoving: false, now: EventLoop.now()) {
      $0 += plates
    }
    #expect(!labels.isPending)
  }

  @Test func aPictureWithoutADaemonHasTheSameLabels() throws {
    let bench = try bench()
    let renderer = StillRenderer(
      view: bench.kiosk.currentView, source: Self.source(), levels: 0...24, tileSize: 256)
    let still = renderer.labelSprites(fonts: Bundled.labelFonts).map(\.rect)
    let shown = bench.kiosk.overMap.sprites(on: .mapLabels).map(\.rect)
    #expect(!still.isEmpty)
    #expect(Set(shown).isSubset(of: Set(still)))
  }

  @Test func nothingIsPlacedAgainWhileNothingChanges() throws {
    let bench = try bench()
    let frame = bench.display.frame
    for _ in 0..<5 { bench.loop.runOnce(timeout: 0) }
    #expect(bench.display.frame == frame)
    #expect(!bench.kiosk.baseLabels.isPending)
  }

  @Test func theyKeepClearOfTheLabelsOfOverlays() throws {
    let bench = try bench(zoom: 4)
    let before = bench.kiosk.overMap.sprites(on: .mapLabels)
    let label = try #require(before.first { $0.rect.x > 200 && $0.rect.x < 400 }).rect
    // An overlay's name where one of the map's is.
    let place = bench.kiosk.goal.panned(
      dx: Double(label.x + label.width / 2 - 320), dy: Double(label.y + label.height / 2 - 240)
    ).center
    let point: JSON = [
      "type": "Feature", "properties": ["name": "A name of an overlay"],
      "geometry": ["type": "Point", "coordinates": [.double(place.lon), .double(place.lat)]],
    ]
    _ = try bench.kiosk.addOverlay(
      ["name": "names", "label": "name", "geojson": point], trusted: true)
    try bench.settle()
    let names = bench.kiosk.overMap.sprites(on: .labels)
    #expect(!names.isEmpty)
    for sprite in bench.kiosk.overMap.sprites(on: .mapLabels) {
      #expect(!names.contains { $0.rect.intersects(sprite.rect) })
    }
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).count < before.count)
  }

  @Test func theyKeepClearOfTheSelectedLine() throws {
    let bench = try bench(zoom: 4)
    let label = try #require(
      bench.kiosk.overMap.sprites(on: .mapLabels).first { $0.rect.x > 200 && $0.rect.y > 200 }
    ).rect
    // A trail through one of the map's names.
    let place = bench.kiosk.goal.panned(
      dx: Double(label.x + label.width / 2 - 320), dy: Double(label.y + label.height / 2 - 240)
    ).center
    let ends = [-5.0, 5].map { GeoPoint(lat: place.lat, lon: place.lon + $0) }
    let trail: JSON = [
      "type": "Feature", "properties": [:],
      "geometry": [
        "type": "LineString",
        "coordinates": .array(ends.map { [.double($0.lon), .double($0.lat)] }),
      ],
    ]
    _ = try bench.kiosk.addOverlay(["name": "trails", "geojson": trail], trusted: true)
    try bench.settle()
    func isCrossed() -> Bool {
      let view = bench.kiosk.shownView
      let (a, b) = (view.screen(ends[0]), view.screen(ends[1]))
      return bench.kiosk.overMap.sprites(on: .mapLabels).contains {
        Double($0.rect.y) < a.y - 3 && Double($0.rect.maxY) > a.y + 3 && Double($0.rect.x) < b.x
          && Double($0.rect.maxX) > a.x
      }
    }
    #expect(isCrossed(), "which it may, while it is not selected")
    #expect(bench.kiosk.selectLine(of: "trails", feature: 0) == nil)
    try bench.settle()
    #expect(!isCrossed())
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    bench.kiosk.clearSelection()
    try bench.settle()
    #expect(isCrossed())
  }
}
