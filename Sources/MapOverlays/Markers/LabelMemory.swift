/// Where labels stood, so that they keep their side while the map moves.
struct LabelMemory {
  /// A label: its position on the unit square, with the copy of the world, and its text.
  struct Key: Hashable {
    var x: Double
    var y: Double
    var text: String
  }

  /// What changed since the previous layout, and so what may happen to labels.
  enum Change {
    /// The zoom: labels keep their side if it is free, otherwise they take another one.
    case zoom
    /// The bearing alone: a label keeps its side or is hidden, even if it was hidden in between.
    case bearing
    /// The part of the world, or the labels: a label that was shown keeps its side or is hidden.
    case part
  }

  private struct Place {
    var side: UInt8
    /// The last layout with the label.
    var layout: Int
  }

  /// More labels than this are forgotten, but for those of the last layout.
  private static let most = 4096

  private var places: [Key: Place] = [:]
  private var layout = 0
  private var change = Change.zoom
  private var isAtRest = false

  /// Begins a layout. `isAtRest`: nothing moves, so a label whose side is taken may have another.
  mutating func begin(_ change: Change, isAtRest: Bool) {
    if places.count > LabelMemory.most {
      let last = layout
      places = places.filter { $0.value.layout == last }
    }
    layout += 1
    (self.change, self.isAtRest) = (change, isAtRest)
  }

  /// Forgets all labels.
  mutating func removeAll() { places.removeAll(keepingCapacity: true) }

  /// Whether the last layout had the label.
  func wasShown(_ key: Key) -> Bool { places[key]?.layout == layout - 1 }

  /// The remembered side of a label, and whether the label may use no other one; nil: any side will
  /// do.
  func side(of key: Key) -> (side: UInt8, isOnly: Bool)? {
    guard let place = places[key] else { return nil }
    if isAtRest { return place.layout == layout - 1 ? (place.side, false) : nil }
    switch change {
    case .zoom: return (place.side, false)
    case .bearing: return (place.side, true)
    case .part: return place.layout == layout - 1 ? (place.side, true) : nil
    }
  }

  /// Records that this layout has the label.
  mutating func set(_ side: UInt8, of key: Key) { places[key] = Place(side: side, layout: layout) }
}
