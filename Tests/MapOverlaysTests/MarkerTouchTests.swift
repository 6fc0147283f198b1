import MapGeometry
import Testing

@testable import MapOverlays
@testable import MapScene

/// Markers that are touched and selected.
@Suite struct MarkerTouchTests: MarkerLayerCase {
  @Test func whatCanBeTouchedIsAtLeast48PointsLarge() throws {
    for scale in [1, 2] {
      let layer = try layer([marker("a", 46, 7.75, icon: .dot)], scale: scale)
      _ = layer.update(view(scale: scale), avoiding: [])
      let (x, y) = (400.0 / Double(scale), 240.0 / Double(scale))
      #expect(layer.hit(x: x + 23, y: y - 23) == .marker("a"))
      #expect(layer.hit(x: x - 23, y: y + 23) == .marker("a"))
      #expect(layer.hit(x: x + 26, y: y) == nil)
      #expect(layer.hit(x: x, y: y - 26) == nil)
    }
  }

  @Test func theNearestOfSeveralIsTouched() throws {
    let layer = try layer([marker("a", 46, 7.75, icon: .dot), marker("b", 46, 7.775, icon: .dot)])
    _ = layer.update(view(), avoiding: [])
    // 72.8 points between them at zoom 12.
    #expect(layer.hit(x: 405, y: 240) == .marker("a"))
    #expect(layer.hit(x: 465, y: 240) == .marker("b"))
  }

  // MARK: The callout

