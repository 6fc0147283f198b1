import Configuration
import EventLoop
import Features
import Inputs
import MapGeometry
import MapLabels
import MapOverlays
import Pixels
import Testing
import TileLoading
import TileSources
import Words

@testable import Kiosk

/// What the key of the map says of the base map, and how it names overlays.
@Suite struct MapKeyTests {
  @Test func everythingThatATileNamesHasAWord() {
    for feature in MapFeature.allCases {
      #expect(feature.word != .mapKey, "\(feature.rawValue)")
      #expect(feature.word.rawValue == "key-\(feature.rawValue)")
    }
  }

  @Test(arguments: [
    ("valley_trails", "Valley trails"), ("valley-trails.geojson", "Valley trails"),
    ("20240512_track-2.gpx", "Track 2"), ("0815", ""), ("x", ""), ("", ""), ("___", ""),
    ("Wanderwege", "Wanderwege"), ("été.kml", "Été"),
  ])
  func theNameOfAFileIsShownAsPeopleWriteOrNotAtAll(name: String, shown: String) {
    #expect(OverlayTitle.readable(name) == shown)
  }

  private func features(_ member: String, names: [String] = ["a", "b"]) throws -> FeatureSet {
    let all = names.map {
      #"{"type":"Feature","properties":{"name":"\#($0)"},"geometry":{"type":"Point","#
        + #""coordinates":[8,47]}}"#
    }
    let text =
      #"{"type":"FeatureCollection",\#(member)"features":[\#(all.joined(separator: ","))]}"#
    return try FeatureSet(
      bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
  }

  @Test func anOverlayIsCalledByItsTitleThenAsItsFileCallsItself() throws {
    var overlay = Configuration.Overlay(
      name: "valley_trails_2024", content: .grid, level: .aboveLabels)
    let named = try features(#""name":"Trails of the valley","#)
    #expect(OverlayTitle.of(overlay, named, in: .english) == "Trails of the valley")
    let exported = try features(#""name":"valley_trails","#)
    #expect(OverlayTitle.of(overlay, exported, in: .english) == "Valley trails")
    #expect(OverlayTitle.of(overlay, try features(""), in: .english) == "Valley trails")
    #expect(OverlayTitle.of(overlay, try features("", names: ["Walk"]), in: .english) == "Walk")
    overlay.titles = ["de": "Wege", "fr": "Sentiers"]
    #expect(OverlayTitle.of(overlay, named, in: .english) == "Trails of the valley")
    #expect(OverlayTitle.of(overlay, named, in: Words(language: "fr-CH")) == "Sentiers")
    overlay.title = "Trails"
    #expect(OverlayTitle.of(overlay, named, in: Words(language: "de")) == "Wege")
    #expect(OverlayTitle.of(overlay, named, in: .english) == "Trails")
  }

  /// Tiles with a path, in the west with a forest too.
  private static func source() -> PlainSource {
    let painter = PlainPainter { tile, builder in
      if tile.x < 1 << (tile.z - 1) {
        builder.add(TileSign(.forest, isArea: true, color: 0xFF20_8020))
      }
      builder.add(TileSign(.path, isArea: false, color: 0xFFA0_3010, width: 2, dash: [6, 2]))
    }
    return PlainSource(painter, minZoom: 1)
  }

  private func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    let bench = try Bench([], width: 800, height: 480) {
      $0.view.zoom = 5
      $0.view.center = GeoPoint(lat: 20, lon: -90)
      $0.hud.mapKey = true
      set(&$0)
    }
    #expect(bench.kiosk.addSource("map") { .success(Self.source()) })
    try bench.settle()
    return bench
  }

  @Test func theKeySaysWhatTheBaseMapShowsInView() throws {
    let bench = try bench { $0.hud.languages = ["en", "de"] }
    let items = try #require(bench.kiosk.shownKey.key?.items)
    #expect(items.map(\.text) == ["Path", "Forest"])
    #expect(
      items.first?.sign == .line(color: 0xFFA0_3010, width: 2, casing: 0, dash: [6, 2]))
    // Elsewhere there is no forest.
    bench.kiosk.go(
      to: Viewport(center: GeoPoint(lat: 20, lon: 90), zoom: 5, width: 800, height: 480),
      animate: false)
    try bench.settle()
    #expect(bench.kiosk.shownKey.key?.items.map(\.text) == ["Path"])
    #expect(bench.kiosk.setLanguage("de"))
    try bench.settle()
    #expect(bench.kiosk.shownKey.key?.items.map(\.text) == ["Pfad"])
  }

  @Test func theKeyMakesWayForThePinOfHere() throws {
    let bench = try bench {
      $0.hud.zoom = false
      $0.hud.coordinates = false
    }
    let over = bench.kiosk.overMap
    let before = try #require(over.panelRect)
    let view = bench.kiosk.shownView
    let place = WebMercator.unproject(
      view.world(x: Double(before.x + 40), y: Double(before.y + before.height / 2)))
    _ = try bench.kiosk.setMarker([
      "id": "here", "lat": .double(place.lat), "lon": .double(place.lon),
    ])
    try bench.settle()
    let pin = try #require(over.heresShown(in: bench.kiosk.shownView).first)
    let after = try #require(over.panelRect)
    #expect(pin.intersects(before))
    #expect(!pin.intersects(after))
  }

  @Test func theKeyMakesWayForALostPositionAndItsAge() throws {
    let bench = try bench { $0.position.follow = false }
    let over = bench.kiosk.overMap
    let before = try #require(over.panelRect)
    let place = WebMercator.unproject(
      bench.kiosk.shownView.world(
        x: Double(before.x + 60), y: Double(before.y + before.height / 2)))
    bench.kiosk.view.takeFix(
      Fix(place: place), from: .socket, now: EventLoop.now() - 65_000_000_000)
    bench.kiosk.changed()
    try bench.settle()
    let key = try #require(over.panelRect)
    let sprites = over.sprites(on: .position)
    #expect(sprites.count == 2)
    for sprite in sprites {
      // Without the shadow of the plate.
      let rect = PixelRect(
        x: sprite.rect.x + 8, y: sprite.rect.y + 8, width: sprite.rect.width - 16,
        height: sprite.rect.height - 16)
      #expect(!key.intersects(rect))
    }
  }

  @Test func thePositionIsExplainedOnlyWhereItIsOnTheScreen() throws {
    let bench = try bench { $0.position.follow = false }
    func isExplained() -> Bool {
      let items = bench.kiosk.shownKey.key?.items ?? []
      return items.contains { if case .position = $0.sign { true } else { false } }
    }
    for (lon, isThere) in [(-90.0, true), (90, false), (-92, true)] {
      bench.kiosk.take(Fix(place: GeoPoint(lat: 20, lon: lon)), from: .socket)
      try bench.settle()
      #expect(isExplained() == isThere, "\(lon)")
    }
  }

  /// Sets a marker in the middle of the key, where it is wide enough for a callout's pointer.
  private func setMarkerUnderKey(_ bench: Bench) throws {
    let key = try #require(bench.kiosk.overMap.panelRect)
    let place = WebMercator.unproject(
      bench.kiosk.shownView.world(x: Double(key.x + 60), y: Double(key.y + key.height / 2)))
    _ = try bench.kiosk.setMarker([
      "id": "hut", "lat": .double(place.lat), "lon": .double(place.lon),
    ])
    try bench.settle()
  }

  @Test(arguments: [false, true])
  func calloutAndKeyAreNeverThereTogetherInWhicheverOrder(_ isAlways: Bool) throws {
    let bench = try bench { $0.hud.mapKey = isAlways }
    let (kiosk, over) = (bench.kiosk, bench.kiosk.overMap)
    #expect(kiosk.press(.mapKey) == nil)
    try bench.settle()
    try setMarkerUnderKey(bench)
    #expect(over.panelRect != nil)
    for _ in 0..<2 {
      #expect(kiosk.press(.select) == nil)
      try bench.settle()
      #expect(over.markerSelected == "hut" && over.panelRect == nil)
      #expect(kiosk.press(.mapKey) == nil)
      try bench.settle()
      #expect(over.markerSelected == nil && over.panelRect != nil)
    }
    // What was asked for before the callout does not come back after it.
    #expect(kiosk.press(.select) == nil)
    try bench.settle()
    #expect(kiosk.press(.back) == nil)
    try bench.settle()
    #expect(!over.isCalloutOpen && (over.panelRect != nil) == isAlways)
  }

  @Test func theMapDoesNotMoveForAKeyThatMakesWayForACallout() throws {
    let bench = try bench()
    try setMarkerUnderKey(bench)
    let before = bench.kiosk.goal
    #expect(bench.kiosk.press(.select) == nil)
    #expect(bench.kiosk.overMap.markerSelected == "hut")
    #expect(bench.kiosk.goal == before)
  }

  @Test func signsHaveTheColoursOfTheNightsTiles() throws {
    let bench = try bench {
      $0.theme.mode = .night
      $0.theme.night = [.grayscale]
    }
    let items = try #require(bench.kiosk.shownKey.key?.items)
    guard case .line(let color, _, _, _)? = items.first?.sign else {
      Issue.record("no line")
      return
    }
    #expect(color >> 16 & 255 == color & 255)
  }

  @Test func aCardTakesThePlaceOfTheKeyWhichIsMadeAnewAfterIt() throws {
    let way = """
      {"type": "Feature", "properties": {"name": "Ridge"}, "geometry":
      {"type": "LineString", "coordinates": [[-110, 20], [-70, 20]]}}
      """
    let bench = try bench {
      $0.overlays = [
        Configuration.Overlay(name: "ways", content: .geoJSON(way), level: .aboveRoads)
      ]
    }
    let kiosk = bench.kiosk
    #expect(kiosk.shownKey.key?.items.map(\.text) == ["Ways", "Path", "Forest"])
    // As if tiles had been missing when the key was made.
    kiosk.shownKey.isWhole = false
    #expect(kiosk.press(.selectNext) == nil)
    #expect(kiosk.selection.line != nil)
    kiosk.updatePanel()
    // Otherwise each frame would lead to the next one, for a key that nobody sees.
    try #require(!kiosk.isKeyLate)
    try bench.settle()
    kiosk.go(
      to: Viewport(center: GeoPoint(lat: 20, lon: 90), zoom: 5, width: 800, height: 480),
      animate: false)
    try bench.settle()
    #expect(kiosk.press(.back) == nil)
    try bench.settle()
    #expect(kiosk.shownKey.key?.items.map(\.text) == ["Path"])
  }

  @Test func aKeyOfAMapThatLackedTilesIsMadeAgainAfterAPauseNotInEachFrame() throws {
    let kiosk = try bench().kiosk
    (kiosk.shownKey.isWhole, kiosk.shownKey.at) = (false, EventLoop.now())
    kiosk.followMapKey()
    #expect(kiosk.overMap.later.timer?.isArmed == true)
    #expect(!kiosk.frames.isChanged)
  }

  @Test func aKeyWithoutASignIsNotShownAndWhoeverAsksForItIsToldSo() throws {
    let bench = try Bench([]) {
      $0.hud.toasts = true
      $0.hud.languages = ["de", "en"]
    }
    try bench.settle()
    let (kiosk, over) = (bench.kiosk, bench.kiosk.overMap)
    #expect(kiosk.press(.mapKey) == nil)
    #expect(over.toast == "Hier gibt es nichts zu erklären")
    try bench.settle()
    #expect(!over.isKeyAsked && over.panelRect == nil)
    kiosk.showHud(["map_key": true])
    try bench.settle()
    #expect(kiosk.shownKey.key?.items == [] && over.panelRect == nil)
    // A sign that comes later is explained at once.
    _ = try kiosk.setMarker(["id": "hut", "lat": 0, "lon": 0, "icon": "hut"])
    try bench.settle()
    #expect(kiosk.shownKey.key?.items.count == 1)
    #expect(over.panelRect != nil)
    #expect(kiosk.removeMarker("hut"))
    try bench.settle()
    #expect(over.panelRect == nil)
  }

  @Test func aMarkerThatStandsBesideThePinOfHereIsInTheKey() throws {
    let bench = try Bench([]) {
      $0.hud.mapKey = true
      $0.markers = ["here", "mill"].map {
        .init(id: $0, place: GeoPoint(lat: 0, lon: 0), label: nil, text: nil)
      }
    }
    func signs() throws -> [Bool] {
      try bench.settle()
      // Both have the same words, so they share a row.
      return (bench.kiosk.shownKey.key?.items ?? []).flatMap { [$0.sign] + $0.more }.compactMap {
        if case .icon(_, _, let isHere) = $0 { isHere } else { nil }
      }
    }
    #expect(try signs() == [true, false])
    #expect(bench.kiosk.removeMarker("here"))
    #expect(try signs() == [false])
  }

  @Test func backDoesNotHideAKeyThatIsNotOnTheScreen() throws {
    let bench = try Bench([]) {
      $0.markers = [.init(id: "mill", place: GeoPoint(lat: 0, lon: 0), label: nil, text: nil)]
    }
    try bench.settle()
    let kiosk = bench.kiosk
    #expect(kiosk.press(.mapKey) == nil)
    try bench.settle()
    #expect(kiosk.overMap.panelRect != nil)
    kiosk.go(
      to: Viewport(center: GeoPoint(lat: 20, lon: 90), zoom: 5, width: 800, height: 480),
      animate: false)
    try bench.settle()
    #expect(kiosk.overMap.panelRect == nil)
    #expect(kiosk.press(.back) == nil)
    #expect(kiosk.goal.center.lon == 0)
  }

  @Test func theSignOfThePositionIsThatOfALostFixOnceItIsLost() throws {
    let bench = try Bench([]) { $0.hud.mapKey = true }
    let kiosk = bench.kiosk
    let fix = Fix(place: GeoPoint(lat: 0, lon: 0))
    func signs() throws -> [MapKey.Sign]? {
      try bench.settle()
      return kiosk.shownKey.key?.items.map(\.sign)
    }
    #expect(try signs() == [])
    kiosk.take(fix, from: .socket)
    #expect(try signs() == [.position(isLost: false)])
    #expect(kiosk.shownKey.key?.items.map(\.text) == ["Your position"])
    // As if the last one had come a minute ago.
    kiosk.view.takeFix(fix, from: .socket, now: EventLoop.now() - 65_000_000_000)
    kiosk.changed()
    #expect(try signs() == [.position(isLost: true)])
    #expect(kiosk.shownKey.key?.items.map(\.text) == ["Last known position"])
    kiosk.take(fix, from: .socket)
    #expect(try signs() == [.position(isLost: false)])
  }

  /// Red markers in Catalonia, and blue ones from Belgium to Berlin: all but one are in clusters.
  private func crowd(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    let bench = try Bench([], width: 1280, height: 720) {
      $0.view.center = GeoPoint(lat: 46, lon: 8)
      $0.view.zoom = 4
      $0.hud.mapKey = true
      let places = [
        ("Red", 41.0, 1.0), ("Blue", 51, 4), ("Red", 42, 2), ("Blue", 52, 8), ("Red", 43, 3),
        ("Blue", 53, 12),
      ]
      $0.markers = places.enumerated().map { n, place in
        .init(
          id: "m\(n)", place: GeoPoint(lat: place.1, lon: place.2), label: "\(place.0) \(n)",
          color: Color(place.0 == "Red" ? "#cc0000" : "#0000cc"))
      }
      set(&$0)
    }
    try bench.settle()
    return bench
  }

  @Test func theKeyHasTheIconsThatAreDrawnAndASignForClusters() throws {
    let bench = try crowd()
    let blue = MapKey.Item(.icon(.pin, 0xFF00_00CC, isHere: false), "Blue 5")
    #expect(
      bench.kiosk.shownKey.key?.items == [blue, .init(.cluster(2), "Several places")])
    // Nearer, all are single, and pins in two colours share an entry.
    bench.kiosk.go(
      to: Viewport(center: GeoPoint(lat: 47, lon: 6), zoom: 6, width: 1280, height: 720),
      animate: false)
    try bench.settle()
    let items = try #require(bench.kiosk.shownKey.key?.items)
    #expect(items.map(\.text) == ["Place"])
    #expect(items.first?.signs.count == 2)
  }

  @Test func theConfigurationNamesIconsInEachLanguage() throws {
    let bench = try crowd {
      $0.hud.languages = ["de", "en"]
      $0.hud.icons[.pin] = LocalText("Bakery", ["de": "Bäckerei"])
    }
    #expect(bench.kiosk.shownKey.key?.items.map(\.text) == ["Bäckerei", "Mehrere Orte"])
    #expect(bench.kiosk.setLanguage("en"))
    try bench.settle()
    #expect(bench.kiosk.shownKey.key?.items.map(\.text) == ["Bakery", "Several places"])
    // A reload changes the name.
    var new = bench.kiosk.configuration
    new.hud.icons = [:]
    bench.kiosk.apply(new)
    try bench.settle()
    #expect(bench.kiosk.shownKey.key?.items.first?.text == "Blue 5")
  }
}
