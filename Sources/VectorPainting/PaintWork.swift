import Drawing
import VectorTiles

/// The buffers of one painting thread.
final class PaintWork {
  let geometry = VectorGeometry()
  var path = Path()

  /// Frees what a great tile left.
  func trim() {
    geometry.trim()
    if path.points.capacity > 1 << 16 { path = Path() }
  }
}
