import MapGeometry

/// The track so far: a bounded number of positions, at least a spacing apart.
///
/// When it is full, the spacing doubles and the track is thinned. The whole track is kept, but ever
/// coarser. At the coarsest spacing the oldest part is dropped.
public struct Breadcrumbs: Sendable {
  /// The most positions, of 8 bytes each.
  public static let capacity = 4096
  /// The spacing in metres, at first and at most (4,096 positions are then 650 km or more).
  public static let spacings = (first: 5.0, most: 160.0)

  /// A position on the unit square in units of 2^-32 of its edge: 9 mm at the equator.
  private struct Crumb: Sendable {
    var x: UInt32
    var y: UInt32

    init(_ place: WorldPoint) {
      let size = 4_294_967_296.0
      x = UInt32(truncatingIfNeeded: Int64((place.x - place.x.rounded(.down)) * size))
      y = UInt32(min(max(place.y, 0) * size, size - 1))
    }

    var place: WorldPoint {
      WorldPoint(x: Double(x) / 4_294_967_296, y: Double(y) / 4_294_967_296)
    }
  }

  private var crumbs: [Crumb] = []
  private var spacing = Breadcrumbs.spacings.first
  /// Increases with every change other than adding a position at the end.
  public private(set) var rebuilds = 0

  /// Creates an empty track.
  public init() {}

  /// The number of positions.
  public var count: Int { crumbs.count }
  /// Whether there is no position.
  public var isEmpty: Bool { crumbs.isEmpty }
  /// The memory use of the track in bytes.
  public var bytes: Int { crumbs.capacity * MemoryLayout<Crumb>.stride }

  /// A position on the unit square, the oldest first.
  ///
  /// - Parameter index: 0 ..< `count`.
  public subscript(index: Int) -> WorldPoint { crumbs[index].place }

  /// Adds a position if it is far enough from the last one.
  ///
  /// - Parameter place: The position on the unit square.
  /// - Returns: Whether it was added.
  @discardableResult
  public mutating func add(_ place: WorldPoint) -> Bool {
    let new = Crumb(place)
    if let last = crumbs.last, metres(last, new) < spacing { return false }
    if crumbs.count >= Breadcrumbs.capacity { thin() }
    crumbs.append(new)
    return true
  }

  /// Removes all positions and starts again with the finest spacing.
  public mutating func removeAll() {
    crumbs = []
    spacing = Breadcrumbs.spacings.first
    rebuilds += 1
  }

  /// Frees at least an eighth of the capacity.
  private mutating func thin() {
    rebuilds += 1
    let enough = Breadcrumbs.capacity / 8 * 7
    while crumbs.count > enough, spacing < Breadcrumbs.spacings.most {
      spacing *= 2
      var kept = 0
      for crumb in crumbs where kept == 0 || metres(crumbs[kept - 1], crumb) >= spacing {
        crumbs[kept] = crumb
        kept += 1
      }
      crumbs.removeSubrange(kept...)
    }
    if crumbs.count > enough { crumbs.removeSubrange(..<(crumbs.count - enough)) }
  }

  private func metres(_ a: Crumb, _ b: Crumb) -> Double {
    let part = 1 / 4_294_967_296.0
    // The difference wraps at the antimeridian.
    let dx = Double(Int32(bitPattern: b.x &- a.x)) * part
    let dy = (Double(b.y) - Double(a.y)) * part
    let lat = WebMercator.unproject(a.place).lat
    return (dx * dx + dy * dy).squareRoot() * WebMercator.metersPerPoint(lat: lat, zoom: 0)
      * WebMercator.pointsAtZoom0
  }
}

/// Chooses the positions of a track to draw as dots: at least 8 points apart at the whole zoom for
/// which they are chosen.
public struct CrumbChoice {
  /// Points between drawn positions at a whole zoom; up to twice as many before the next one.
  public static let spacing = 8.0
  /// The most dots to draw.
  public static let most = 400

  private var level = Int.min
  private var rebuilds = -1
  private var seen = 0
  private var last: WorldPoint?
  /// Indices into the track passed to the last `update`, in the track's order.
  public private(set) var indices: [Int] = []

  /// Creates an empty choice.
  public init() {}

  /// Brings the choice up to date. Call it before using the indices.
  ///
  /// - Parameters:
  ///   - crumbs: The track.
  ///   - zoom: The zoom of the view.
  public mutating func update(_ crumbs: borrowing Breadcrumbs, zoom: Double) {
    let wanted = Int(max(min(zoom, 30), 0).rounded(.down))
    if wanted != level || crumbs.rebuilds != rebuilds {
      (level, rebuilds, seen, last) = (wanted, crumbs.rebuilds, 0, nil)
      indices.removeAll(keepingCapacity: true)
    }
    let distance = CrumbChoice.spacing / WebMercator.worldSize(zoom: Double(level))
    while seen < crumbs.count {
      let place = crumbs[seen]
      var far = true
      if let last {
        var dx = place.x - last.x
        dx -= dx.rounded()
        let dy = place.y - last.y
        far = dx * dx + dy * dy >= distance * distance
      }
      if far {
        indices.append(seen)
        last = place
      }
      seen += 1
    }
  }
}
