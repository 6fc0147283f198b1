import Features
import MapGeometry

/// A rectangle on the map, turned as the view is.
package struct MapPatch {
  /// The middle on the unit square; x lies beyond it where the world repeats.
  package var middle: WorldPoint
  /// The direction of its width: a vector of length 1.
  package var along: (x: Double, y: Double)
  /// Half its width and half its height on the unit square.
  package var halfWidth: Double
  package var halfHeight: Double

  package init(
    middle: WorldPoint, along: (x: Double, y: Double), halfWidth: Double, halfHeight: Double
  ) {
    (self.middle, self.along) = (middle, along)
    (self.halfWidth, self.halfHeight) = (halfWidth, halfHeight)
  }

  /// The patch widened by `margin`, in widths of the world, on all sides.
  func widened(by margin: Double) -> MapPatch {
    var wide = self
    wide.halfWidth += margin
    wide.halfHeight += margin
    return wide
  }

  /// The box around it in a copy of the world; nil: that copy has none of it.
  func box(world: Double) -> FeatureBox? {
    let reachX = abs(along.x) * halfWidth + abs(along.y) * halfHeight
    let reachY = abs(along.y) * halfWidth + abs(along.x) * halfHeight
    let x = middle.x + world
    guard x + reachX >= 0, x - reachX <= 1 else { return nil }
    let from = FeaturePoint(unitX: x - reachX, unitY: middle.y - reachY)
    let to = FeaturePoint(unitX: x + reachX, unitY: middle.y + reachY)
    return FeatureBox(minX: from.x, minY: from.y, maxX: to.x, maxY: to.y)
  }

  /// Whether the piece from `a` to `b` of a line in a copy of the world meets it: it does unless
  /// both ends are beyond one of its edges, or it is all on one side of the piece.
  fileprivate func meets(_ a: FeaturePoint, _ b: FeaturePoint, world: Double) -> Bool {
    let (p, q) = (own(a, world), own(b, world))
    if min(p.x, q.x) > halfWidth || max(p.x, q.x) < -halfWidth { return false }
    if min(p.y, q.y) > halfHeight || max(p.y, q.y) < -halfHeight { return false }
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    return abs(p.x * dy - p.y * dx) <= halfWidth * abs(dy) + halfHeight * abs(dx)
  }

  /// How much of the piece from `a` to `b` of a line in a copy of the world is in it, in widths of
  /// the world (Liang and Barsky, 1984).
  fileprivate func length(_ a: FeaturePoint, _ b: FeaturePoint, world: Double) -> Double {
    let (p, q) = (own(a, world), own(b, world))
    let (dx, dy) = (q.x - p.x, q.y - p.y)
    var (from, to) = (0.0, 1.0)
    func cut(_ step: Double, _ at: Double, _ half: Double) {
      if step == 0 {
        if abs(at) > half { to = 0 }
        return
      }
      let (one, other) = ((-half - at) / step, (half - at) / step)
      from = max(from, min(one, other))
      to = min(to, max(one, other))
    }
    cut(dx, p.x, halfWidth)
    cut(dy, p.y, halfHeight)
    return max(0, to - from) * (dx * dx + dy * dy).squareRoot()
  }

  /// Where a point of a copy of the world is from its middle, along its width and its height.
  private func own(_ point: FeaturePoint, _ world: Double) -> (x: Double, y: Double) {
    let (dx, dy) = (point.unitX - world - middle.x, point.unitY - middle.y)
    return (dx * along.x + dy * along.y, dy * along.x - dx * along.y)
  }
}

extension FeatureDrawing {
  /// Whether a line is drawn over a part of the map.
  ///
  /// - Parameters:
  ///   - patch: The part.
  ///   - point: The size of a point in widths of the world.
  ///   - budget: How many pieces of lines may be looked at; receives how many are left. Once it is
  ///     used up, no line is found.
  /// - Returns: Whether there is one, with its width and casing.
  package func hasLine(in patch: MapPatch, point: Double, budget: inout Int) -> Bool {
    var patch = patch
    patch.middle.x -= patch.middle.x.rounded(.down)
    let wide = patch.widened(by: reach * point)
    for world in [0.0, -1, 1] {
      guard let box = wide.box(world: world) else { continue }
      var isFound = false
      var left = budget
      index.visit(box, features.features) { number in
        left -= 1
        let wide = patch.widened(by: style(of: Int(number)).lineReach * point)
        isFound = hasLine(Int(number), in: wide, world, box, budget: &left)
        return !isFound && left > 0
      }
      budget = left
      if isFound { return true }
    }
    return false
  }

  /// Whether a selected line is drawn over a part of the map.
  ///
  /// - Parameters:
  ///   - line: The features that are the line.
  ///   - patch: The part.
  ///   - point: The size of a point in widths of the world.
  ///   - budget: How many pieces of the line may be looked at; receives how many are left. Once it
  ///     is used up, none is found.
  /// - Returns: Whether the line is there, with the ring around it.
  package func hasSelected(
    _ line: Range<Int>, in patch: MapPatch, point: Double, budget: inout Int
  ) -> Bool {
    var wide = patch.widened(by: HighlightSource.reach(of: line, self) * point)
    wide.middle.x -= wide.middle.x.rounded(.down)
    for world in [0.0, -1, 1] {
      guard let box = wide.box(world: world) else { continue }
      for number in line.clamped(to: features.features.indices) where budget > 0 {
        budget -= 1
        guard features.features[number].box.overlaps(box) else { continue }
        if hasLine(number, in: wide, world, box, budget: &budget) { return true }
      }
    }
    return false
  }

