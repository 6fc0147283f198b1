import MapGeometry

/// Why a marker was refused.
public enum MarkerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store holds `MarkerStore.capacity` markers.
  case tooMany
  /// All markers together would take more than `MarkerStore.maxBytes`.
  case tooMuchText

  /// What is wrong and what would help.
  public var description: String {
    switch self {
    case .tooMany:
      "there are \(MarkerStore.capacity) markers already, which is the most; remove some first"
    case .tooMuchText:
      "labels and texts of all markers together are at most \(MarkerStore.maxBytes >> 20) MiB; "
        + "shorten or remove some first"
    }
  }
}

/// All markers, in the order in which they were added. Bounded.
///
/// Each added marker gets a `Number` that is never used again. What outlives a change of the store
/// (clusters, a layout, a hit) keeps numbers; the number of a removed marker finds nothing.
public struct MarkerStore {
  /// The most markers.
  public static let capacity = 20_000
  /// The most bytes of all markers together.
  public static let maxBytes = 8 << 20

  /// Identifies an added marker. Markers added later have larger numbers.
  struct Number: Hashable, Comparable, Sendable {
    fileprivate let value: Int

    static func < (a: Number, b: Number) -> Bool { a.value < b.value }
  }

  /// A marker with its number and its position on the unit square.
  struct Entry {
    let number: Number
    var marker: Marker
    /// The position in Web Mercator; x is in 0 ..< 1.
    var place: WorldPoint
  }

  /// Sorted by number; the entry is nil if the marker was removed.
  private var slots: [(number: Number, entry: Entry?)] = []
  private var numbers: [String: Number] = [:]
  private var added = 0
  /// The approximate memory use of all markers in bytes.
  public private(set) var bytes = 0
  /// The slots that removals looked at or moved so far: what they cost.
  private(set) var visitedByRemovals = 0
  /// Increases with every change.
  public private(set) var version = 0

  /// Creates an empty store.
  public init() {}

  /// The number of markers.
  public var count: Int { numbers.count }
  /// Whether there is no marker.
  public var isEmpty: Bool { numbers.isEmpty }

  /// All markers in their order, as a new array. Use the subscript to look up a single one.
  public var all: [Marker] { slots.compactMap { $0.entry?.marker } }

  /// The marker with this id; nil: there is none.
  public subscript(id: String) -> Marker? { entry(of: id)?.marker }

  /// The marker with this id, with its number and position; nil: there is none.
  func entry(of id: String) -> Entry? {
    guard let number = numbers[id] else { return nil }
    return self[number]
  }

  /// The marker with this number; nil: it was removed.
  subscript(number: Number) -> Entry? {
    guard let slot = slot(of: number) else { return nil }
    return slots[slot].entry
  }

  /// Calls `body` with every marker in the order of the store.
  func forEachEntry(_ body: (Entry) -> Void) {
    for slot in slots { if let entry = slot.entry { body(entry) } }
  }

  /// Adds a marker after the others, or replaces the one with its id.
  ///
  /// - Parameter marker: The marker.
  /// - Throws: `MarkerError` if there are too many markers or too much text; nothing changes then.
  public mutating func set(_ marker: Marker) throws(MarkerError) {
    let old = entry(of: marker.id)
    let after = bytes + marker.bytes - (old?.marker.bytes ?? 0)
    if old == nil, count >= MarkerStore.capacity { throw .tooMany }
    if after > MarkerStore.maxBytes { throw .tooMuchText }
    if old?.marker == marker { return }
    var place = WebMercator.project(marker.place)
    place.x -= place.x.rounded(.down)
    if let old, let slot = slot(of: old.number) {
      slots[slot].entry = Entry(number: old.number, marker: marker, place: place)
    } else {
      let number = Number(value: added)
      added += 1
      numbers[marker.id] = number
      slots.append((number, Entry(number: number, marker: marker, place: place)))
    }
    bytes = after
    version += 1
  }

  /// Removes a marker, in logarithmic time on average.
  ///
  /// - Parameter id: The marker's id.
  /// - Returns: Whether there was such a marker.
  @discardableResult
  public mutating func remove(_ id: String) -> Bool {
    var visits = 0
    guard let number = numbers.removeValue(forKey: id),
      let slot = slot(of: number, visits: &visits)
    else { return false }
    visitedByRemovals += visits
    bytes -= slots[slot].entry?.marker.bytes ?? 0
    slots[slot].entry = nil
    version += 1
    // Empty slots are removed together once they are as many as the markers.
    if slots.count > 2 * count + 64 {
      visitedByRemovals += slots.count
      slots.removeAll { $0.entry == nil }
    }
    return true
  }

  /// Removes all markers.
  public mutating func removeAll() {
    if isEmpty { return }
    slots = []
    numbers = [:]
    bytes = 0
    version += 1
  }

  /// The index of a number in `slots`, which are sorted by number; nil: it is not there.
  private func slot(of number: Number) -> Int? {
    var visits = 0
    return slot(of: number, visits: &visits)
  }

  /// Slots are sorted by number. Adds those that were looked at to `visits`.
  private func slot(of number: Number, visits: inout Int) -> Int? {
    var (low, high) = (0, slots.count)
    while low < high {
      visits += 1
      let middle = (low + high) / 2
      if slots[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < slots.count && slots[low].number == number ? low : nil
  }
}
