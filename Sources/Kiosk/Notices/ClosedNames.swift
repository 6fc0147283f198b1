import MapOverlays

/// What people call the features that notices close. Each is looked for once in each drawing of its
/// overlay: that takes long in a large file, and the notices are written anew with each change of a
/// layer.
final class ClosedNames {
  private struct Key: Hashable {
    var overlay: String
    var feature: String
  }

  private struct Known {
    weak var drawing: FeatureDrawing?
    var name: String?
  }

  /// More than this are all forgotten; there are fewer notices.
  static let capacity = 128

  private var known: [Key: Known] = [:]
  /// How often a name was looked for.
  private(set) var searches = 0

  /// How many names are remembered.
  var count: Int { known.count }

  /// What people call a feature in the language that `drawing` was read for.
  ///
  /// - Parameters:
  ///   - feature: One of its names.
  ///   - overlay: The overlay's name.
  ///   - drawing: What the overlay shows.
  /// - Returns: The name; nil: there is none.
  func name(of feature: String, in overlay: String, _ drawing: FeatureDrawing) -> String? {
    let key = Key(overlay: overlay, feature: feature)
    if let same = known[key], same.drawing === drawing { return same.name }
    let name = LineNames(drawing.features).shown(forFeature: feature)
    searches += 1
    if known[key] == nil, known.count >= ClosedNames.capacity { known = [:] }
    known[key] = Known(drawing: drawing, name: name)
    return name
  }
}