  @Test func whatIsSelectedSaysItsTextOnTheScreenWhereverItIs() throws {
    let text = String(repeating: "The way to the hut takes two hours. ", count: 40)
    for (width, height) in [(480, 272), (272, 480), (800, 480), (1920, 1080)] {
      let layer = try layer([
        Marker(id: "a", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut", text: text)
      ])
      let screen = PixelRect(x: 0, y: 0, width: width, height: height)
      let base = view(46, 7.75, zoom: 12, width, height)
      for (dx, dy) in [(0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let moved = base.panned(
          dx: Double(dx * (width / 2 - 3)), dy: Double(dy * (height / 2 - 3)))
        layer.select("a")
        _ = layer.update(moved, avoiding: [])
        #expect(!layer.calloutSprites.isEmpty)
        for sprite in layer.calloutSprites.prefix(1) {
          #expect(sprite.rect.intersection(screen) == sprite.rect)
        }
        // The map moves until the marker and its plate are whole, with the tip on the icon.
        guard let shift = layer.shiftForCallout(moved, avoiding: []) else { continue }
        let there = moved.panned(dx: -Double(shift.x), dy: -Double(shift.y))
        _ = layer.update(there, avoiding: [])
        #expect(layer.calloutSprites.count == 2)
        for sprite in layer.calloutSprites + layer.markerSprites {
          #expect(sprite.rect.intersection(screen) == sprite.rect)
        }
        guard let tip = layer.calloutSprites.last?.rect, let icon = layer.markerSprites.last?.rect
        else { continue }
        #expect(abs(tip.x + tip.width / 2 - icon.x - icon.width / 2) <= 8)
        #expect(abs(tip.maxY - icon.y) <= 1 || abs(tip.y - icon.maxY) <= 1)
        #expect(layer.shiftForCallout(there, avoiding: []) == nil)
      }
      // Out of view it is gone, and comes back with the marker.
      _ = layer.update(base.panned(dx: 5000, dy: 0), avoiding: [])
      #expect(layer.calloutSprites.isEmpty)
      _ = layer.update(base, avoiding: [])
      #expect(!layer.calloutSprites.isEmpty)
      layer.select(nil)
      _ = layer.update(base, avoiding: [])
      #expect(layer.calloutSprites.isEmpty)
    }
  }

  @Test func theCalloutCoversNoPlate() throws {
    let layer = try layer([
      Marker(id: "a", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut", text: "Two hours")
    ])
    layer.select("a")
    let plates = [
      PixelRect(x: 0, y: 440, width: 800, height: 40),
      PixelRect(x: 300, y: 0, width: 200, height: 60),
    ]
    for dy in [-200.0, -100, 0, 100, 200] {
      let moved = view().panned(dx: 0, dy: dy)
      _ = layer.update(moved, avoiding: plates)
      let shift = layer.shiftForCallout(moved, avoiding: plates) ?? (0, 0)
      _ = layer.update(
        moved.panned(dx: -Double(shift.x), dy: -Double(shift.y)), avoiding: plates)
      #expect(layer.calloutSprites.count == 2)
      for sprite in layer.calloutSprites {
        #expect(!plates.contains { $0.intersects(sprite.rect) }, "\(dy)")
      }
    }
  }

  @Test func allOfALongTextIsReadPageByPage() throws {
    let text = (1...120).map { "Word\($0)" }.joined(separator: " ")
    let layer = try layer([
      Marker(id: "a", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut", text: text)
    ])
    layer.select("a")
    _ = layer.update(view(46, 7.75, zoom: 12, 480, 320), avoiding: [])
    var sizes: [Int] = []
    repeat {
      #expect(layer.update(view(46, 7.75, zoom: 12, 480, 320), avoiding: []) == !sizes.isEmpty)
      sizes.append(layer.calloutSprites[0].image.height)
    } while layer.turnPage() && sizes.count < 20
    #expect(sizes.count > 1 && sizes.count < 20)
    #expect(Set(sizes).count == 1)
    // A short text has one page.
    try layer.set(Marker(id: "b", place: GeoPoint(lat: 46, lon: 7.76), label: "B", text: "Short"))
    layer.select("b")
    _ = layer.update(view(46, 7.75, zoom: 12, 480, 320), avoiding: [])
    #expect(!layer.turnPage())
  }

  @Test func removingTheSelectedMarkerClosesItsCallout() throws {
    let layer = try layer([marker("a", 46, 7.75, "A")])
    layer.select("a")
    _ = layer.update(view(), avoiding: [])
    #expect(!layer.calloutSprites.isEmpty)
    layer.remove("a")
    #expect(layer.selected == nil)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.calloutSprites.isEmpty && layer.markerSprites.isEmpty)
    #expect(!layer.update(view(zoom: 5), avoiding: []))
  }

  @Test func aMarkerThatAPlateCutsIsNotDrawn() throws {
    let layer = try layer([marker("a", 46, 7.75), marker("here", 46, 7.77, icon: .here)])
    _ = layer.update(view(), avoiding: [])
    let rects = layer.markerSprites.map(\.rect)
    try #require(rects.count == 2)
    for rect in rects {
      let isHere = rect.width > rects.map(\.width).min() ?? 0
      for part in [1, 3, 6, 9] {
        let plate = PixelRect(
          x: rect.x - 40, y: rect.y - 10, width: 40 + rect.width * part / 10,
          height: rect.height + 20)
        _ = layer.update(view(), avoiding: [plate])
        let isDrawn = layer.markerSprites.contains { $0.rect == rect }
        #expect(isDrawn == (isHere || part < 2), "\(part)")
      }
    }
  }

  @Test func aMarkerBetweenTwoPlatesThatCutItIsNotDrawn() throws {
    let layer = try layer([marker("a", 46, 7.75, "Station", icon: .train)])
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
    let icon = try #require(layer.markerSprites.min { $0.rect.width < $1.rect.width }).rect
    // Each hides less than an eighth.
    let part = max(1, icon.height / 9)
    let plates = [
      PixelRect(x: icon.x - 100, y: icon.y - 40, width: 160, height: 40 + part),
      PixelRect(x: icon.x - 100, y: icon.maxY - part, width: 160, height: 40),
    ]
    for plate in plates {
      _ = layer.update(view(), avoiding: [plate])
      #expect(layer.markerSprites.contains { $0.rect == icon })
    }
    _ = layer.update(view(), avoiding: plates)
    #expect(layer.markerSprites.isEmpty)
  }

  @Test func theLabelOfAMarkerThatAPlateCutsIsNotShownAlone() throws {
    let layer = try layer([marker("a", 46, 7.75, "Ranger station", icon: .info)])
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
    let icon = try #require(layer.markerSprites.min { $0.rect.width < $1.rect.width }).rect
    let label = try #require(layer.markerSprites.max { $0.rect.width < $1.rect.width }).rect
    // Over half of the icon, and clear of the label beside it.
    let isRight = label.x > icon.x
    let plate = PixelRect(
      x: isRight ? icon.x - 200 : icon.x + icon.width / 2, y: icon.y - 30,
      width: 200 + icon.width / 2, height: icon.height + 60)
    #expect(!plate.intersects(label))
    _ = layer.update(view(), avoiding: [plate])
    #expect(layer.markerSprites.isEmpty)
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
  }

  @Test func aClusterThatTheCalloutCutsIsNotDrawn() throws {
    let hut = Marker(
      id: "hut", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut",
      text: "The way to the hut takes two hours.")
    let layer = try layer([hut])
    layer.select("hut")
    _ = layer.update(view(), avoiding: [])
    let callout = try #require(layer.calloutRect)
    // A third of it would be under the callout.
    let place = WebMercator.unproject(
      view().world(x: Double(callout.x + callout.width / 2), y: Double(callout.y - 6)))
    for n in 0..<5 { try layer.set(marker("n\(n)", place.lat, place.lon + Double(n) * 1e-6)) }
    layer.select(nil)
    _ = layer.update(view(), avoiding: [])
    let cluster = try #require(layer.markerSprites.first { $0.image.width == $0.image.height })
    #expect(cluster.rect.isCut(by: [callout]))
    layer.select("hut")
    _ = layer.update(view(), avoiding: [])
    #expect(layer.calloutRect == callout)
    // Only the selected one is left.
    #expect(layer.markerSprites.count == 1)
  }

  @Test func labelsKeepClearOfTheCallout() throws {
    var markers: [Marker] = []
    for row in -2...2 {
      for column in -2...2 {
        markers.append(
          marker(
            "\(row) \(column)", 46.003 + 0.02 * Double(row), 7.75 + 0.05 * Double(column), "Name"))
      }
    }
    markers.append(
      Marker(
        id: "hut", place: GeoPoint(lat: 45.991, lon: 7.775), label: "Hut",
        text: "The way to the hut takes two hours, and the key is at the inn."))
    let layer = try layer(markers)
    func labels() -> [PixelRect] {
      let images = layer.placedLabels.map(\.image)
      let sprites = layer.markerSprites.filter { sprite in
        images.contains { $0 === sprite.image }
      }
      return sprites.map(\.rect)
    }
    _ = layer.update(view(), avoiding: [])
    let before = labels()
    layer.select("hut")
    _ = layer.update(view(), avoiding: [])
    let callout = try #require(layer.calloutRect)
    #expect(before.count { callout.intersects($0) } > 1)
    #expect(!labels().isEmpty)
    #expect(!labels().contains { callout.intersects($0) })
    // The icon that it belongs to is the last.
    for sprite in layer.markerSprites.dropLast() {
      #expect(!sprite.rect.isCut(by: [callout]))
    }
  }

  @Test func theCalloutIsOnTheSideThatDoesNotHideThePinOfHere() throws {
    for south in [-1.0, 1] {
      let layer = try layer([
        Marker(
          id: "hut", place: GeoPoint(lat: 46, lon: 7.75), label: "Hut",
          text: "The way to the hut takes two hours."),
        marker("here", 46 - 0.012 * south, 7.76, icon: .here),
      ])
      layer.select("hut")
      _ = layer.update(view(), avoiding: [])
      let callout = try #require(layer.calloutRect)
      let pin = try #require(layer.hereBoxes(in: view()).first)
      #expect(!callout.intersects(pin))
      #expect((callout.y < 200) == (south > 0))
    }
  }

  @Test func theCalloutIsAsideWhereAPlateLeavesNoOtherSideThanThePins() throws {
    let layer = try layer([
      Marker(
        id: "hut", place: GeoPoint(lat: 46.03, lon: 7.75), label: "Hut",
        text: "The way to the hut takes two hours."),
      marker("here", 46.004, 7.72, icon: .here),
    ])
    layer.select("hut")
    // It would be half under the plate above, and over the pin below.
    let plate = PixelRect(x: 12, y: 12, width: 320, height: 90)
    _ = layer.update(view(), avoiding: [plate])
    let callout = try #require(layer.calloutRect)
    let pin = try #require(layer.hereBoxes(in: view()).first)
    #expect(!callout.intersects(pin) && !callout.intersects(plate))
    // It points at the hut.
    #expect(layer.calloutSprites.count == 2)
  }

  @Test func aPlateBesideTheCalloutDoesNotTurnIt() throws {
    let layer = try layer([
      Marker(
        id: "hut", place: GeoPoint(lat: 46.012, lon: 7.85), label: "Hut",
        text: "The way to the hut takes two hours.")
    ])
    layer.select("hut")
    // Above it, and at the other side of the screen.
    for (x, isAbove) in [(12, true), (500, false)] {
      _ = layer.update(view(), avoiding: [PixelRect(x: x, y: 12, width: 280, height: 90)])
      let callout = try #require(layer.calloutRect)
      #expect((callout.y < 180) == isAbove, "\(callout)")
    }
  }
}
