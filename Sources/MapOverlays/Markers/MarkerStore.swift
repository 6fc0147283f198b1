import MapGeometry

/// Why a marker was refused.
public enum MarkerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The store holds `MarkerStore.capacity` markers.
  case tooMany
  /// All markers together would take more than `MarkerStore.maxBytes`.
  case tooMuchText

  /// What is wrong and what helps.
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

/// All markers in the order in which they were added. Bounded.
///
/// Every added marker gets a `Number` that no other marker ever has. Whatever outlives a change of
/// the store (clusters, a layout, a hit) keeps numbers: one whose marker is gone finds nothing.
public struct MarkerStore {
  /// The most markers.
  public static let capacity = 20_000
  /// The most bytes of all markers together.
  public static let maxBytes = 8 << 20

  /// Names one added marker. A later number means that the marker was added later.
  struct Number: Hashable, Comparable, Sendable {
    fileprivate let value: Int

    static func < (a: Number, b: Number) -> Bool { a.value < b.value }
  }

  /// A marker with its number and its place on the unit square.
  struct Entry {
    let number: Number
    var marker: Marker
    /// Web Mercator, 0 ..< 1.
    var place: WorldPoint
  }

  /// By number, with nil for a marker that was removed.
  private var slots: [(number: Number, entry: Entry?)] = []
  private var numbers: [String: Number] = [:]
  private var added = 0
  /// The approximate memory use of all markers.
  public private(set) var bytes = 0
  /// The slots that removals looked at or moved so far: what they cost.
  private(set) var visitedByRemovals = 0
  /// Increases with every change.
  public private(set) var version = 0

  /// Creates an empty store.
  public init() {}

  /// How many markers there are.
  public var count: Int { numbers.count }
  /// Whether there is no marker.
  public var isEmpty: Bool { numbers.isEmpty }

  /// All markers in their order. Makes an array: look a marker up by its id instead where that
  /// does.
  public var all: [Marker] { slots.compactMap { $0.entry?.marker } }

  /// The marker of that id; nil: there is none.
  public subscript(id: String) -> Marker? { entry(of: id)?.marker }

  /// The marker of that id with its number and place; nil: there is none.
  func entry(of id: String) -> Entry? {
    guard let number = numbers[id] else { return nil }
    return self[number]
  }

  /// The marker of that number; nil: it was removed.
  subscript(number: Number) -> Entry? {
    guard let slot = slot(of: number) else { return nil }
    return slots[slot].entry
  }

  /// Calls `body` with every marker in the order of the store.
  func forEachEntry(_ body: (Entry) -> Void) {
    for slot in slots { if let entry = slot.entry { body(entry) } }
  }

  /// Adds a marker behind the others, or replaces the one with its id.
  ///
  /// - Parameter marker: The marker.
  /// - Throws: `MarkerError` where there are too many markers or too much text; nothing changes
  ///   then.
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

  /// Removes a marker, in constant time on average.
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
