import MapGeometry
import MapStyle
import TestSupport
import Testing

@testable import MapLabels

#if canImport(Glibc)
  import Glibc
#endif

/// Whether the compiler optimised: without, thousands of labels take a second for each placement.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// The labels of a crowded base map while it turns: 8,000 points and 2,000 streets in view.
@Suite struct TurningTests {
  /// At zoom 15 a tile has 512 pixels. Whatever is within 480 of the middle of a view of 1920 x
  /// 1080 is in it at every bearing, and so is most of its label.
  private static let (edge, radius) = (512.0, 480.0)

  private static func view(_ bearing: Double) -> Viewport {
    LabelScene.view(zoom: 15, bearing: bearing, width: 1920, height: 1080)
  }

  /// The tiles around the middle, and how many labels begin in the disc around it.
  private func crowd(points: Int, streets: Int) -> (tiles: [LabelTile], count: Int) {
    var numbers = SeededNumbers(3)
    let plain = LabelScene.look { $0.textSize = 12 }
    let sides = LabelScene.look {
      $0.textSize = 13
      $0.textVariableAnchors = [.bottom, .top, .left, .right]
      $0.textRadialOffset = 0.5
    }
    let street = LabelScene.look {
      $0.placement = .line
      $0.textSize = 11
    }
    /// A place in the disc, in tiles from the middle one's corner.
    func place() -> (x: Double, y: Double) {
      while true {
        let (x, y) = (numbers.number(-1...1), numbers.number(-1...1))
        if x * x + y * y < 1 {
          return (0.5 + x * Self.radius / Self.edge, 0.5 + y * Self.radius / Self.edge)
        }
      }
    }
    var found: [TileID: [LabelCandidate]] = [:]
    var count = 0
    func add(_ name: String, _ line: [(x: Double, y: Double)], layer: Int, _ look: LabelLook) {
      let (column, row) = (line[0].x.rounded(.down), line[0].y.rounded(.down))
      let middle = LabelScene.tile
      guard let tile = TileID(z: middle.z, x: middle.x + Int(column), y: middle.y + Int(row)) else {
        return
      }
      let points = line.map { TilePoint(Float($0.x - column), Float($0.y - row)) }
      found[tile, default: []].append(
        LabelCandidate(
          layer: layer, sortKey: Float(count % 10), text: FormattedText(name), look: look,
          points: points))
      count += 1
    }
    // Fewer names than labels, so that few texts are measured.
    for n in 0..<points {
      let isTown = n % 20 == 0
      add("Name \(n % 790)", [place()], layer: isTown ? 3 : 1, isTown ? sides : plain)
    }
    for n in 0..<streets {
      let start = place()
      let angle = numbers.number(0...6.28)
      // 120 pixels towards any side, in one tile or out of it.
      let step = 12.0 / Self.edge
      let (right, down): (Double, Double) = (step * cos(angle), step * sin(angle))
      var line: [(x: Double, y: Double)] = []
      for k in 0...10 {
        let far = Double(k)
        line.append((x: start.x + far * right, y: start.y + far * down))
      }
      add("Street \(n % 200)", line, layer: 2, street)
    }
    let tiles = found.map { LabelTile($0.key, labels: LabelScene.labels($0.value)) }
    return (tiles.sorted { ($0.tile.y, $0.tile.x) < ($1.tile.y, $1.tile.x) }, count)
  }

  /// The pairs of labels of which one covers a part of the other, other than by rounding. Those
  /// that fade out may be under others.
  private func overlaps(_ placement: LabelPlacement) -> [String] {
    let present = placement.labels.filter { !$0.isLeaving }
    let labels = present.map { label in
      label.boxes.map { $0.moved(Float(label.x), Float(label.y)) }
    }
    let around = labels.map { boxes in boxes.dropFirst().reduce(boxes[0]) { $0.union($1) } }
    let order = around.indices.sorted { around[$0].left < around[$1].left }
    var found: [String] = []
    for (n, first) in order.enumerated() {
      for second in order[(n + 1)...] {
        if around[second].left >= around[first].right { break }
        guard around[first].overlaps(around[second]) else { continue }
        let meet = labels[first].contains { a in
          labels[second].contains { $0.grown(-1).overlaps(a) }
        }
        let (one, other) = (present[first], present[second])
        if meet { found.append("\(around[first]) \(one.id), \(around[second]) \(other.id)") }
      }
    }
    return found
  }

  @Test func whileAMapOfTenThousandLabelsTurnsNoneOverlapsAndNoneChangesItsSide() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let (tiles, count) = crowd(points: 8000, streets: 2000)
    #expect(count == 10_000)
    var placement = placer.place(
      LabelRequest(tiles: tiles, view: Self.view(0), margin: 60), after: nil)
    // Some of a name are too near to the same name to compete.
    #expect(placement.candidates >= 7000)
    var sides: [UInt64: UInt8] = [:]
    var overlapping: [String] = []
    var (shown, lines, changed, kept) = (0, 0, 0, 0)
    // All around where the compiler optimised.
    let steps = Emulation.rounds(isOptimised ? 120 : 8)
    for step in 1...steps {
      let view = Self.view(Double(step) * 3)
      placement.turn(to: view)
      placement = placer.place(LabelRequest(tiles: tiles, view: view, margin: 60), after: placement)
      overlapping += overlaps(placement)
      shown += placement.labels.count
      lines += placement.labels.count(where: \.turnsWithMap)
      for label in placement.labels where label.hasText && !label.turnsWithMap {
        // A label keeps its number while it stays.
        if let side = sides[label.id] {
          kept += 1
          if side != label.anchorChoice { changed += 1 }
        }
        sides[label.id] = label.anchorChoice
      }
    }
    #expect(overlapping.isEmpty, "\(overlapping)")
    #expect(changed == 0)
    #expect(shown > steps * 100 && lines > steps && kept > shown / 4)
  }

  @Test func aLabelThatHasNoRoomOnItsSideGoesWhileTheMapTurnsAndMovesAtRest() throws {
    let placer = LabelPlacer(type: try LabelScene.type())
    let look = LabelScene.look {
      $0.textVariableAnchors = [.left, .right]
      $0.textRadialOffset = 1
    }
    let town = [LabelScene.point("Town", 0.5, 0.5, look)]
    let plate = [PixelRect(x: 264, y: 240, width: 60, height: 40)]
    let first = placer.place(LabelScene.request(town), after: nil)
    #expect(first.labels.first?.anchorChoice == 0)
    let turned = LabelScene.view(bearing: 3)
    let gone = placer.place(LabelScene.request(town, turned, obstacles: plate), after: first)
    #expect(gone.labels.isEmpty && gone.hasLostSides && !first.hasLostSides)
    let rest = placer.place(LabelScene.request(town, turned, obstacles: plate), after: gone)
    #expect(rest.labels.first?.anchorChoice == 1 && !rest.hasLostSides)
  }
}
