import MapGeometry
import MapStyle
import Testing

@testable import MapLabels

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct LinePlacementTests {
  private func road(
    _ points: [(Float, Float)], _ text: String = "Road",
    _ change: (inout LabelSettings) -> Void = { _ in }
  ) -> LabelCandidate {
    LabelCandidate(
      layer: 0, text: FormattedText(text),
      look: LabelScene.look {
        $0.placement = .line
        change(&$0)
      }, points: points.map { TilePoint($0.0, $0.1) })
  }

  private func place(
    _ candidates: [LabelCandidate], _ view: Viewport = LabelScene.view(zoom: 15),
    after previous: LabelPlacement? = nil
  ) throws -> LabelPlacement {
    LabelPlacer(type: try LabelScene.type()).place(
      LabelScene.request(candidates, view), after: previous)
  }

  @Test func labelsStandAlongALineAtTheirSpacing() throws {
    let placement = try place([road([(0, 0.5), (1, 0.5)]) { $0.spacing = 150 }])
    let columns = placement.labels.map(\.x).sorted()
    // The line goes on beyond the tile's left edge: half the spacing comes first.
    #expect(columns.count == 3)
    #expect(abs(columns[0] - 75) <= 1)
    #expect(abs(columns[1] - columns[0] - 150) <= 1)
    let onLine = placement.labels.allSatisfy { abs($0.y - 256) <= 1 }
    #expect(onLine)
  }

  @Test func aLineThatBeginsInTheTileHasItsFirstLabelAtItsStart() throws {
    let placement = try place([road([(0.1, 0.5), (1, 0.5)]) { $0.spacing = 150 }])
    let first = try #require(placement.labels.map(\.x).min())
    let width = LabelPlacer(type: try LabelScene.type()).type
      .block(FormattedText("Road"), LabelScene.look().settings).width
    // Half the label and two ems.
    #expect(abs(Double(first) - 51.2 - Double(width) * 6 - 24) <= 1.5)
  }

  @Test func aLineCenterHasOneLabelInTheMiddle() throws {
    let placement = try place([
      road([(0, 0.5), (1, 0.5)]) {
        $0.placement = .lineCenter
        $0.spacing = 50
      }
    ])
    #expect(placement.labels.count == 1)
    #expect(abs((placement.labels.first?.x ?? 0) - 256) <= 1)
  }

  @Test func aLineThatBendsTooMuchHasNoLabel() throws {
    let corner: [(Float, Float)] = [(0.4, 0.5), (0.5, 0.5), (0.5, 0.6)]
    #expect(try place([road(corner, "Sharp corner")]).labels.isEmpty)
    let wide = try place([road(corner, "Sharp corner") { $0.textMaxAngle = 120 }])
    #expect(wide.labels.count == 1)
    #expect(try place([road([(0.5, 0.5), (0.52, 0.5)], "Too long")]).labels.isEmpty)
  }

  @Test func textOnALineIsNeverUpsideDown() throws {
    for degrees in stride(from: 0, to: 360, by: 15) {
      let angle = Float(degrees) * .pi / 180
      let (dx, dy) = (0.3 * cosf(angle), 0.3 * sinf(angle))
      let placement = try place([road([(0.5 - dx, 0.5 - dy), (0.5 + dx, 0.5 + dy)])])
      let label = try #require(placement.labels.first)
      let upright = label.shape.glyphs.allSatisfy { $0.cosine > -0.001 }
      #expect(upright, "\(degrees)")
    }
  }

  /// An arc around the tile's middle, from `start` to `end` degrees, clockwise from the right.
  private func arc(_ start: Int, _ end: Int, radius: Float) -> [(Float, Float)] {
    stride(from: start, through: end, by: start < end ? 10 : -10).map { degrees in
      let angle = Float(degrees) * .pi / 180
      return (0.5 + radius * cosf(angle), 0.5 + radius * sinf(angle))
    }
  }

  @Test func textAroundASquareIsReadInTheDirectionOfItsOwnStretch() throws {
    // A square's line may begin anywhere, and its names stand above, below and beside.
    for start in stride(from: 0, to: 360, by: 30) {
      for turn in [360, -360] {
        let square = road(arc(start, start + turn, radius: 0.2), "Square") { $0.spacing = 60 }
        let labels = try place([square]).labels
        #expect(!labels.isEmpty)
        for label in labels {
          let glyphs = label.shape.glyphs
          let reversed = glyphs.filter { $0.cosine < -0.3 }
          #expect(reversed.count * 4 <= glyphs.count, "\(start) \(turn)")
        }
      }
    }
  }

  @Test func textThatGoesAroundMoreThanHalfOfASquareIsLeftOut() throws {
    let text = "Around the square"
    func count(_ radius: Float, _ change: @escaping (inout LabelSettings) -> Void = { _ in }) throws
      -> Int
    {
      let square = road(arc(0, 340, radius: radius), text) {
        ($0.spacing, $0.textMaxAngle) = (4000, 360)
        change(&$0)
      }
      return try place([square]).labels.count
    }
    #expect(try count(0.045) == 0)
    #expect(try count(0.045) { $0.textKeepUpright = false } == 1)
    #expect(try count(0.3) == 1)
  }

  @Test func aTextThatIsTurnedToBeReadStillBeginsAtItsAnchor() throws {
    /// Where the first letter begins, right of the anchor.
    func start(_ points: [(Float, Float)], _ offset: Float = 0) throws -> Float {
      let placement = try place([
        road(points, "Long Road") {
          $0.placement = .lineCenter
          $0.textAnchor = .left
          $0.textOffset = LabelOffset(offset, 0)
        }
      ])
      let label = try #require(placement.labels.first)
      return try #require(label.shape.glyphs.first).x
    }
    let (east, west): ([(Float, Float)], [(Float, Float)]) = (
      [(0.1, 0.5), (0.9, 0.5)], [(0.9, 0.5), (0.1, 0.5)]
    )
    let starts = [try start(east), try start(west)]
    #expect(starts.allSatisfy { abs($0) < 1 })
    // An offset moves it in the direction of the line.
    let (right, left) = (try start(east, 2), try start(west, 2))
    #expect(abs(right - 24) < 1)
    #expect(abs(left + 24) < 1)
  }

  @Test func aFreeDirectionFollowsTheLine() throws {
    let placement = try place([road([(0.8, 0.5), (0.2, 0.5)]) { $0.textKeepUpright = false }])
    let label = try #require(placement.labels.first)
    let reversed = label.shape.glyphs.allSatisfy { $0.cosine < -0.999 }
    #expect(reversed)
  }

  @Test func partsOfALineInNeighbouringTilesAreOne() throws {
    let right = try #require(TileID(z: 14, x: LabelScene.tile.x + 1, y: LabelScene.tile.y))
    // Neither part has room for the text.
    let left = LabelScene.labels([road([(0.9, 0.5), (1, 0.5)], "A long street")])
    let rest = LabelScene.labels([road([(0, 0.5), (0.1, 0.5)], "A long street")])
    let view = LabelScene.view(zoom: 15, at: TilePoint(1, 0.5))
    let placer = LabelPlacer(type: try LabelScene.type())
    let alone = placer.place(
      LabelRequest(tiles: [LabelTile(LabelScene.tile, labels: left)], view: view), after: nil)
    #expect(alone.labels.isEmpty)
    let joined = placer.place(
      LabelRequest(
        tiles: [LabelTile(LabelScene.tile, labels: left), LabelTile(right, labels: rest)],
        view: view), after: nil)
    #expect(joined.labels.count == 1)
  }

  @Test func aLabelOnALineJoinedAcrossTilesStaysThere() throws {
    let right = try #require(TileID(z: 14, x: LabelScene.tile.x + 1, y: LabelScene.tile.y))
    let left = LabelScene.labels([road([(0.9, 0.5), (1, 0.5)], "A long street")])
    let rest = LabelScene.labels([road([(0, 0.5), (0.1, 0.5)], "A long street")])
    let request = LabelRequest(
      tiles: [LabelTile(LabelScene.tile, labels: left), LabelTile(right, labels: rest)],
      view: LabelScene.view(zoom: 15, at: TilePoint(1, 0.5)))
    let placer = LabelPlacer(type: try LabelScene.type())
    let first = placer.place(request, after: nil)
    let second = placer.place(request, after: first)
    #expect(first.labels.count == 1)
    #expect(second.labels.map(\.id) == first.labels.map(\.id))
  }

  @Test func aTextBesideItsLineKeepsTheRoomThatItFills() throws {
    let street = road([(0.2, 0.5), (0.8, 0.5)], "Footpath") {
      $0.textOffset = LabelOffset(0, -2)
      $0.spacing = 4000
    }
    // The line lies at 256; the text of 12 points lies 24 above it, around the line's middle.
    func stands(_ y: Float) throws -> Bool {
      let first = try place([street])
      let x = Float(try #require(first.labels.first).x) / 512
      let all = try place([street, LabelScene.point("Hut", x, y, layer: -1)])
      return all.labels.count == 2
    }
    #expect(try stands(0.5))
    #expect(try !stands(0.5 - 24 / 512))
  }

  @Test func lineLabelsTurnWithTheMapAndPointsStayUpright() throws {
    let candidates = [
      road([(0.3, 0.3), (0.7, 0.3)]), LabelScene.point("Upright", 0.5, 0.6),
    ]
    var placement = try place(candidates)
    let view = LabelScene.view(zoom: 15, bearing: 30)
    placement.turn(to: view)
    for label in placement.labels {
      let screen = view.screen(WebMercator.unproject(label.anchor))
      #expect(abs(Double(label.x) - screen.x) <= 1 && abs(Double(label.y) - screen.y) <= 1)
      let angle = label.turnsWithMap ? -Float.pi / 6 : 0
      #expect(abs(label.angle - angle) < 0.001)
    }
    #expect(placement.labels.filter(\.turnsWithMap).count == 1)
  }

  @Test func aLabelThatStandsAlongALineStaysWhereItIs() throws {
    let candidates = [road([(0, 0.5), (1, 0.52)]) { $0.spacing = 200 }]
    let first = try place(candidates)
    let view = LabelScene.view(zoom: 15, bearing: 20, at: TilePoint(0.6, 0.5))
    let second = try place(candidates, view, after: first)
    let before = Dictionary(uniqueKeysWithValues: first.labels.map { ($0.id, $0.anchor) })
    let kept = second.labels.filter { before[$0.id] != nil }
    #expect(kept.count == first.labels.count)
    for label in kept { #expect(before[label.id] == label.anchor) }
  }

  @Test func arrowsAlongAStreetGiveWayToItsName() throws {
    let placer = LabelPlacer(
      type: try LabelScene.type(),
      icons: LabelIcons(icons: [LabelScene.icon("arrow", 8)], problems: []))
    let points: [(Float, Float)] = [(0.2, 0.5), (0.8, 0.5)]
    let arrow = LabelCandidate(
      layer: 0, text: FormattedText(""), icon: "arrow",
      look: LabelScene.look {
        $0.placement = .line
        $0.spacing = 20
        $0.iconPadding = LabelInsets(0)
      }, points: points.map { TilePoint($0.0, $0.1) })
    var name = road(points, "Hawthorne Street") { $0.spacing = 4000 }
    name.layer = 1
    // For a while the name has no room, and arrows stand in its place.
    let view = LabelScene.view(zoom: 15)
    let alone = placer.place(LabelScene.request([arrow], view), after: nil)
    #expect(alone.labels.count > 5)
    let later = placer.place(LabelScene.request([arrow, name], view), after: alone)
    #expect(later.labels.filter { $0.shape.text == "Hawthorne Street" }.count == 1)
    // Those beside it stay where they are.
    let before = Set(alone.labels.map(\.id))
    let kept = later.labels.filter { before.contains($0.id) }
    #expect(!kept.isEmpty && kept.count == later.labels.count - 1)
  }

  @Test func lettersKeepApartWhereALineBends() throws {
    let bend = Float.pi / 3
    let end = (0.5 + 0.3 * cosf(bend), 0.5 + 0.3 * sinf(bend))
    for sign in [Float(1), -1] {
      let line: [(Float, Float)] = [(0.2, 0.5), (0.5, 0.5), (end.0, 0.5 + sign * (end.1 - 0.5))]
      let placement = try place([
        road(line, "HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH") { $0.textMaxAngle = 90 }
      ])
      let label = try #require(placement.labels.first)
      let glyphs = label.shape.glyphs
      func distance(_ a: LabelShape.Glyph, _ b: LabelShape.Glyph, _ up: Float) -> Float {
        let x = b.x + up * b.sine - a.x - up * a.sine
        let y = b.y - up * b.cosine - a.y + up * a.cosine
        return (x * x + y * y).squareRoot()
      }
      let usual = distance(glyphs[0], glyphs[1], 0)
      // Both at the foot and at the top of the letters, in ems of 12 points.
      for (a, b) in zip(glyphs, glyphs.dropFirst()) {
        #expect(distance(a, b, 0) > usual - 0.16 * 12)
        #expect(distance(a, b, 0.72 * 12) > usual - 0.16 * 12)
      }
    }
  }

  @Test func aTextRepeatsInNeighbouringTiles() throws {
    // Each tile has its own labels; of those in one tile, one too near another is left out.
    let left = LabelScene.labels([road([(0.7, 0.5), (1, 0.5)], "Row")])
    let right = LabelScene.labels([
      road([(0, 0.4), (0.3, 0.4)], "Row"), road([(0, 0.45), (0.3, 0.45)], "Row"),
    ])
    let next = try #require(TileID(z: 14, x: LabelScene.tile.x + 2, y: LabelScene.tile.y))
    let tiles = [LabelTile(LabelScene.tile, labels: left), LabelTile(next, labels: right)]
    let view = LabelScene.view(zoom: 15, width: 2048, at: TilePoint(1, 0.5))
    let placement = LabelPlacer(type: try LabelScene.type()).place(
      LabelRequest(tiles: tiles, view: view), after: nil)
    #expect(placement.labels.count == 2)
  }
}
