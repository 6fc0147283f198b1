import MapGeometry
import MapStyle
import Testing

@testable import MapLabels

/// Which of several labels comes first, and which may stand beside each other.
@Suite struct OrderTests {
  private func place(
    _ candidates: [LabelCandidate], _ view: Viewport = LabelScene.view(), keepsWhole: Bool = false
  ) throws -> [String] {
    var request = LabelScene.request(candidates, view)
    request.keepsWhole = keepsWhole
    let placement = LabelPlacer(type: try LabelScene.type()).place(request, after: nil)
    return placement.labels.map(\.shape.text)
  }

  private func point(_ text: String, _ order: Int, key: Float = 0, sorted: Bool)
    -> LabelCandidate
  {
    var candidate = LabelScene.point(
      text, 0.5, 0.5, sortKey: key, LabelScene.look { $0.hasSortKey = sorted })
    candidate.order = order
    return candidate
  }

  @Test func withoutKeysTheFirstFeatureComesFirst() throws {
    #expect(try place([point("A", 0, sorted: false), point("B", 1, sorted: false)]) == ["A"])
  }

  @Test func ofEqualKeysTheLastFeatureComesFirst() throws {
    #expect(try place([point("A", 0, sorted: true), point("B", 1, sorted: true)]) == ["B"])
    #expect(
      try place([point("A", 0, key: -1, sorted: true), point("B", 1, sorted: true)]) == ["A"])
  }

  @Test func labelsOfOneTextAtOnePointStandAroundIt() throws {
    let sides: [LabelAnchor] = [.left, .right, .top, .bottom]
    let candidates = sides.map { side in
      LabelScene.point(
        "X", 0.5, 0.5,
        LabelScene.look {
          $0.textAnchor = side
          $0.textPadding = 0
          $0.textOverlap = .always
        })
    }
    #expect(try place(candidates) == ["X", "X", "X", "X"])
  }

  @Test func aStillPictureCutsNoLabelOff() throws {
    // The point is 5 pixels from the view's left edge.
    let view = LabelScene.view(at: TilePoint(0.99, 0.5))
    let label = [LabelScene.point("Across the edge", 0.01, 0.5)]
    #expect(try place(label, view) == ["Across the edge"])
    #expect(try place(label, view, keepsWhole: true).isEmpty)
    let inside = [LabelScene.point("Inside", 0.5, 0.5)]
    #expect(try place(inside, view, keepsWhole: true) == ["Inside"])
  }

  @Test func aStillPictureCutsNoNameAlongALineOff() throws {
    // The tile is 256 pixels wide, in the view's middle.
    let view = LabelScene.view(width: 150, height: 150)
    let look = LabelScene.look {
      $0.placement = .line
      $0.spacing = 1
    }
    let streets = (0..<12).map { number in
      let y = Float(number) / 12
      return LabelCandidate(
        layer: 0, text: FormattedText("Street \(number)"), look: look,
        points: [TilePoint(0, y), TilePoint(1, y + 0.06)])
    }
    func areWhole(keepsWhole: Bool) throws -> (count: Int, areWhole: Bool) {
      var request = LabelScene.request(streets, view)
      request.keepsWhole = keepsWhole
      let labels = LabelPlacer(type: try LabelScene.type()).place(request, after: nil).labels
      let boxes = labels.flatMap { label in
        label.boxes.map { $0.moved(Float(label.x), Float(label.y)) }
      }
      let areWhole = boxes.allSatisfy {
        $0.left >= -0.5 && $0.top >= -0.5 && $0.right <= 150.5 && $0.bottom <= 150.5
      }
      return (labels.count, areWhole)
    }
    #expect(try !areWhole(keepsWhole: false).areWhole)
    let kept = try areWhole(keepsWhole: true)
    #expect(kept.areWhole)
    #expect(kept.count > 2)
  }

  @Test func tilesStandInForOthersOfTheirOwnMapOnly() throws {
    let child = try #require(TileID(z: 15, x: LabelScene.tile.x * 2, y: LabelScene.tile.y * 2))
    func texts(_ group: Int) throws -> [String] {
      var request = LabelScene.request([LabelScene.point("Parent", 0.4, 0.4)])
      let labels = LabelScene.labels([LabelScene.point("Child", 0.2, 0.2)])
      request.tiles.append(LabelTile(child, labels: labels, group: group))
      let placement = LabelPlacer(type: try LabelScene.type()).place(request, after: nil)
      return placement.labels.map(\.shape.text).sorted()
    }
    #expect(try texts(0) == ["Child"])
    #expect(try texts(1) == ["Child", "Parent"])
  }
}
