import CBench
import MapScene

/// A planned frame as pixman draws it: either tile by tile, as a program with only pixman and tiles
/// would do it, or from one picture that was composed before.
///
/// Tile by tile, each tile has a border of its neighbours' pixels, so that no seam shows. A turned
/// frame is drawn only from one picture, because tiles would have to be clipped.
final class PixmanFrame {
  /// The frame, 1920 x 1080 32-bit pixels.
  let memory: UnsafeMutablePointer<UInt32>
  private let mosaic: [UInt32]
  private let width: Int
  private let height: Int
  /// The transformation from the screen to the mosaic.
  private let matrix: [Double]
  private let edge: Int
  /// The box of each tile on the screen, and its position in the mosaic.
  private var tiles: [(x: Int, y: Int, width: Int, height: Int, left: Int, top: Int)] = []

  init(_ bench: FrameBench) {
    memory = .allocate(capacity: 1920 * 1080)
    memory.initialize(repeating: 0, count: 1920 * 1080)
    let plan = bench.scene.plan
    let t = plan.transform
    let shift = plan.pieces.map { Int($0.shift) }.max() ?? 0
    let cell = t.cell >> max(0, shift)
    let (columns, rows) = (plan.columns, plan.rows)
    // A border of one pixel, so that tiles at the edge have neighbours too.
    width = columns.count * cell + 2
    height = rows.count * cell + 2
    edge = cell
    var pixels = [UInt32](repeating: 0xFF80_8080, count: width * height)
    for row in rows {
      for column in columns {
        let found = plan.cells[plan.index(layer: 0, column: column, row: row)]
        guard found.pieceCount > 0 else { continue }
        let piece = plan.pieces[Int(found.firstPiece)]
        let tile = bench.cache.entry(piece.slot)
        guard Int(piece.shift) == shift, tile.format != .rgb565 else { continue }
        let source = tile.pixels.assumingMemoryBound(to: UInt32.self)
        let (left, top) = (-piece.originX >> shift, -piece.originY >> shift)
        let (x0, y0) = (
          (column - columns.lowerBound) * cell + 1, (row - rows.lowerBound) * cell + 1
        )
        for y in 0..<cell {
          for x in 0..<cell {
            pixels[(y0 + y) * width + x0 + x] = source[(top + y) * Int(tile.edge) + left + x]
          }
        }
        guard t.bearing == 0 else { continue }
        // The pixels whose centres are in the cell.
        func first(_ place: Int, _ origin: Double, _ size: Int) -> Int {
          min(size, max(0, Int(((Double(place) - origin) / t.stepX - 0.5).rounded(.up))))
        }
        let (left0, right0) = (
          first(column * t.cell, t.originX, 1920), first((column + 1) * t.cell, t.originX, 1920)
        )
        let (top0, bottom0) = (
          first(row * t.cell, t.originY, 1080), first((row + 1) * t.cell, t.originY, 1080)
        )
        if left0 < right0, top0 < bottom0 {
          tiles.append((left0, top0, right0 - left0, bottom0 - top0, x0, y0))
        }
      }
    }
    mosaic = pixels
    let shrink = Double(1 << max(0, shift))
    matrix = [
      t.stepX / shrink, -t.stepY / shrink,
      t.originX / shrink - Double(columns.lowerBound * cell) + 1, t.stepY / shrink,
      t.stepX / shrink, t.originY / shrink - Double(rows.lowerBound * cell) + 1,
    ]
  }

  deinit { memory.deallocate() }

  func drawAtOnce() {
    _ = bench_pixman_draw(
      mosaic, Int32(width), Int32(height), Int32(width * 4), matrix, memory, 0, 0, 1920, 1080,
      1920 * 4)
  }

  func drawTiles() {
    mosaic.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      for tile in tiles {
        // The tile with its border of one pixel.
        let source = base + (tile.top - 1) * width + tile.left - 1
        let own = [
          matrix[0], matrix[1], matrix[2] - Double(tile.left - 1), matrix[3], matrix[4],
          matrix[5] - Double(tile.top - 1),
        ]
        _ = bench_pixman_draw(
          source, Int32(edge + 2), Int32(edge + 2), Int32(width * 4), own, memory, Int32(tile.x),
          Int32(tile.y), Int32(tile.width), Int32(tile.height), 1920 * 4)
      }
    }
  }
}
