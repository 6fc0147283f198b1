import MapGeometry
import MapStyle
import Testing

@testable import MapLabels

#if canImport(Glibc)
  import Glibc
#endif

/// The names of lines over the map: beside their lines, and across none.
@Suite struct LineNamingTests {
  /// Lines over the map that are where the tests say.
  private final class Lines: LabelLines {
    let hasSelected: Bool
    private let isThere: (LabelPatch) -> Bool

    init(isSelected: Bool = false, _ isThere: @escaping (LabelPatch) -> Bool) {
      (hasSelected, self.isThere) = (isSelected, isThere)
    }

    /// A line from top to bottom.
    static func column(_ x: Float, isSelected: Bool = false) -> Lines {
      Lines(isSelected: isSelected) {
        let reach = abs($0.cosine) * $0.halfWidth + abs($0.sine) * $0.halfHeight
        return abs($0.x - x) < reach + 3
      }
    }

    func cross(_ patch: LabelPatch) -> Bool { isThere(patch) }
    func selectedCrosses(_ patch: LabelPatch) -> Bool { hasSelected && isThere(patch) }
  }

  private func trail(_ points: [(Float, Float)], _ text: String = "Trail") -> LabelCandidate {
    LabelCandidate(
      layer: 9, text: FormattedText(text),
      look: LabelScene.look {
        $0.naming = .beside
        $0.placement = .line
        $0.repeatDistance = 1000
        $0.textMaxAngle = 20
        $0.textAnchor = .bottom
        $0.textOffset = LabelOffset(0, -0.25)
      }, points: points.map { TilePoint($0.0, $0.1) })
  }

  private func upright(_ text: String = "Trail") -> LabelCandidate {
    LabelScene.point(
      text, 0.5, 0.5, layer: 8,
      LabelScene.look {
        $0.naming = .upright
        $0.repeatDistance = 1000
        $0.textVariableAnchors = [.bottom, .top, .left, .right]
        $0.textRadialOffset = 0.5
      })
  }

  private func place(
    _ candidates: [LabelCandidate], clearOf lines: Lines? = nil, obstacles: [PixelRect] = [],
    after previous: LabelPlacement? = nil
  ) throws -> [PlacedLabel] {
    // A tile takes 512 points.
    var request = LabelScene.request(
      candidates, LabelScene.view(zoom: 15), obstacles: obstacles)
    request.lines = lines
    return LabelPlacer(type: try LabelScene.type()).place(request, after: previous).labels
  }

  private let straight: [(Float, Float)] = [(0.1, 0.5), (0.9, 0.5)]

  @Test func aNameStandsAboveItsLineOrElseBelowIt() throws {
    let above = try #require(place([trail(straight)]).first)
    #expect(above.boxes.allSatisfy { $0.bottom <= 0 })
    let strip = PixelRect(x: 0, y: 230, width: 512, height: 22)
    let below = try #require(place([trail(straight)], obstacles: [strip]).first)
    #expect(below.boxes.allSatisfy { $0.top >= 0 })
    let upright = below.shape.glyphs.allSatisfy { $0.cosine > 0.999 }
    #expect(upright)
    // A line that is drawn from the right has its name above it, too.
    let turned = try #require(place([trail(straight.reversed())]).first)
    #expect(turned.boxes.allSatisfy { $0.bottom <= 0 })
    #expect(turned.shape.glyphs.allSatisfy { $0.cosine > 0.999 })
  }

  @Test func aNameStandsWhereNoOtherLineRunsThroughIt() throws {
    let usual = try #require(place([trail(straight)]).first)
    #expect(abs(usual.x - 256) < 30)
    let clear = try #require(place([trail(straight)], clearOf: .column(Float(usual.x))).first)
    let boxes = clear.boxes.map { $0.moved(Float(clear.x - usual.x), 0) }
    #expect(boxes.allSatisfy { $0.left > 0 || $0.right < 0 })
    #expect(try place([trail(straight)], clearOf: Lines { _ in true }).isEmpty)
  }

