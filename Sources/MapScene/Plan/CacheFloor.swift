import Glibc
import MapGeometry

/// The smallest cache that can hold one layer of a view completely.
public enum CacheFloor {
  /// The most cells that a view can touch at any bearing and zoom, with cells drawn at no less than
  /// 1/√2 of their size.
  ///
  /// Counts them row by row of cells for bearings in steps of 3°, with the view placed to touch one
  /// extra row and column, and takes the largest count.
  ///
  /// - Parameters:
  ///   - width: The view's width in pixels.
  ///   - height: The view's height in pixels.
  ///   - edge: A cell's edge in pixels.
  /// - Returns: The number of cells.
  public static func cells(width: Int, height: Int, edge: Int) -> Int {
    let e = Double(edge) * 0.5.squareRoot()
    var most = 0
    for degrees in stride(from: 0, to: 90, by: 3) {
      let b = Double(degrees) * .pi / 180
      let (c, s) = (cos(b), sin(b))
      let (w, h) = (Double(width), Double(height))
      let tall = w * s + h * c
      // For each row of cells, how wide the turned view is there.
      let rows = Int((tall / e).rounded(.up)) + 1
      var count = 0
      for row in 0..<rows {
        let y0 = (Double(row) - 0.5) * e
        count += Int((widest(w, h, c, s, y0, y0 + e) / e).rounded(.up)) + 1
      }
      most = max(most, count)
    }
    return most
  }

  /// The greatest width of a rectangle w x h, turned by an angle with cosine `c` and sine `s`,
  /// between y0 and y1 below the top of its bounding box.
  private static func widest(
    _ w: Double, _ h: Double, _ c: Double, _ s: Double, _ y0: Double, _ y1: Double
  ) -> Double {
    // Corners: top (h·s, 0), right (h·s + w·c, w·s), bottom (w·c, w·s + h·c), left (0, h·c).
    let (top, right, bottom, left) = (
      (h * s, 0.0), (h * s + w * c, w * s), (w * c, w * s + h * c), (0.0, h * c)
    )
    func x(_ a: (Double, Double), _ b: (Double, Double), _ y: Double) -> Double {
      b.1 == a.1 ? b.0 : a.0 + (b.0 - a.0) * min(max((y - a.1) / (b.1 - a.1), 0), 1)
    }
    func leftEdge(_ y: Double) -> Double { y < left.1 ? x(top, left, y) : x(left, bottom, y) }
    func rightEdge(_ y: Double) -> Double { y < right.1 ? x(top, right, y) : x(right, bottom, y) }
    let (a, b) = (max(y0, 0), min(y1, bottom.1))
    if a >= b { return 0 }
    var least = min(leftEdge(a), leftEdge(b))
    var most = max(rightEdge(a), rightEdge(b))
    if left.1 > a, left.1 < b { least = 0 }
    if right.1 > a, right.1 < b { most = right.0 }
    return most - least
  }

  /// The smallest cache that holds every tile of one layer of a view.
  ///
  /// - Parameters:
  ///   - width: The view's width in pixels.
  ///   - height: The view's height in pixels.
  ///   - edge: A tile's edge in pixels.
  ///   - bytesPerPixel: 4, or 2 for opaque rgb565 tiles.
  ///   - inFlight: Bytes of tiles being decoded at the same time.
  /// - Returns: The size in bytes.
  public static func bytes(
    width: Int, height: Int, edge: Int, bytesPerPixel: Int, inFlight: Int
  ) -> Int {
    cells(width: width, height: height, edge: edge) * edge * edge * bytesPerPixel + inFlight
  }
}
