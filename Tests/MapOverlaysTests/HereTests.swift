import Drawing
import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// What keeps clear of the pin of "here", and its words of the pin.
@Suite struct HereTests: MarkerLayerCase {
  @Test(arguments: [1.0, 1.6, 3])
  func theRingAtTheFootOfThePinIsWhole(_ unit: Double) {
    let painter = painter()
    let ring = painter.with(unit: unit) {
      MarkerArt(painter: painter).here(.here, 0xFFC6_2828, .ring)
    }
    let image = ring.image
    let seen = (0..<image.height).filter { image.pixels[$0 * image.width + ring.anchorX] != 0 }
    // The tip is between two rows.
    #expect(seen.count { $0 <= ring.anchorY } == seen.count { $0 > ring.anchorY })
  }

  @Test func theReachOfThePinIsThatOfItsPicture() {
    for unit in [1.0, 1.6, 3] {
      let picture = MarkerArt(painter: painter(unit)).icon(.here, color: 0xFFC6_2828, isHere: true)
      let reach = MarkerArt.hereReach
      let (up, down) = (picture.anchorY + 1, picture.image.height - picture.anchorY - 1)
      #expect(abs(Double(up) - reach.up * unit) <= 2)
      #expect(abs(Double(down) - reach.down * unit) <= 2)
      #expect(abs(Double(picture.image.width) / 2 - reach.side * unit) <= 2 * unit)
    }
  }