  @Test func aNameStandsAlongALineThatTilesCut() throws {
    let right = try #require(TileID(z: 14, x: LabelScene.tile.x + 1, y: LabelScene.tile.y))
    // Neither part has room for the text, and in the middle it would stand upright.
    let left = LabelScene.labels([trail([(0.85, 0.5), (1, 0.5)], "A long promenade")])
    let rest = LabelScene.labels([
      trail([(0.15, 0.5), (0, 0.5)], "A long promenade"),
      LabelScene.point("A long promenade", 0, 0.5, layer: 8, upright().look),
    ])
    let view = LabelScene.view(zoom: 15, at: TilePoint(1, 0.5))
    let labels = LabelPlacer(type: try LabelScene.type()).place(
      LabelRequest(
        tiles: [LabelTile(LabelScene.tile, labels: left), LabelTile(right, labels: rest)],
        view: view), after: nil
    ).labels
    #expect(labels.map(\.turnsWithMap) == [true])
    #expect(labels.allSatisfy { abs($0.x - 256) < 60 })
  }

  @Test func anUprightNameStandsBesideItsLineOrNowhere() throws {
    let line = Lines { abs($0.y - 256) < $0.halfHeight + 3 }
    let label = try #require(place([upright()], clearOf: line).first)
    #expect(label.boxes.allSatisfy { $0.bottom < 1 || $0.top > -1 })
    let steep = try #require(place([upright()], clearOf: .column(256)).first)
    #expect(steep.boxes.allSatisfy { $0.left > 0 || $0.right < 0 })
    #expect(try place([upright()], clearOf: Lines { _ in true }).isEmpty)
  }

  @Test func aPlaceAlongTheLineComesBeforeAnUprightNameThatWasThere() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let view = LabelScene.view(zoom: 15)
    let before = placer.place(LabelScene.request([upright()], view), after: nil)
    #expect(before.labels.map(\.turnsWithMap) == [false])
    let after = placer.place(
      LabelScene.request([trail(straight), upright()], view), after: before)
    #expect(after.labels.map(\.turnsWithMap) == [true])
    // It stays along the line, on its side.
    let later = placer.place(
      LabelScene.request([trail(straight), upright()], view), after: after)
    #expect(later.labels.map(\.id) == after.labels.map(\.id))
  }

  @Test func lettersNeitherSpreadNorCrowdAtABend() throws {
    let em: Float = 12
    for turn in [Float(15), -15, 25, -25] {
      let angle = turn * .pi / 180
      let line = [
        (0.2, 0.5), (0.5, 0.5), (0.5 + 0.3 * cosf(angle), 0.5 + 0.3 * sinf(angle)),
      ]
      let label = try #require(
        place([trail(line, "HHHHHHHHHHHHHHHHHHHH")]).first, "\(turn) degrees")
      // The middles of the letters' left edges.
      let down = TextBlock.middleToBaseline * em
      let edges = label.shape.glyphs.map {
        LabelPath.Point(x: $0.x + $0.sine * down, y: $0.y - $0.cosine * down)
      }
      let steps = zip(edges, edges.dropFirst()).map { a, b in
        ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
      }
      let usual = try #require(steps.max())
      #expect(steps.allSatisfy { $0 > usual - 0.05 * em }, "\(turn) degrees")
      // Where two letters lean apart, their feet or their heads are this much further apart.
      for (a, b) in zip(label.shape.glyphs, label.shape.glyphs.dropFirst()) {
        let sine = abs(a.cosine * b.sine - a.sine * b.cosine)
        #expect(sine * TextBlock.middleToBaseline < 0.15, "\(turn) degrees")
      }
    }
  }

  @Test func aNameIsNotSetAroundACorner() throws {
    // Longer than either leg.
    let corner: [(Float, Float)] = [(0.2, 0.5), (0.5, 0.5), (0.5, 0.8)]
    #expect(try place([trail(corner, "HHHHHHHHHHHHHHHHHHHHHHHH")]).isEmpty)
    #expect(try place([trail(corner, "HHHHHH")]).count == 1)
  }

  @Test func namesOfTheMapKeepClearOfTheSelectedLineOnly() throws {
    let street = LabelCandidate(
      layer: 0, text: FormattedText("Street"),
      look: LabelScene.look {
        $0.placement = .lineCenter
      }, points: straight.map { TilePoint($0.0, $0.1) })
    let village = LabelScene.point("Village", 0.5, 0.3)
    let town = LabelScene.point(
      "Town", 0.5, 0.8,
      LabelScene.look {
        $0.textVariableAnchors = [.top, .left]
        $0.textRadialOffset = 1
      })
    let names = [street, village, town]
    #expect(try place(names, clearOf: .column(256)).count == 3)
    let left = try place(names, clearOf: .column(256, isSelected: true))
    #expect(left.map(\.shape.text) == ["Town"])
    #expect(left.allSatisfy { $0.boxes.allSatisfy { $0.left > 0 } })
  }
}
