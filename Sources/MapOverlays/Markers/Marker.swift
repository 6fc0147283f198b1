import Drawing
import MapGeometry
import Pixels

/// A place with a name on the map.
public struct Marker: Sendable, Equatable {
  /// What it is known by; unique.
  public var id: String
  public var place: GeoPoint
  /// Stands beside it.
  public var label: String
  /// Shown when it is tapped or selected.
  public var text: String
  /// 0xAARRGGBB; nil: the icon's own.
  public var color: UInt32?
  public var icon: MarkerIcon

  public init(
    id: String, place: GeoPoint, label: String = "", text: String = "", color: UInt32? = nil,
    icon: MarkerIcon = .pin
  ) {
    self.id = id
    self.place = place
    self.label = label
    self.text = text
    self.color = color
    self.icon = icon
  }

  /// Where the kiosk stands: large, in front of the others, and never part of a cluster. So is a
  /// marker with the icon "here" or the id "here", whatever icon it has.
  public var isHere: Bool { icon == .here || id.lowercased() == "here" }

  /// Bytes that it takes, about.
  var bytes: Int {
    MemoryLayout<Marker>.stride + id.utf8.count + label.utf8.count + text.utf8.count
  }
}

/// Why a marker is not taken.
public enum MarkerError: Error, Equatable, Sendable, CustomStringConvertible {
  case tooMany
  case tooMuchText

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

/// All markers, in their order, with the place of each on the unit square. Bounded.
public struct MarkerStore {
  /// The most markers.
  public static let capacity = 20_000
  /// The most bytes of all markers together.
  public static let maxBytes = 8 << 20

  public private(set) var all: [Marker] = []
  /// Where each is: Web Mercator, 0 ..< 1.
  private(set) var places: [WorldPoint] = []
  private var indices: [String: Int] = [:]
  public private(set) var bytes = 0
  /// Counts the changes.
  public private(set) var version = 0

  public init() {}

  public subscript(id: String) -> Marker? { indices[id].map { all[$0] } }

  func index(of id: String) -> Int? { indices[id] }

  /// Adds a marker behind the others, or in the place of the one of its id.
  public mutating func set(_ marker: Marker) throws(MarkerError) {
    let old = indices[marker.id]
    let after = bytes + marker.bytes - (old.map { all[$0].bytes } ?? 0)
    if old == nil, all.count >= MarkerStore.capacity { throw .tooMany }
    if after > MarkerStore.maxBytes { throw .tooMuchText }
    var place = WebMercator.project(marker.place)
    place.x -= place.x.rounded(.down)
    if let old {
      if all[old] == marker { return }
      all[old] = marker
      places[old] = place
    } else {
      indices[marker.id] = all.count
      all.append(marker)
      places.append(place)
    }
    bytes = after
    version += 1
  }

  /// Takes a marker out; false where there is none of that id.
  @discardableResult
  public mutating func remove(_ id: String) -> Bool {
    guard let index = indices.removeValue(forKey: id) else { return false }
    bytes -= all[index].bytes
    all.remove(at: index)
    places.remove(at: index)
    for (other, at) in indices where at > index { indices[other] = at - 1 }
    version += 1
    return true
  }

  public mutating func removeAll() {
    if all.isEmpty { return }
    self = { [version] in
      var empty = MarkerStore()
      empty.version = version + 1
      return empty
    }()
  }
}
