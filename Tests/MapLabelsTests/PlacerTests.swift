import MapGeometry
import MapStyle
import Testing

@testable import MapLabels

@Suite struct PlacerTests {
  private let icons = LabelIcons(icons: [LabelScene.icon("dot")], problems: [])

  private func place(
    _ candidates: [LabelCandidate], _ view: Viewport = LabelScene.view(),
    obstacles: [PixelRect] = [], after previous: LabelPlacement? = nil
  ) throws -> LabelPlacement {
    let placer = LabelPlacer(type: try LabelScene.type(), icons: icons)
    return placer.place(
      LabelScene.request(candidates, view, obstacles: obstacles), after: previous)
  }

  private func texts(_ placement: LabelPlacement) -> [String] {
    placement.labels.map(\.shape.text)
  }

  @Test func theUpperLayerIsPlacedFirst() throws {
    let placement = try place([
      LabelScene.point("Lower", 0.5, 0.5, layer: 1), LabelScene.point("Upper", 0.5, 0.5, layer: 2),
    ])
    #expect(texts(placement) == ["Upper"])
  }

  @Test func withinALayerTheLowerSortKeyIsPlacedFirst() throws {
    let placement = try place([
      LabelScene.point("Second", 0.5, 0.5, sortKey: 2),
      LabelScene.point("First", 0.5, 0.5, sortKey: 1),
    ])
    #expect(texts(placement) == ["First"])
  }

  @Test func aLabelStandsAtItsPointInTheView() throws {
    let placement = try place([LabelScene.point("Here", 0.25, 0.5)])
    let label = try #require(placement.labels.first)
    // The tile takes 256 pixels in the middle of 512.
    #expect(abs(label.x - 192) <= 1 && abs(label.y - 256) <= 1)
    let box = try #require(label.boxes.first)
    #expect(abs(box.left + box.right) < 0.01 && abs(box.top + box.bottom) < 0.01)
  }

  @Test func labelsKeepClearOfObstacles() throws {
    let candidates = [LabelScene.point("Under", 0.5, 0.5), LabelScene.point("Free", 0.5, 0.8)]
    let placement = try place(
      candidates, obstacles: [PixelRect(x: 250, y: 250, width: 20, height: 20)])
    #expect(texts(placement) == ["Free"])
  }

  @Test func textMayOverlapWhereTheStyleAllowsIt() throws {
    let allowed = LabelScene.look { $0.textOverlap = .always }
    let both = [
      LabelScene.point("One", 0.5, 0.5, layer: 2), LabelScene.point("Two", 0.5, 0.5, allowed),
    ]
    #expect(try place(both).labels.count == 2)
    let cooperative = LabelScene.look { $0.textOverlap = .cooperative }
    let shared = [
      LabelScene.point("One", 0.5, 0.5, cooperative),
      LabelScene.point("Two", 0.5, 0.5, cooperative),
    ]
    #expect(try place(shared).labels.count == 2)
    let mixed = [
      LabelScene.point("One", 0.5, 0.5, layer: 2),
      LabelScene.point("Two", 0.5, 0.5, cooperative),
    ]
    #expect(try place(mixed).labels.count == 1)
  }

  @Test func whatIgnoresPlacementKeepsNobodyAway() throws {
    let ignoring = LabelScene.look { $0.textIgnorePlacement = true }
    let placement = try place([
      LabelScene.point("Ghost", 0.5, 0.5, layer: 2, ignoring), LabelScene.point("Solid", 0.5, 0.5),
    ])
    #expect(placement.labels.count == 2)
  }

  @Test func textAndIconNeedEachOtherUnlessOneIsOptional() throws {
    // The text below the icon has no room, the icon has.
    func label(_ change: (inout LabelSettings) -> Void) -> LabelCandidate {
      LabelScene.point(
        "Text", 0.5, 0.5, icon: "dot",
        LabelScene.look {
          $0.textAnchor = .top
          $0.textOffset = LabelOffset(0, 1)
          change(&$0)
        })
    }
    let below = [PixelRect(x: 200, y: 268, width: 100, height: 20)]
    #expect(try place([label { _ in }], obstacles: below).labels.isEmpty)
    let iconOnly = try place([label { $0.textOptional = true }], obstacles: below)
    let icon = try #require(iconOnly.labels.first)
    #expect(icon.hasIcon && !icon.hasText)
    let above = [PixelRect(x: 250, y: 245, width: 10, height: 10)]
    let textOnly = try place([label { $0.iconOptional = true }], obstacles: above)
    let text = try #require(textOnly.labels.first)
    #expect(text.hasText && !text.hasIcon)
  }

