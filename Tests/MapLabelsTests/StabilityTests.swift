import MapGeometry
import MapStyle
import TestSupport
import Testing

@testable import MapLabels

/// Placements of many views of a made-up town.
@Suite struct StabilityTests {
  private func overlaps(_ placement: LabelPlacement) -> Int {
    let labels = placement.labels.map { label in
      label.boxes.map { $0.moved(Float(label.x), Float(label.y)) }
    }
    var count = 0
    for first in labels.indices {
      for second in labels.indices.dropFirst(first + 1) {
        // Anchors are rounded to pixels, and line labels' circles are wider than their letters.
        let meet = labels[first].contains { a in
          labels[second].contains { $0.grown(-1).overlaps(a) }
        }
        if meet { count += 1 }
      }
    }
    return count
  }

  @Test func noTwoLabelsOverlapInAnyView() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    var numbers = SeededNumbers(5)
    for seed in 1...3 as ClosedRange<UInt64> {
      let tiles = LabelScene.town(seed, points: 30, streets: 8)
      var previous: LabelPlacement?
      for _ in 0..<6 {
        let view = LabelScene.view(
          zoom: numbers.number(13.5...16), bearing: numbers.number(0...359), width: 480,
          height: 320, scale: numbers.integer(1...2),
          at: TilePoint(Float(numbers.number(0...1)), Float(numbers.number(0...1))))
        let placement = placer.place(
          LabelRequest(tiles: tiles, view: view, margin: 60), after: previous)
        #expect(!placement.labels.isEmpty)
        let count = overlaps(placement)
        #expect(count == 0)
        previous = placement
      }
    }
  }

  /// The share of the labels in the view, or of those along no line, that keep their number, anchor
  /// and side.
  private func share(
    _ before: LabelPlacement, _ after: LabelPlacement, pointsOnly: Bool = false
  ) -> Double {
    let screen = PixelRect(x: 0, y: 0, width: after.view.width, height: after.view.height)
    var moved = before
    moved.turn(to: after.view)
    let shown = moved.labels.filter {
      screen.intersects($0.rect) && !(pointsOnly && $0.turnsWithMap)
    }
    let old = Dictionary(uniqueKeysWithValues: shown.map { ($0.id, $0) })
    let kept = after.labels.filter { label in
      guard let other = old[label.id] else { return false }
      return other.anchor == label.anchor && other.anchorChoice == label.anchorChoice
        && other.hasText == label.hasText && other.hasIcon == label.hasIcon
    }
    return Double(kept.count) / Double(max(shown.count, 1))
  }

  @Test func aPanOfAPixelKeepsTheLabels() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let tiles = LabelScene.town(7, points: 30, streets: 8)
    var view = LabelScene.view(zoom: 15.2)
    var placement = placer.place(
      LabelRequest(tiles: tiles, view: view, margin: 100), after: nil)
    for step in 0..<12 {
      view = view.panned(dx: step % 2 == 0 ? 1 : 0, dy: step % 2 == 0 ? 0 : 1)
      let next = placer.place(
        LabelRequest(tiles: tiles, view: view, margin: 100), after: placement)
      let kept = share(placement, next)
      #expect(kept >= 0.95, "step \(step)")
      placement = next
    }
  }

  @Test func aTurnOfADegreeKeepsTheLabels() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let tiles = LabelScene.town(8, points: 30, streets: 8)
    var placement = placer.place(
      LabelRequest(tiles: tiles, view: LabelScene.view(zoom: 15.2), margin: 100), after: nil)
    for degree in 1...20 {
      let view = LabelScene.view(zoom: 15.2, bearing: Double(degree))
      placement.turn(to: view)
      let next = placer.place(
        LabelRequest(tiles: tiles, view: view, margin: 100), after: placement)
      let kept = share(placement, next)
      #expect(kept >= 0.96, "degree \(degree)")
      placement = next
    }
  }

  @Test func zoomingInALittleKeepsTheLabels() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let tiles = LabelScene.town(10, points: 30, streets: 8)
    var placement = placer.place(
      LabelRequest(tiles: tiles, view: LabelScene.view(zoom: 15), margin: 100), after: nil)
    let count = placement.labels.count
    for step in 1...9 {
      let view = LabelScene.view(zoom: 15 + 0.05 * Double(step))
      let next = placer.place(
        LabelRequest(tiles: tiles, view: view, margin: 100), after: placement)
      // They move apart, and those that came before others stay before them.
      let points = share(placement, next, pointsOnly: true)
      #expect(points > 0.99, "step \(step)")
      let kept = share(placement, next)
      #expect(kept >= 0.8, "step \(step)")
      placement = next
    }
    #expect(count > 20)
  }

  @Test func zoomingOutALittleKeepsMostLabels() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let tiles = LabelScene.town(11, points: 30, streets: 8)
    var placement = placer.place(
      LabelRequest(tiles: tiles, view: LabelScene.view(zoom: 15.95), margin: 100), after: nil)
    var shares: [Double] = []
    for step in 1...9 {
      let view = LabelScene.view(zoom: 15.95 - 0.05 * Double(step))
      let next = placer.place(
        LabelRequest(tiles: tiles, view: view, margin: 100), after: placement)
      shares.append(share(placement, next))
      let count = overlaps(next)
      #expect(count == 0)
      placement = next
    }
    // They move together, and some have no room any more.
    #expect(shares.allSatisfy { $0 >= 0.75 }, "\(shares)")
    #expect(shares.reduce(0, +) / Double(shares.count) >= 0.85, "\(shares)")
  }

  @Test func theOrderOfTheTilesDoesNotMatter() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let tiles = LabelScene.town(9, points: 20, streets: 6)
    let view = LabelScene.view(zoom: 15)
    let one = placer.place(LabelRequest(tiles: tiles, view: view), after: nil)
    let other = placer.place(LabelRequest(tiles: tiles.reversed(), view: view), after: nil)
    let places = one.labels.map { [$0.x, $0.y] }
    let others = other.labels.map { [$0.x, $0.y] }
    #expect(places == others)
  }

  @Test func labelsFadeInAndOut() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let one = LabelScene.point("One", 0.3, 0.3)
    let two = LabelScene.point("Two", 0.7, 0.7)
    let start = placer.place(LabelScene.request([one], time: 1_000), after: nil)
    // What is there first is there at once.
    #expect(start.labels.map(\.opacity) == [255])
    var next = placer.place(LabelScene.request([two], time: 2_000), after: start)
    #expect(next.isFading)
    #expect(next.labels.map(\.opacity) == [255, 0])
    #expect(next.labels.map(\.isLeaving) == [true, false])
    let half = next.fade(at: 2_000 + LabelPlacement.fadeTime / 2)
    #expect(half)
    #expect(next.labels.map(\.opacity) == [128, 127])
    let end = next.fade(at: 2_000 + LabelPlacement.fadeTime)
    #expect(end)
    #expect(next.labels.map(\.shape.text) == ["Two"])
    #expect(next.labels.map(\.opacity) == [255])
    #expect(!next.isFading)
    let idle = next.fade(at: 9_000_000_000)
    #expect(!idle)
  }

  @Test func noHostileValueTraps() throws {
    let type = try LabelScene.type()
    let icons = LabelIcons(icons: [LabelScene.icon("dot", stretch: true)], problems: [])
    let placer = LabelPlacer(type: type, icons: icons)
    let artist = LabelArtist(type: type)
    for value in [Float.nan, .infinity, -.infinity, -1, 0, 1e-30, 1e30, 300] {
      for placement in [LabelPlace.point, .line, .lineCenter] {
        for fit in [IconTextFit.none, .both] {
          let look = LabelScene.look {
            $0.placement = placement
            $0.spacing = value
            $0.textSize = value == 0 ? 12 : value
            $0.textRotate = value
            $0.textPadding = value
            $0.textMaxAngle = value
            $0.textRadialOffset = value
            $0.textOffset = LabelOffset(value, value)
            $0.textTranslate = LabelOffset(value, value)
            $0.textHaloWidth = value
            $0.textHaloBlur = value
            $0.textOpacity = value
            $0.iconSize = value
            $0.iconRotate = value
            $0.iconTextFit = fit
            $0.iconTextFitPadding = LabelInsets(value)
            $0.iconPadding = LabelInsets(value)
            $0.iconOffset = LabelOffset(value, value)
            $0.iconTranslate = LabelOffset(value, value)
            $0.textVariableAnchors = placement == .point ? [.left, .top] : []
            $0.textOverlap = .always
            $0.iconOverlap = .always
          }
          let candidate = LabelCandidate(
            layer: .max, sortKey: value, text: FormattedText("Hostile text"), icon: "dot",
            look: look, points: [TilePoint(0.1, 0.5), TilePoint(0.9, 0.6)])
          let placed = placer.place(LabelScene.request([candidate]), after: nil)
          for label in placed.labels {
            let picture = artist.picture(of: label.shape)
            #expect(picture.image.width <= LabelShape.maxSide)
          }
        }
      }
    }
    for zoom in [Double.nan, .infinity, -100, 1e9, 30] {
      let view = LabelScene.view(zoom: zoom)
      let placed = placer.place(
        LabelScene.request([LabelScene.point("A", 0.5, 0.5)], view), after: nil)
      #expect(placed.labels.count <= 1)
    }
  }
}
