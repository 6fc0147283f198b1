/// What is known of a line beyond its points: how long and how steep it is.
///
/// Length and ascent are those of the file's own places and elevations, measured while it is read
/// (`TrailMeter`). Lines without elevations have no trail, unless they are drawn as several
/// features.
public struct Trail: Equatable, Sendable {
  /// The first of its features in `FeatureSet.features`.
  public var firstFeature: Int32
  /// The number of its features. A coloured track has several, which follow each other.
  public var featureCount: Int32
  /// The length in metres along the ground, without the gaps between its parts.
  public var length: Float
  /// All climbing together, in metres; NaN: it has no elevations.
  public var ascent: Float
  /// All descending together, in metres, not negative; NaN: it has no elevations.
  public var descent: Float
  /// The lowest elevation in metres; NaN: it has none.
  public var lowest: Float
  /// The highest elevation in metres; NaN: it has none.
  public var highest: Float
  /// Where its profile begins in `FeatureSet.knots`.
  var firstKnot: UInt32
  /// The number of its knots. 0: it has no profile.
  var knotCount: UInt16

  /// The indices of its features.
  public var featureRange: Range<Int> {
    Int(firstFeature)..<Int(firstFeature) + Int(featureCount)
  }
  /// Whether it has elevations.
  public var hasElevations: Bool { !ascent.isNaN }
}

/// A point of a profile in 4 bytes: parts of the trail's length, and of what lies between its
/// lowest and its highest knot.
struct TrailKnot: Equatable, Sendable {
  var distance: UInt16
  var elevation: UInt16
}

/// A text of a feature's card.
struct CardItem: Equatable, Sendable {
  var feature: Int32
  var start: UInt32
  var length: UInt16
  /// The index of its key in `FeatureOptions.cardKeys`.
  var key: UInt8
}

extension FeatureSet {
  /// What is measured of the trail that feature `number` belongs to; nil: it has no elevations and
  /// is a trail of its own.
  public func trail(of number: Int) -> Trail? {
    var (low, high) = (0, trails.count)
    while low < high {
      let middle = (low + high) / 2
      if trails[middle].featureRange.upperBound <= number {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < trails.count, trails[low].featureRange.contains(number) else { return nil }
    return trails[low]
  }

  /// The elevations along a trail, at most `TrailMeter.mostKnots`: distances from the start in
  /// metres, which increase, and metres above the sea; empty: it has none.
  public func profile(of trail: Trail) -> [(distance: Double, elevation: Double)] {
    let start = Int(trail.firstKnot)
    let end = start + Int(trail.knotCount)
    guard trail.knotCount > 0, end <= knots.count else { return [] }
    let span = Double(trail.highest) - Double(trail.lowest)
    return knots[start..<end].map { knot in
      (
        Double(knot.distance) / 65_535 * Double(trail.length),
        Double(trail.lowest) + Double(knot.elevation) / 65_535 * span
      )
    }
  }

  /// The texts of a line's card.
  ///
  /// - Parameter number: The line's first feature.
  /// - Returns: What the file says, each with the index of its key in `FeatureOptions.cardKeys`, in
  ///   the order of the keys.
  public func cardTexts(of number: Int) -> [(key: Int, text: String)] {
    var (low, high) = (0, cardItems.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(cardItems[middle].feature) < number { low = middle + 1 } else { high = middle }
    }
    var texts: [(key: Int, text: String)] = []
    while low < cardItems.count, Int(cardItems[low].feature) == number {
      let item = cardItems[low]
      let range = Int(item.start)..<Int(item.start) + Int(item.length)
      texts.append((Int(item.key), String(decoding: cardText[range], as: UTF8.self)))
      low += 1
    }
    return texts.sorted { $0.key < $1.key }
  }
}