  @Test func aTextTakesTheFirstOfItsAnchorsThatHasRoomAndKeepsIt() throws {
    let look = LabelScene.look {
      $0.textVariableAnchors = [.left, .right]
      $0.textRadialOffset = 1
    }
    let candidates = [LabelScene.point("Side", 0.5, 0.5, look)]
    let right = try place(candidates)
    #expect(right.labels.first?.anchorChoice == 0)
    let blocked = try place(
      candidates, obstacles: [PixelRect(x: 264, y: 240, width: 60, height: 40)], after: right)
    #expect(blocked.labels.first?.anchorChoice == 1)
    // Both sides are free again, and it stays.
    let again = try place(candidates, after: blocked)
    #expect(again.labels.first?.anchorChoice == 1)
    #expect(again.labels.first?.id == right.labels.first?.id)
  }

  @Test func aLabelThatIsShownKeepsItsPlaceAgainstANewOne() throws {
    let old = [LabelScene.point("Old", 0.5, 0.5, layer: 1)]
    let first = try place(old)
    let both = old + [LabelScene.point("New", 0.51, 0.5, layer: 2)]
    #expect(try texts(place(both, after: first)) == ["Old"])
    #expect(try texts(place(both)) == ["New"])
    // Another zoom is another map.
    let far = try place(both, LabelScene.view(zoom: 14.6), after: first)
    #expect(texts(far) == ["New"])
  }