  @Test func anotherMarkerStandsBetweenItsRingAndItsPin() throws {
    let here = marker("here", 46, 7.75, icon: .here)
    // A little below the pin's tip, and so on its ring.
    let layer = try layer([here, marker("info", 45.9978, 7.75, icon: .info)])
    let far = try self.layer([here, marker("info", 45.97, 7.75, icon: .info)])
    _ = layer.update(view(), avoiding: [])
    _ = far.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 3 && far.markerSprites.count == 2)
    let pins = layer.markerSprites.indices.filter { layer.markerSprites[$0].image.height > 70 }
    #expect(pins == [0, 2])
    let info = layer.markerSprites[1].rect
    #expect(layer.markerSprites[2].rect.intersects(info))
    // Ring and pin make up the whole.
    let whole = MarkerArt(painter: painter()).icon(
      .here, color: MarkerIcon.here.color, isHere: true)
    let (ring, pin) = (layer.markerSprites[0].image, layer.markerSprites[2].image)
    #expect((ring.width, ring.height) == (whole.image.width, whole.image.height))
    let isWhole = (0..<ring.width * ring.height).allSatisfy { n in
      let (a, b, c) = (ring.pixels[n] >> 24, pin.pixels[n] >> 24, whole.image.pixels[n] >> 24)
      return max(a, b) <= c + 1 && (c == 0 || a + b > 0)
    }
    #expect(isWhole)
    // The info icon lies on the ring, and the pin leaves most of it free.
    let covered = (0..<info.width * info.height).filter { n in
      let x = info.x + n % info.width - layer.markerSprites[2].x
      let y = info.y + n / info.width - layer.markerSprites[2].y
      guard x >= 0, y >= 0, x < pin.width, y < pin.height else { return false }
      return pin.pixels[y * pin.width + x] >> 24 > 128
    }
    #expect(covered.count * 4 < info.width * info.height)
  }

  @Test func aMarkerOfWhichHardlyAnythingIsSeenStandsBesideThePin() throws {
    func isBehind(_ lat: Double, _ lon: Double, _ icon: MarkerIcon) throws -> Bool {
      let layer = try layer([
        marker("here", 46, 7.75, icon: .here), marker("other", lat, lon, icon: icon),
      ])
      _ = layer.update(view(), avoiding: [])
      let other = try #require(layer.layout.placed.first { !$0.isHere })
      let pin = try #require(layer.layout.placed.last)
      let t = ViewTransform(view())
      #expect(pin.isHere && !(other.isMoved && other.rect(t).intersects(pin.rect(t))))
      return other.isMoved
    }
    // At the same place, and behind the pin's head.
    #expect(try isBehind(46, 7.75, .pin))
    #expect(try isBehind(46.0103, 7.75, .hut))
    // Half beside the head, on the ring, and far away.
    #expect(try !isBehind(46.0103, 7.7603, .hut))
    #expect(try !isBehind(45.9978, 7.75, .info))
    #expect(try !isBehind(46.02, 7.75, .hut))
  }

  @Test func itsWordsAreNotWrittenOverThePinWhereThereIsRoom() throws {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    // A card beside the pin leaves no side of it free.
    let plates = [
      PixelRect(x: 12, y: 27, width: 220, height: 175),
      PixelRect(x: 0, y: 264, width: 480, height: 56),
    ]
    let screen = PixelRect(x: 0, y: 0, width: 480, height: 320)
    for (x, y) in [(160.0, -78.0), (165, -90), (170, -60), (190, -85)] {
      let view = view(46, 7.75, zoom: 12, bearing: 0, 480, 320).panned(dx: -x, dy: -y)
      _ = layer.update(view, avoiding: plates)
      let words = try #require(layer.markerSprites.last)
      let pin = try #require(layer.markerSprites.first)
      #expect(layer.markerSprites.count == 2)
      #expect(words.image.width > 100)
      #expect(!words.rect.intersects(pin.rect), "\(x), \(y)")
      #expect(words.rect.intersection(screen) == words.rect)
      #expect(!plates.contains { $0.intersects(words.rect) })
    }
  }

  @Test(arguments: [(480, 320, 1.0), (800, 480, 1.6), (1280, 720, 3.0), (720, 1280, 3.0)])
  func itsWordsAreNeverOverThePin(_ width: Int, _ height: Int, _ size: Double) throws {
    let painter = painter(size)
    let layer = MarkerLayer(painter)
    try layer.set(marker("here", 46, 7.75, "You are here, at the car park", icon: .here))
    let legend = PixelRect(x: 0, y: height - 56, width: width, height: 56)
    let card = PixelRect(x: 12, y: 12, width: width * 45 / 100, height: height - 80)
    let top = PixelRect(x: 12, y: 12, width: width - 24, height: height / 3)
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    var widths: Set<Int> = []
    for plates in [[legend, card], [legend, top], [legend, card, top]] {
      for x in stride(from: -width / 2, to: width / 2, by: width / 24) {
        for y in stride(from: -height / 2, to: height / 2, by: height / 24) {
          let view = view(46, 7.75, zoom: 12, bearing: 0, width, height)
            .panned(dx: -Double(x), dy: -Double(y))
          _ = layer.update(view, avoiding: plates)
          guard layer.markerSprites.count == 2 else { continue }
          let (pin, word) = (layer.markerSprites[0], layer.markerSprites[1])
          widths.insert(word.image.width)
          #expect(!word.rect.intersects(pin.rect), "\(x), \(y)")
          #expect(word.rect.intersection(screen) == word.rect)
          #expect(!plates.contains { $0.intersects(word.rect) })
        }
      }
    }
    // Where there is little room it is on more lines or smaller.
    #expect(widths.count > 1)
  }

  @Test func itsWordsKeepClearOfThePositionAsItMoves() throws {
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here)])
    let t = ViewTransform(view())
    let side = Double(t.cell) * Double(t.columns)
    // From the right of the pin to its left.
    for n in 0..<40 {
      let place = WebMercator.project(GeoPoint(lat: 46.006, lon: 7.79 - 0.002 * Double(n)))
      layer.positionRoom = (place, 24)
      _ = layer.update(view(), avoiding: [])
      let room = try #require(layer.room)
      let dot = room.box(in: t, side: side)
      let words = try #require(layer.markerSprites.last)
      let pin = try #require(layer.markerSprites.first)
      #expect(words.image.width > 100)
      #expect(!words.rect.intersects(dot), "\(n)")
      #expect(!words.rect.intersects(pin.rect))
    }
  }

  @Test func itsWordsAreSmallRatherThanOverThePositionOrACluster() throws {
    // A wall of 480x320 with a banner; the pin's head is under it.
    let layer = MarkerLayer(painter(4.0 / 3))
    try layer.set(marker("here", 46, 7.75, "You are here", icon: .here))
    for n in 0..<5 {
      try layer.set(marker("n\(n)", 45.98975, 7.8077 + Double(n) * 1e-4))
    }
    let view = view(46, 7.75, zoom: 12, bearing: 0, 480, 320).panned(dx: 75, dy: 15)
    let plates = [
      PixelRect(x: 16, y: 16, width: 437, height: 115),
      PixelRect(x: 17, y: 193, width: 92, height: 55),
      PixelRect(x: 320, y: 235, width: 160, height: 29),
      PixelRect(x: 0, y: 264, width: 480, height: 56),
    ]
    layer.positionRoom = (view.world(x: 240, y: 160), 58)
    _ = layer.update(view, avoiding: plates)
    #expect(layer.markerSprites.count == 3)
    let words = try #require(layer.markerSprites.last).rect
    #expect(!layer.markerSprites.dropLast().contains { $0.rect.intersects(words) })
    #expect(!words.intersects(PixelRect(x: 212, y: 132, width: 56, height: 56)))
    #expect(!plates.contains { $0.intersects(words) })
  }

  @Test func itsWordsAreBesideOtherIconsWhereAPlateLeavesFewSides() throws {
    let hut = marker("hut", 46.001, 7.768, icon: .hut)
    let layer = try layer([marker("here", 46, 7.75, "You are here", icon: .here), hut])
    let plates = [PixelRect(x: 12, y: 12, width: 360, height: 440)]
    _ = layer.update(view(), avoiding: plates)
    let words = try #require(layer.markerSprites.last)
    #expect(layer.markerSprites.count == 3)
    #expect(!layer.markerSprites.dropLast().contains { $0.rect.intersects(words.rect) })
    #expect(!plates.contains { $0.intersects(words.rect) })
  }

  @Test func itsWordsComeBeforeNamesThatWereThere() throws {
    let layer = try layer(many(300, spread: 0.3))
    _ = layer.update(view(), avoiding: [])
    let before = layer.placedLabels.count
    try layer.set(marker("here", 46, 7.75, "You are here", icon: .here))
    _ = layer.update(view(), avoiding: [])
    #expect(layer.placedLabels.first?.rank == .here)
    #expect(before > 5)
    let t = ViewTransform(view())
    let rects = layer.placedLabels.map { label in
      let at = t.pixel(gridX: label.gridX, gridY: label.gridY)
      return Sprite(label.image, x: at.x + label.dx, y: at.y + label.dy).rect
    }
    for (n, rect) in rects.enumerated() {
      #expect(!rects[..<n].contains { $0.intersects(rect) })
    }
  }

  @Test func aClusterIsBesideThePinAndOneAlreadyBesideItStays() throws {
    for unit in [1, 2] {
      let near = (0..<5).map { marker("n\($0)", 46.004, 7.75 + Double($0) * 1e-4) }
      let here = marker("here", 46, 7.75, "", icon: .here)
      let layer = try layer(near + [here], scale: unit)
      _ = layer.update(view(scale: unit), avoiding: [])
      #expect(layer.markerSprites.count == 2)
      let sprites = layer.markerSprites.sorted { $0.image.height < $1.image.height }
      let (cluster, pin) = (sprites[0].rect, sprites[1].rect)
      #expect(!cluster.intersects(pin))
      // It is touched where it is seen.
      let scale = Double(unit)
      let hit = layer.hit(
        x: Double(cluster.x + cluster.width / 2) / scale,
        y: Double(cluster.y + cluster.height / 2) / scale)
      if case .cluster = hit {} else { Issue.record("\(String(describing: hit))") }
    }
  }

  @Test func aClusterStaysUnderThePinRatherThanHideAnother() throws {
    var markers = [marker("here", 46, 7.75, "", icon: .here)]
    // Clusters all around it, as near to each other as they may be.
    for row in -3...3 {
      for column in -3...3 {
        for n in 0..<12 {
          markers.append(
            marker(
              "m\(row) \(column) \(n)", 46.004 + Double(row) * 0.0158,
              7.75 + Double(column) * 0.0227 + Double(n) * 1e-6))
        }
      }
    }
    let layer = try layer(markers)
    _ = layer.update(view(), avoiding: [])
    let clusters = layer.markerSprites.filter { $0.image.width == $0.image.height }
    #expect(clusters.count > 20)
    for (n, one) in clusters.enumerated() {
      for other in clusters[..<n] { #expect(!one.rect.intersects(other.rect)) }
    }
  }

  @Test func theCoordinatesDoNotHideThePin() throws {
    for (width, height, size) in [(480, 320, 1.0), (1280, 720, 3.0), (800, 480, 1.6)] {
      let painter = painter(size)
      let (hud, layer) = (Hud(painter), MarkerLayer(painter))
      try layer.set(marker("here", 46, 7.75, "You are here", icon: .here))
      var hidden = 0
      for y in stride(from: -Double(height) / 2, to: Double(height) / 2, by: 16) {
        let view = view(46, 7.75, zoom: 12, bearing: 0, width, height).panned(dx: 80, dy: y)
        var content = HudContent()
        content.follow(view, scaleBar: .metric, north: true, zoom: true, coordinates: true)
        hud.show(content, width: width, height: height)
        let boxes = layer.hereBoxes(in: view)
        let box = try #require(boxes.first)
        if hud.rects.contains(where: { $0.intersects(box) && $0.width > width / 3 }) { hidden += 1 }
        content.pins = [box]
        hud.show(content, width: width, height: height)
        #expect(!hud.rects.contains { $0.intersects(box) && $0.width > width / 3 }, "\(width) \(y)")
        // The scale bar keeps its place.
        #expect(hud.rects.contains { $0.x == painter.px(12) && $0.maxY == height - painter.px(12) })
      }
      #expect(hidden > 0)
    }
  }

  @Test(arguments: [(480, 800), (800, 480)])
  func theMapKeyIsWhereItDoesNotHideThePin(_ width: Int, _ height: Int) throws {
    let hud = Hud(painter())
    var content = HudContent()
    let items = (0..<6).map { MapKey.Item(.dot(0xFF20_60C0), "Sign \($0)") }
    content.panel = .key(MapKey(title: "Map key", items: items))
    content.attribution = "© OpenStreetMap"
    content.legend = [.init(icon: .back, text: "Back")]
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.panelRect)
    // One at the key's upper edge, which is not hidden in the corner above or beside it.
    content.pins = [PixelRect(x: usual.x + 20, y: usual.y - 20, width: 48, height: 88)]
    hud.show(content, width: width, height: height)
    let moved = try #require(hud.panelRect)
    #expect((moved.width, moved.height) == (usual.width, usual.height))
    #expect(!moved.intersects(content.pins[0]))
    for rect in hud.rects where rect != moved { #expect(!rect.intersects(moved)) }
    // Where every corner hides one, it stays.
    content.pins = [PixelRect(x: 0, y: 0, width: width, height: height)]
    hud.show(content, width: width, height: height)
    #expect(hud.panelRect == usual)
  }

  @Test(arguments: [(720, 1280, 1.6), (800, 480, 1.0), (480, 800, 1.0), (480, 320, 1.0)])
  func aMapKeyTooWideToBeBesideThePinIsAboveOrBelowIt(
    _ width: Int, _ height: Int, _ size: Double
  ) throws {
    let hud = Hud(painter(size))
    var content = HudContent()
    let items = (0..<9).map {
      MapKey.Item(.dot(0xFF20_60C0), "A sign whose meaning takes all of the width, number \($0)")
    }
    content.panel = .key(MapKey(title: "Map key", items: items, rest: "and {0} more"))
    content.scaleBar = ScaleBar(amount: 1, unit: .kilometers, pixels: 80)
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.panelRect)
    for y in stride(from: usual.y - 60, to: height - 40, by: 16) {
      content.pins = [PixelRect(x: usual.x + usual.width / 2, y: y, width: 48, height: 60)]
      hud.show(content, width: width, height: height)
      let key = try #require(hud.panelRect)
      #expect(!key.intersects(content.pins[0]), "\(y)")
      #expect(key.width > usual.width / 2)
      for rect in hud.rects where rect != key { #expect(!rect.intersects(key)) }
    }
  }

  @Test(arguments: [(800, 480, 1.0), (480, 320, 1.0), (720, 1280, 1.6), (1280, 720, 3.0)])
  func theNoticesDoNotHideThePin(_ width: Int, _ height: Int, _ size: Double) throws {
    let hud = Hud(painter(size))
    var content = HudContent()
    content.bearing = 30
    content.notices = [
      NoticeLine(text: "Total fire ban: no open fires on any of the tracks", severity: .danger),
      NoticeLine(text: "Bridge closed at the falls", severity: .warning),
      NoticeLine(text: "The last bus leaves at 17:40", severity: .info),
    ]
    hud.show(content, width: width, height: height)
    let usual = try #require(hud.noticeRect)
    var moved = 0
    for x in stride(from: 0, to: width, by: 40) {
      for y in stride(from: 0, to: height * 2 / 3, by: 40) {
        content.pins = [PixelRect(x: x - 24, y: y - 30, width: 48, height: 60)]
        hud.show(content, width: width, height: height)
        let notices = try #require(hud.noticeRect)
        #expect(!notices.intersects(content.pins[0]), "\(x), \(y)")
        if notices != usual { moved += 1 }
        for rect in hud.rects where rect != notices { #expect(!rect.intersects(notices)) }
        // They do not move without need.
        #expect(usual.intersects(content.pins[0]) || notices == usual)
      }
    }
    #expect(moved > 0)
  }

  @Test func aPinThatMovesWhereNothingHidesItIsNoChange() {
    let hud = Hud(painter())
    var content = HudContent()
    content.notices = [NoticeLine(text: "Bridge closed", severity: .warning)]
    content.pins = [PixelRect(x: 300, y: 200, width: 48, height: 60)]
    #expect(hud.show(content, width: 480, height: 320))
    content.pins[0].x += 8
    #expect(!hud.show(content, width: 480, height: 320))
    content.pins[0] = PixelRect(x: 20, y: 20, width: 48, height: 60)
    #expect(hud.show(content, width: 480, height: 320))
  }

  @Test func aKeyThatMakesRoomForAPinIsNotDrawnAgainAtEachStepOfThePin() throws {
    let hud = Hud(painter(1.6))
    var content = HudContent()
    let items = (0..<9).map {
      MapKey.Item(.dot(0xFF20_60C0), "A sign whose meaning takes all of the width, number \($0)")
    }
    content.panel = .key(MapKey(title: "Map key", items: items, rest: "and {0} more"))
    var changes = 0
    // Another one leaves no room above.
    let fixed = PixelRect(x: 300, y: 200, width: 48, height: 60)
    for y in 720..<820 {
      content.pins = [PixelRect(x: 300, y: y, width: 48, height: 60), fixed]
      if hud.show(content, width: 720, height: 1280) { changes += 1 }
      let key = try #require(hud.panelRect)
      #expect(!content.pins.contains { $0.intersects(key) }, "\(y)")
    }
    #expect(changes > 1 && changes < 12)
  }
}
