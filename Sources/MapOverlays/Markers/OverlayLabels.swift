import MapGeometry

/// The labels of overlays that compete for room in a part of the world, the most important first.
///
/// They are gathered once for a large part. What was found out about each stays with it: the size
/// of its picture, and where it stood.
struct OverlayLabels {
  /// The most labels of all overlays that are considered for one part of the world. An overlay with
  /// more drops those of its smallest areas and lines, and thins out its points evenly. Each
  /// overlay has room for an equal share, and for what the others leave unused.
  static let most = 16_384

  /// A view reaches at most so many worlds beyond the world's northern or southern edge.
  private static let beyond = 64.0

  /// A label with what is known of it.
  struct Candidate {
    var label: OverlayLabel
    /// The size of its picture in pixels; 0: not measured yet.
    var width: Int32 = 0
    var height: Int32 = 0
    /// Whether it has two lines.
    var isBroken = false
    /// Where it stood last; nil: it was not placed yet.
    var side: UInt8?
    /// The last layout that showed it.
    var layout = -1
  }

  private(set) var all: [Candidate] = []
  /// Those within the window, as indices of `all`, in their order.
  private(set) var inWindow: [Int32] = []
  /// The positions of `all`, which are looked through often.
  private var places: [WorldPoint] = []
  /// The part of the unit square that `all` is for.
  private var box = GridBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
  private var window = GridBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
  /// What `all` depends on besides the part of the world; nil: nothing was gathered yet.
  private var version: Int?
  /// Whether `all` has every label of the overlays.
  private var isWhole = false
  /// Bytes of the texts and other places of `all`.
  private var textBytes = 0

  var bytes: Int {
    all.capacity * MemoryLayout<Candidate>.stride + textBytes
      + places.capacity * MemoryLayout<WorldPoint>.stride + inWindow.capacity * 4
  }

  subscript(number: Int) -> Candidate {
    get { all[number] }
    _modify { yield &all[number] }
  }

  /// Forgets the sizes of the pictures: fonts or sizes changed.
  mutating func forgetSizes() {
    for i in all.indices { (all[i].width, all[i].height) = (0, 0) }
  }

  /// Brings the candidates up to date for `window`, a part of the unit square.
  ///
  /// - Returns: Whether they were gathered anew, so that their numbers are others.
  mutating func update(_ sources: [any OverlayLabelSource], window new: GridBox, zoom: Double)
    -> Bool
  {
    var now = sources.count
    for source in sources {
      now = now &* 31 &+ (zoom < source.minZoom ? -1 : source.labelVersion)
    }
    // A part that is much larger than the window has too many that nobody sees.
    let isKept =
      now == version && box.contains(new)
      && (box.maxX - box.minX <= (new.maxX - new.minX) * 8 || isWhole)
    if isKept {
      if new != window { select(new) }
      return false
    }
    version = now
    gather(sources, new, zoom)
    select(new)
    return true
  }

  private mutating func gather(_ sources: [any OverlayLabelSource], _ new: GridBox, _ zoom: Double)
  {
    // Those that were placed keep what is known of them.
    var known: [LabelMemory.Key: Candidate] = [:]
    for candidate in all where candidate.side != nil { known[candidate.key] = candidate }
    all.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    let shown = sources.filter { zoom >= $0.minZoom }
    let (west, east) = (new.minX.rounded(.down), new.maxX.rounded(.up))
    let count = shown.reduce(0) { $0 + min($1.labelCount, OverlayLabels.most + 1) }
    isWhole = Double(count) * (east - west) <= Double(OverlayLabels.most)
    let (width, height) = (new.maxX - new.minX, new.maxY - new.minY)
    box =
      isWhole
      ? GridBox(minX: west, minY: -OverlayLabels.beyond, maxX: east, maxY: OverlayLabels.beyond)
      : GridBox(
        minX: new.minX - width, minY: new.minY - height, maxX: new.maxX + width,
        maxY: new.maxY + height)
    textBytes = 0
    // What is kept free for the overlays below the one at hand.
    let share = OverlayLabels.most / max(shown.count, 1)
    var kept = shown.reduce(0) { $0 + min($1.labelCount, share) }
    for source in shown {
      kept -= min(source.labelCount, share)
      let end = OverlayLabels.most - kept
      source.forEachLabel(
        minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY, zoom: zoom
      ) { label in
        if label.text.isEmpty || all.count >= end { return }
        var candidate = Candidate(label: label)
        if !known.isEmpty, let former = known[candidate.key] {
          candidate = former
          candidate.label = label
        }
        all.append(candidate)
        places.append(label.place)
        textBytes +=
          label.text.utf8.count + label.others.count * MemoryLayout<WorldPoint>.stride
      }
    }
  }

  private mutating func select(_ new: GridBox) {
    window = new
    inWindow.removeAll(keepingCapacity: true)
    for i in places.indices where new.contains(places[i]) {
      inWindow.append(Int32(truncatingIfNeeded: i))
    }
  }
}

extension GridBox {
  func contains(_ place: WorldPoint) -> Bool {
    place.x >= minX && place.x <= maxX && place.y >= minY && place.y <= maxY
  }
}

extension OverlayLabels.Candidate {
  var key: LabelMemory.Key {
    LabelMemory.Key(x: label.place.x, y: label.place.y, text: label.text)
  }
}
