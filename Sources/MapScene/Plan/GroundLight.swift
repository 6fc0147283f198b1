import MapGeometry
import TileLoading

/// How light the map is, for words over it.
extension Scene {
  /// The points of a cell that are looked at, in each direction.
  private static let samples = 4

  /// The mean lightness of the base map in view, from a few pixels of each of its tiles, without
  /// reading the display's memory.
  ///
  /// - Returns: 0 (black) ... 255 (white), in the display's own scale; nil: no tile is there.
  public func groundLight() -> Int? {
    guard let layer = plan.layers.first, layer.isBase, layer.firstCell == 0 else { return nil }
    var (sum, count) = (0, 0)
    for row in plan.rows {
      for column in plan.columns {
        let cell = plan.cells[plan.index(layer: 0, column: column, row: row)]
        guard cell.visible, cell.pieceCount > 0 else { continue }
        let piece = plan.pieces[Int(cell.firstPiece + cell.pieceCount - 1)]
        guard piece.key.tile != nil, cache.holds(piece.slot, serial: piece.serial) else { continue }
        add(piece, to: &sum, &count)
      }
    }
    return count == 0 ? nil : sum / count
  }

  /// The mean lightness of what is drawn below labels in a part of the view, from a few pixels of
  /// the tiles.
  ///
  /// - Parameters:
  ///   - rect: The part, in view pixels.
  ///   - void: The lightness where there is no tile, and below tiles with transparency; nil: such
  ///     places are ignored.
  /// - Returns: 0 (black) ... 255 (white), in the display's own scale; nil: nothing is known.
  public func groundLight(in rect: PixelRect, void: Int? = nil) -> Int? {
    let across = min(max(rect.width / 10, 3), 12)
    let down = min(max(rect.height / 8, 2), 4)
    var (sum, count) = (0.0, 0)
    for j in 0..<down {
      let y = Double(rect.y) + Double(rect.height) * (Double(j) + 0.5) / Double(down)
      for i in 0..<across {
        let x = Double(rect.x) + Double(rect.width) * (Double(i) + 0.5) / Double(across)
        guard let light = light(x, y, void) else { continue }
        sum += light
        count += 1
      }
    }
    return count == 0 ? nil : Int((sum / Double(count)).rounded())
  }

  /// The lightness of the layers below labels at a place in the view, over `void`; nil: neither is
  /// known.
  private func light(_ x: Double, _ y: Double, _ void: Int?) -> Double? {
    let void = void.map { Double($0) }
    let t = plan.transform
    let at = t.grid(x, y)
    let edge = Double(t.cell)
    guard at.x.magnitude < 1e12, at.y.magnitude < 1e12 else { return void }
    let (column, row) = (
      Int((at.x / edge).rounded(.down)), Int((at.y / edge).rounded(.down))
    )
    guard plan.columns.contains(column), plan.rows.contains(row) else { return void }
    let (left, top) = (
      Int(at.x.rounded(.down)) - column * t.cell, Int(at.y.rounded(.down)) - row * t.cell
    )
    var light = void
    for n in plan.layers.indices where !plan.layers[n].isAboveLabels {
      let cell = plan.cells[plan.index(layer: n, column: column, row: row)]
      let first = Int(cell.firstPiece)
      for piece in plan.pieces[first..<first + Int(cell.pieceCount)] {
        guard left >= Int(piece.x), left < Int(piece.x) + Int(piece.width), top >= Int(piece.y),
          top < Int(piece.y) + Int(piece.height),
          cache.holds(piece.slot, serial: piece.serial)
        else { continue }
        let entry = cache.entry(piece.slot)
        let shown = Scene.shownEdge(of: piece, Int(entry.edge))
        guard entry.edge > 0, shown > 0 else { continue }
        func pixel(_ position: Int, _ origin: Int) -> Int {
          min(max((position - origin) * Int(entry.edge) / shown, 0), Int(entry.edge) - 1)
        }
        let index = pixel(top, piece.originY) * Int(entry.edge) + pixel(left, piece.originX)
        let opacity = plan.layers[n].isBase ? 1 : plan.layers[n].opacity
        let (own, alpha) = Scene.blended(entry, index)
        let cover = alpha * opacity
        if let below = light {
          light = own * opacity + below * (1 - cover)
        } else if cover > 0 {
          // The layers below are unknown, so the translucent pixel alone counts.
          light = own / alpha
        }
      }
    }
    return light
  }

  /// How many grid pixels a tile covers on a side.
  private static func shownEdge(of piece: FramePlan.Piece, _ edge: Int) -> Int {
    piece.scaling?.width ?? (piece.shift < 0 ? edge >> -piece.shift : edge << piece.shift)
  }

  /// The lightness of a pixel, multiplied by its alpha, and that alpha, 0 ... 1.
  private static func blended(_ entry: TileCache.Entry, _ index: Int) -> (Double, Double) {
    guard entry.format == .argb8888 else { return (Double(light(entry, index) ?? 0), 1) }
    let word = entry.pixels.load(fromByteOffset: index * 4, as: UInt32.self)
    let (r, g, b) = (Int(word >> 16 & 255), Int(word >> 8 & 255), Int(word & 255))
    return (Double((r * 54 + g * 183 + b * 19) >> 8), Double(word >> 24) / 255)
  }

  private func add(_ piece: FramePlan.Piece, to sum: inout Int, _ count: inout Int) {
    let entry = cache.entry(piece.slot)
    let edge = Int(entry.edge)
    let shown = Scene.shownEdge(of: piece, edge)
    guard edge > 0, shown > 0 else { return }
    for j in 0..<Scene.samples {
      for i in 0..<Scene.samples {
        func pixel(_ from: Int32, _ length: Int32, _ n: Int, _ origin: Int) -> Int {
          let at = Int(from) + Int(length) * (2 * n + 1) / (2 * Scene.samples)
          return min(max((at - origin) * edge / shown, 0), edge - 1)
        }
        let x = pixel(piece.x, piece.width, i, piece.originX)
        let y = pixel(piece.y, piece.height, j, piece.originY)
        guard let light = Scene.light(entry, y * edge + x) else { continue }
        sum += light
        count += 1
      }
    }
  }

  /// The lightness of a pixel; nil: it is transparent.
  private static func light(_ entry: TileCache.Entry, _ index: Int) -> Int? {
    let (r, g, b): (Int, Int, Int)
    if entry.format == .rgb565 {
      let word = Int(entry.pixels.load(fromByteOffset: index * 2, as: UInt16.self))
      (r, g, b) = ((word >> 11) << 3, (word >> 5 & 63) << 2, (word & 31) << 3)
    } else {
      let word = entry.pixels.load(fromByteOffset: index * 4, as: UInt32.self)
      if entry.format == .argb8888, word >> 24 < 128 { return nil }
      (r, g, b) = (Int(word >> 16 & 255), Int(word >> 8 & 255), Int(word & 255))
    }
    return (r * 54 + g * 183 + b * 19) >> 8
  }
}