  /// How much of a line is in a part of the map.
  ///
  /// - Parameters:
  ///   - line: The features that are the line.
  ///   - patch: The part.
  ///   - budget: How many pieces of the line may be looked at; receives how many are left. The rest
  ///     does not count.
  /// - Returns: The length in widths of the world, as Web Mercator draws it.
  package func length(
    of line: Range<Int>, in patch: MapPatch, budget: inout Int
  ) -> Double {
    var patch = patch
    patch.middle.x -= patch.middle.x.rounded(.down)
    var length = 0.0
    for world in [0.0, -1, 1] {
      guard let box = patch.box(world: world) else { continue }
      for number in line.clamped(to: features.features.indices) where budget > 0 {
        budget -= 1
        let feature = features.features[number]
        // The stretches of a track in several colours lie over its casing, which is the whole line.
        guard feature.box.overlaps(box), features.styles[Int(feature.style)].lines != .ink else {
          continue
        }
        visitPieces(of: number, in: box, budget: &budget) {
          length += patch.length($0, $1, world: world)
          return true
        }
      }
    }
    return length
  }

  /// Whether a feature is seen in a part of the map: it has a line or a point there, or the box
  /// around its areas reaches into it.
  ///
  /// - Parameters:
  ///   - number: The feature.
  ///   - patch: The part.
  ///   - budget: How many pieces of lines may be looked at; receives how many are left. Once it is
  ///     used up, a line is seen where its box is.
  /// - Returns: Whether it is.
  package func isSeen(_ number: Int, in patch: MapPatch, budget: inout Int) -> Bool {
    var patch = patch
    patch.middle.x -= patch.middle.x.rounded(.down)
    let feature = features.features[number]
    for world in [0.0, -1, 1] {
      guard let box = patch.box(world: world), feature.box.overlaps(box) else { continue }
      switch features.parts[Int(feature.firstPart)].kind {
      case .ring, .circle: return true
      case .line:
        if hasLine(number, in: patch, world, box, budget: &budget) || budget <= 0 { return true }
      case .point:
        for part in feature.partRange where features.parts[part].kind == .point {
          let points = features.pointRange(part)
          if points.contains(where: {
            patch.meets(features.points[$0], features.points[$0], world: world)
          }) {
            return true
          }
        }
      }
    }
    return false
  }

  /// Whether a feature has a line in a part of a copy of the world.
  private func hasLine(
    _ number: Int, in wide: MapPatch, _ world: Double, _ box: FeatureBox, budget: inout Int
  ) -> Bool {
    var isFound = false
    visitPieces(of: number, in: box, budget: &budget) {
      isFound = wide.meets($0, $1, world: world)
      return !isFound
    }
    return isFound
  }

  /// Calls `body` with both ends of each straight piece of a feature's lines until it returns
  /// false. Blocks of points beyond `box` are passed over.
  ///
  /// - Parameters:
  ///   - number: The feature.
  ///   - box: The part of the map.
  ///   - budget: How many pieces and blocks may be looked at; receives how many are left. A block
  ///     that has begun is finished, so this may become less than 0.
  ///   - body: Called with the ends; inlined, as it runs for each piece.
  @inline(__always)
  func visitPieces(
    of number: Int, in box: FeatureBox, budget: inout Int,
    _ body: (FeaturePoint, FeaturePoint) -> Bool
  ) {
    for part in features.features[number].partRange where features.parts[part].kind == .line {
      let range = features.pointRange(part)
      for (block, points) in FeatureIndex.stretches(of: range) where budget > 0 {
        budget -= 1
        guard index.blocks[block].overlaps(box) else { continue }
        budget -= points.count
        for i in points {
          let next = min(i + 1, range.upperBound - 1)
          if !body(features.points[i], features.points[next]) { return }
        }
      }
    }
  }
}

/// The lines of an overlay, beside which the labels of points stand where there is room.
public struct OverlayLines: Equatable, Sendable {
  /// The overlay's features.
  public let features: FeatureDrawing
  /// The lowest zoom at which the overlay is shown.
  public let minZoom: Double

  /// Creates the lines of an overlay.
  ///
  /// - Parameters:
  ///   - features: The overlay's features.
  ///   - minZoom: The lowest zoom at which the overlay is shown.
  public init(_ features: FeatureDrawing, minZoom: Double) {
    self.features = features
    self.minZoom = minZoom
  }

  /// Whether they are the same lines of the same drawing.
  public static func == (one: OverlayLines, other: OverlayLines) -> Bool {
    one.features === other.features && one.minZoom == other.minZoom
  }
}

/// The line of an overlay that is selected, which labels keep clear of.
public struct SelectedLine: Equatable, Sendable {
  /// The overlay's features.
  public let drawing: FeatureDrawing
  /// Those that are the line.
  public let line: Range<Int>

  /// Creates a selected line.
  ///
  /// - Parameters:
  ///   - drawing: The overlay's features.
  ///   - line: Those that are the line.
  public init(_ drawing: FeatureDrawing, line: Range<Int>) {
    (self.drawing, self.line) = (drawing, line)
  }

  /// How far to each side a feature of the line is drawn, with the ring around it.
  ///
  /// - Parameters:
  ///   - feature: The feature.
  ///   - drawing: The overlay's features.
  /// - Returns: The reach in points; nil: the line does not have it.
  package func reach(of feature: Int, in drawing: FeatureDrawing) -> Double? {
    drawing === self.drawing && line.contains(feature)
      ? HighlightSource.reach(of: line, drawing) : nil
  }

  /// Whether they are the same features of the same drawing.
  public static func == (one: SelectedLine, other: SelectedLine) -> Bool {
    one.drawing === other.drawing && one.line == other.line
  }
}
