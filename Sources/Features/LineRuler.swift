#if canImport(Glibc)
  import Glibc
#endif

/// How far along its line each point of a set is, at the cost of an eighth of a byte per point.
///
/// It keeps the distance at every 64th point; those between are measured when they are asked for.
public struct LineRuler: Sendable {
  static let blockBits = 6
  /// The metres along all lines of the set up to the first point of each block.
  private let starts: [Double]
  /// For each block, the index of the part of its first point.
  private let parts: [Int32]
  /// Whether each part is a stretch of a track in several colours, which lies on the line that is
  /// measured; empty: none is.
  private let areStretches: [Bool]

  /// Measures all lines of `set`, which takes time, so call it off the loop's thread.
  public init(_ set: FeatureSet) {
    guard set.parts.contains(where: { $0.kind == .line }) else {
      (starts, parts, areStretches) = ([], [], [])
      return
    }
    var areStretches: [Bool] = []
    if set.styles.contains(where: { $0.lines == .ink }) {
      areStretches = [Bool](repeating: false, count: set.parts.count)
      for feature in set.features where set.styles[Int(feature.style)].lines == .ink {
        for part in feature.partRange { areStretches[part] = true }
      }
    }
    self.areStretches = areStretches
    var starts: [Double] = []
    var parts: [Int32] = []
    starts.reserveCapacity(set.points.count >> LineRuler.blockBits + 1)
    parts.reserveCapacity(set.points.count >> LineRuler.blockBits + 1)
    var sum = 0.0
    for part in set.parts.indices {
      let range = set.pointRange(part)
      let isLine =
        set.parts[part].kind == .line
        && !(areStretches.indices.contains(part) && areStretches[part])
      for index in range {
        if isLine, index > range.lowerBound {
          sum += LineRuler.metres(set.points[index - 1], set.points[index])
        }
        if index & ((1 << LineRuler.blockBits) - 1) == 0 {
          starts.append(sum)
          parts.append(Int32(truncatingIfNeeded: part))
        }
      }
    }
    (self.starts, self.parts) = (starts, parts)
  }

  /// Bytes that it takes.
  public var bytes: Int { starts.capacity * 8 + parts.capacity * 4 + areStretches.capacity }

  /// The metres along all lines up to the point `index` of `set`, without gaps between parts. The
  /// difference of two is how far they are from each other along their line.
  public func metres(to index: Int, of set: FeatureSet) -> Double {
    let block = index >> LineRuler.blockBits
    guard starts.indices.contains(block), index < set.points.count else { return 0 }
    var sum = starts[block]
    var part = Int(parts[block])
    var at = block << LineRuler.blockBits
    while at < index {
      at += 1
      while part < set.parts.count - 1, at >= Int(set.parts[part].end) { part += 1 }
      let isStretch = areStretches.indices.contains(part) && areStretches[part]
      if set.parts[part].kind == .line, !isStretch, at > set.pointRange(part).lowerBound {
        sum += LineRuler.metres(set.points[at - 1], set.points[at])
      }
    }
    return sum
  }

  /// The length of the lines of some features in metres.
  public func length(of features: Range<Int>, in set: FeatureSet) -> Double {
    guard let first = features.first, let last = features.last, last < set.features.count else {
      return 0
    }
    let start = set.pointRange(Int(set.features[first].firstPart)).lowerBound
    let end = set.pointRange(set.features[last].partRange.upperBound - 1).upperBound - 1
    return end > start ? metres(to: end, of: set) - metres(to: start, of: set) : 0
  }

  /// The metres on the ground between two points that follow each other.
  public static func metres(_ a: FeaturePoint, _ b: FeaturePoint) -> Double {
    let (dx, dy) = (abs(a.unitX - b.unitX), abs(a.unitY - b.unitY))
    if dx <= 5e-4, dy <= 5e-4 {
      // Web Mercator is conformal: near a place, all its lengths are too long by the same factor.
      let scale = 1 / cosh(Double.pi * (1 - a.unitY - b.unitY))
      return (dx * dx + dy * dy).squareRoot() * scale * 2 * .pi * 6_378_137
    }
    func place(_ point: FeaturePoint) -> FeatureBuilder.Place {
      (point.unitX * 360 - 180, atan(sinh(Double.pi * (1 - 2 * point.unitY))) * 180 / .pi)
    }
    return TrailMeter.distance(place(a), place(b))
  }
}
