import Glibc
import MapGeometry

/// The smallest cache with which a view can be completed.
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

  /// What a view asks of its cache.
  public struct Demand: Sendable, Equatable {
    /// The view in pixels.
    public var width, height: Int
    /// The largest tile's edge in pixels.
    public var edge: Int
    /// Bytes of an opaque tile's pixel: 4, or 2 for rgb565.
    public var opaqueBytes: Int
    /// How many sources of opaque tiles can lie on top of each other, and how many layers with
    /// transparency.
    public var layers, overlays: Int
    /// The most tiles in flight at once.
    public var jobs: Int

    /// A demand. Units and ranges are those of its properties.
    public init(
      width: Int, height: Int, edge: Int, opaqueBytes: Int, layers: Int, overlays: Int, jobs: Int
    ) {
      (self.width, self.height, self.edge) = (width, height, edge)
      (self.opaqueBytes, self.layers, self.overlays) = (opaqueBytes, layers, overlays)
      self.jobs = jobs
    }

    /// Bytes of the tiles in flight, which need room in addition to the view's.
    public var inFlightBytes: Int {
      jobs * edge * edge * (overlays == 0 ? opaqueBytes : 4)
    }

    /// The smallest sufficient cache, in bytes: the larger of what one layer of the view can need
    /// and what all layers of one block of the screen can need, because a block is drawn at once;
    /// plus the tiles in flight.
    public var floor: Int {
      let block = Scene.blockEdge
      let one = bytes(width, height, opaqueBytes)
      let all = layers * bytes(block, block, opaqueBytes) + overlays * bytes(block, block, 4)
      return max(one, all) + inFlightBytes
    }

    private func bytes(_ width: Int, _ height: Int, _ pixelBytes: Int) -> Int {
      CacheFloor.cells(width: width, height: height, edge: edge) * edge * edge * pixelBytes
    }
  }
}
