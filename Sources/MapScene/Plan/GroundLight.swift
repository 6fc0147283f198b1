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

  private func add(_ piece: FramePlan.Piece, to sum: inout Int, _ count: inout Int) {
    let entry = cache.entry(piece.slot)
    let edge = Int(entry.edge)
    // How many grid pixels the tile covers on a side.
    let shown =
      piece.scaling?.width ?? (piece.shift < 0 ? edge >> -piece.shift : edge << piece.shift)
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
