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

  /// The names of a road through the tile, which is 512 pixels wide, in a view of `width` pixels
  /// whose left edge is `west` pixels from the tile's.
  private func roadNames(
    spacing: Float, west: Int, width: Int, keepsWhole: Bool,
    _ change: @escaping (inout LabelSettings) -> Void = { _ in }
  ) throws -> [(x: Int, left: Float, right: Float)] {
    let road = LabelCandidate(
      layer: 0, text: FormattedText("Road"),
      look: LabelScene.look {
        ($0.placement, $0.spacing) = (.line, spacing)
        change(&$0)
      }, points: [TilePoint(0.1, 0.5), TilePoint(1, 0.5)])
    let middle = TilePoint(Float(west + width / 2) / 512, 0.5)
    var request = LabelScene.request(
      [road], LabelScene.view(zoom: 15, width: width, height: 200, at: middle))
    request.keepsWhole = keepsWhole
    let labels = LabelPlacer(type: try LabelScene.type()).place(request, after: nil).labels
    return labels.map { label in
      let boxes = label.boxes.map { $0.moved(Float(label.x), Float(label.y)) }
      return (label.x, boxes.map(\.left).min() ?? 0, boxes.map(\.right).max() ?? 0)
    }.sorted { $0.x < $1.x }
  }

  @Test(arguments: [LabelPlace.line, .lineCenter])
  func aStillPictureMovesALinesOnlyNameInside(_ place: LabelPlace) throws {
    func names(_ west: Int, _ width: Int, keepsWhole: Bool) throws -> [(
      x: Int, left: Float, right: Float
    )] {
      try roadNames(spacing: 4000, west: west, width: width, keepsWhole: keepsWhole) {
        $0.placement = place
      }
    }
    let anchor = try #require(try names(0, 512, keepsWhole: false).first).x
    // The name stands across the left edge; then, if the road is long enough, across the right one.
    for west in place == .line ? [anchor] : [anchor, anchor - 200] {
      let cut = try #require(try names(west, 200, keepsWhole: false).first)
      #expect(cut.left < 0 || cut.right > 200)
      let whole = try names(west, 200, keepsWhole: true)
      #expect(whole.count == 1)
      let name = try #require(whole.first)
      #expect(name.left >= 0 && name.right <= 200)
      // No farther than it has to be.
      #expect(name.left < 24 || name.right > 176)
    }
    // One that lies outside stays there.
    #expect(try names(anchor + 100, 200, keepsWhole: true).isEmpty)
  }

  @Test func aLineWithAWholeNameInAStillPictureGetsNoOther() throws {
    let all = try roadNames(spacing: 150, west: 0, width: 512, keepsWhole: false)
    let first = try #require(all.first).x
    // The first one stands across the left edge.
    let names = try roadNames(spacing: 150, west: first, width: 400, keepsWhole: true)
    #expect(names.count == all.count - 1)
    for (name, same) in zip(names, all.dropFirst()) { #expect(abs(name.x + first - same.x) <= 1) }
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
