import Features
import MapGeometry
import Platform

/// What a tile shows of a line that has a name.
public struct NamedLine: Sendable {
  /// A point in fractions of the tile's edge from its upper left corner.
  public struct Point: Sendable, Equatable {
    /// From the left edge.
    public var x: Float
    /// From the upper edge.
    public var y: Float
  }

  /// The line's index in `FeatureSet.features`.
  public var feature: Int
  /// The name, one line.
  public var text: String
  /// The line's colour, 0xFFRRGGBB; nil: it has several.
  public var color: UInt32?
  /// How far to each side it is drawn, in points.
  public var reach: Double
  /// The length of its longest part in widths of the world.
  public var length: Double
  /// The middle of its longest part; nil: it is not on the tile.
  public var middle: Point?
  /// The stretches on the tile and a little beyond.
  public var stretches: [[Point]]
}

extension FeatureDrawing {
  /// The most points of all named lines on a tile. Further ones are left out.
  static let mostNamedPoints = 16_384
  /// Points nearer to the previous one than this are left out, so that names bend less. The unit is
  /// the edge of a tile of 512 points.
  private static let step: Float = 5 / 512

  /// Whether any feature of a set is a line with a name.
  static func hasNamedLines(_ set: FeatureSet) -> Bool {
    set.features.contains { isNamedLine($0, set) }
  }

  /// Whether a feature is a line with a name.
  func isNamedLine(_ number: Int) -> Bool {
    FeatureDrawing.isNamedLine(features.features[number], features)
  }

  /// Whether the feature is a line with a name. A feature that is also an area is not: its name
  /// stands in the area.
  private static func isNamedLine(_ feature: Feature, _ set: FeatureSet) -> Bool {
    guard feature.hasLabel else { return false }
    let parts = set.parts[feature.partRange]
    return parts.contains { $0.kind == .line } && !parts.contains { $0.kind == .ring }
  }

  /// The named lines that a tile shows, in their order.
  ///
  /// - Parameter tile: The tile.
  /// - Returns: The lines, of at most `mostNamedPoints` points; nil if the system has no memory for
  ///   them.
  public func namedLines(on tile: TileID) -> [NamedLine]? {
    guard hasNamedLines else { return [] }
    var lines: [NamedLine] = []
    var left = FeatureDrawing.mostNamedPoints
    var lacksMemory = false
    for world in -1...1 {
      guard let box = box(of: tile, world: world, reach: 0) else { continue }
      var found: [Int] = []
      index.visit(box, features.features) {
        if !isNamedLine(Int($0)) { return true }
        lacksMemory = !found.hasMemory()
        if !lacksMemory { found.append(Int($0)) }
        return !lacksMemory
      }
      found.sort()
      for number in found {
        guard left > 0 else { return lines }
        let frame = Frame(tile, world: world)
        guard !lacksMemory, lines.hasMemory(),
          let stretches = stretches(number, in: box, frame, &left)
        else { return nil }
        guard !stretches.isEmpty, let text = features.label(of: features.features[number]) else {
          continue
        }
        let middle = frame.point(labelPlaces.places[number])
        let isHere = middle.x >= 0 && middle.x < 1 && middle.y >= 0 && middle.y < 1
        lines.append(
          NamedLine(
            feature: number, text: text, color: nameColor(of: number),
            reach: style(of: number).lineReach, length: Double(labelPlaces.extents[number]),
            middle: isHere ? middle : nil, stretches: stretches))
      }
    }
    return lines
  }

  /// From positions to fractions of a tile, for a copy of the world.
  private struct Frame {
    let side, column, row, world: Double

    init(_ tile: TileID, world: Int) {
      side = Double(1 << tile.z)
      (column, row, self.world) = (Double(tile.x), Double(tile.y), Double(world))
    }

    func point(_ point: FeaturePoint) -> NamedLine.Point {
      NamedLine.Point(
        x: Float((point.unitX + world) * side - column), y: Float(point.unitY * side - row))
    }
  }

  /// Nil if the system has no memory for them.
  private func stretches(
    _ number: Int, in box: FeatureBox, _ frame: Frame, _ left: inout Int
  ) -> [[NamedLine.Point]]? {
    var all: [[NamedLine.Point]] = []
    let feature = features.features[number]
    for part in feature.partRange where features.parts[part].kind == .line {
      var stretch: [NamedLine.Point] = []
      var last: NamedLine.Point?
      func end() {
        // The last point is kept, however near.
        if let last, stretch.last != last { stretch.append(last) }
        if stretch.count > 1 { all.append(stretch) }
        (stretch, last) = ([], nil)
      }
      let range = features.pointRange(part)
      for (block, points) in FeatureIndex.stretches(of: range) where left > 0 {
        guard index.blocks[block].overlaps(box) else {
          // The segment that leads to this block's first point belongs to the previous block.
          if !stretch.isEmpty { last = frame.point(features.points[points.lowerBound]) }
          end()
          continue
        }
        // One more for the end.
        guard stretch.hasMemory(forMore: points.count + 1), all.hasMemory() else { return nil }
        left -= points.count
        for i in points {
          let point = frame.point(features.points[i])
          last = point
          if let before = stretch.last,
            abs(before.x - point.x) < FeatureDrawing.step,
            abs(before.y - point.y) < FeatureDrawing.step
          {
            continue
          }
          stretch.append(point)
        }
      }
      end()
    }
    return all
  }
}