  @Test func theSameLabelOfTwoTilesIsShownOnce() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let right = try #require(
      TileID(z: 14, x: LabelScene.tile.x + 1, y: LabelScene.tile.y))
    let allowed = LabelScene.look { $0.textOverlap = .always }
    let request = LabelRequest(
      tiles: [
        LabelTile(
          LabelScene.tile, labels: LabelScene.labels([LabelScene.point("A", 0.9999, 0.5, allowed)])
        ),
        LabelTile(right, labels: LabelScene.labels([LabelScene.point("A", 0, 0.5, allowed)])),
      ], view: LabelScene.view())
    #expect(placer.place(request, after: nil).labels.count == 1)
  }

  @Test func aStandInsLabelsGiveWayWhereADeeperTileIs() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let parent = try #require(LabelScene.tile.ancestor(1))
    // Where the tile lies in its parent.
    let x = Float(LabelScene.tile.x % 2) / 2
    let y = Float(LabelScene.tile.y % 2) / 2
    let stale = [
      LabelScene.point("Covered", x + 0.25, y + 0.25),
      LabelScene.point("Beside", 0.5 - x + 0.05, y + 0.25),
    ]
    let request = LabelRequest(
      tiles: [
        LabelTile(parent, labels: LabelScene.labels(stale)),
        LabelTile(LabelScene.tile, labels: LabelScene.labels([LabelScene.point("New", 0.3, 0.3)])),
      ], view: LabelScene.view())
    let shown = Set(texts(placer.place(request, after: nil)))
    #expect(shown == ["Beside", "New"])
  }

  @Test func labelsAreDrawnInTheOrderOfTheirLayers() throws {
    let placement = try place([
      LabelScene.point("Top", 0.5, 0.2, layer: 7), LabelScene.point("Bottom", 0.5, 0.8, layer: 1),
      LabelScene.point("Middle", 0.5, 0.5, layer: 3),
    ])
    #expect(texts(placement) == ["Bottom", "Middle", "Top"])
  }

  @Test func aPlacementCrossesTheDateLine() throws {
    let tile = try #require(TileID(z: 2, x: 3, y: 1))
    let request = LabelRequest(
      tiles: [
        LabelTile(
          tile, world: -1, labels: LabelScene.labels([LabelScene.point("East", 0.9, 0.5)]))
      ],
      view: Viewport(center: GeoPoint(lat: 40, lon: -179), zoom: 2, width: 400, height: 400))
    var placement = LabelPlacer(type: try LabelScene.type()).place(request, after: nil)
    let x = try #require(placement.labels.first).x
    #expect(x > 100 && x < 200)
    // The centre crosses the line, and the label moves by as much as the map.
    placement.turn(
      to: Viewport(center: GeoPoint(lat: 40, lon: 179), zoom: 2, width: 400, height: 400))
    let moved = try #require(placement.labels.first).x
    #expect(abs(moved - x - 6) <= 1)
  }

  @Test func aPlaceIsNamedOnce() throws {
    let place = LabelScene.look { $0.isPlace = true }
    func count(
      _ second: String, _ x: Float, layer: Int = 0, icon: String? = nil, zoom: Double = 15,
      look: LabelLook
    ) throws -> Int {
      let icons = LabelIcons(icons: [LabelScene.icon("dot")], problems: [])
      let placer = LabelPlacer(type: try LabelScene.type(), icons: icons)
      let candidates = [
        LabelScene.point("Hombruch", 0.3, 0.5, look),
        LabelScene.point(second, x, 0.55, layer: layer, icon: icon, look),
      ]
      return placer.place(
        LabelScene.request(candidates, LabelScene.view(zoom: zoom)), after: nil
      ).labels.count
    }
    // As a suburb and as a quarter, from one layer or two, in capitals or not.
    #expect(try count("Hombruch", 0.7, look: place) == 1)
    #expect(try count("HOMBRUCH", 0.7, layer: 1, look: place) == 1)
    #expect(try count("Hombruch", 0.7, look: LabelScene.look()) == 2)
    #expect(try count("Barop", 0.7, look: place) == 2)
    // A city's dot is not the country of the same name.
    #expect(try count("Hombruch", 0.7, icon: "dot", look: place) == 2)
  }

  @Test func twoPlacesOfOneNameAreTwo() throws {
    let look = LabelScene.look { $0.isPlace = true }
    let far = try #require(TileID(z: 14, x: LabelScene.tile.x + 4, y: LabelScene.tile.y))
    // Six kilometres from each other, where 64 points are less.
    let tiles = [LabelScene.tile, far].map {
      LabelTile($0, labels: LabelScene.labels([LabelScene.point("Neudorf", 0.5, 0.5, look)]))
    }
    let view = LabelScene.view(zoom: 14, width: 3000)
    let placer = LabelPlacer(type: try LabelScene.type())
    #expect(placer.place(LabelRequest(tiles: tiles, view: view), after: nil).labels.count == 2)
  }

  @Test func offsetsOfVariableAnchorsLeadToTheRightAndDown() throws {
    /// Where the middle of the text stands, in ems from the anchor.
    func middle(_ anchor: LabelAnchor, _ offset: LabelOffset) throws -> (x: Float, y: Float) {
      let type = try LabelScene.type()
      var settings = LabelSettings()
      settings.textSize = 10
      settings.textVariableAnchors = [anchor]
      settings.textVariableOffsets = [offset]
      let layout = LabelLayout(settings, scale: 1, mapAngle: 0)
      let block = type.block(FormattedText("Town"), settings)
      let box = layout.textBox(block, anchor, choice: 0)
      return ((box.left + box.right) / 20, (box.top + box.bottom) / 20)
    }
    for anchor in LabelAnchor.allCases {
      let (from, to) = (
        try middle(anchor, .zero), try middle(anchor, LabelOffset(2, -3))
      )
      #expect(abs(to.x - from.x - 2) < 0.001, "\(anchor)")
      #expect(abs(to.y - from.y + 3) < 0.001, "\(anchor)")
    }
  }

  @Test func equalWordsAreNoNearerThanTheirLayersAsk() throws {
    func look(_ distance: Float, _ change: (inout LabelSettings) -> Void = { _ in }) -> LabelLook {
      LabelScene.look {
        $0.repeatDistance = distance
        change(&$0)
      }
    }
    // The tile takes 256 points: 0.5 are 128.
    func pair(_ distance: Float, _ other: Float, _ text: String = "Swan River") throws -> Int {
      try place([
        LabelScene.point("Swan River", 0.25, 0.4, layer: 2, look(distance)),
        LabelScene.point(text, 0.75, 0.4, layer: 1, look(other)),
      ]).labels.count
    }
    #expect(try pair(120, 120) == 2)
    #expect(try pair(140, 140) == 1)
    // One that asks for nothing is as in MapLibre, whatever others ask for.
    #expect(try pair(140, 0) == 2)
    #expect(try pair(140, 140, "Swan Lake") == 2)
    // In pixels it is twice as far on a display of two pixels a point.
    let placer = LabelPlacer(type: try LabelScene.type())
    for (distance, count) in [(Float(120), 2), (140, 1)] {
      let placement = placer.place(
        LabelScene.request(
          [
            LabelScene.point("A", 0.25, 0.4, look(distance)),
            LabelScene.point("A", 0.75, 0.4, look(distance)),
          ], LabelScene.view(width: 1024, height: 1024, scale: 2)), after: nil)
      #expect(placement.labels.count == count)
    }
    // The number of one kind of road is not that of another.
    let shields = LabelIcons(
      icons: [LabelScene.icon("motorway"), LabelScene.icon("road")], problems: [])
    let shield = look(140) { $0.iconTextFit = .both }
    for (icon, count) in [("motorway", 1), ("road", 2)] {
      let placer = LabelPlacer(type: try LabelScene.type(), icons: shields)
      let placement = placer.place(
        LabelScene.request([
          LabelScene.point("2", 0.25, 0.4, icon: "motorway", shield),
          LabelScene.point("2", 0.75, 0.4, icon: icon, shield),
        ]), after: nil)
      #expect(placement.labels.count == count)
    }
  }
}
