import Features
import Platform
import TileSources

/// How layers present their contents: the language, the units and the closures.
///
/// The threads that open layers read it.
struct LayerManner: Sendable, Equatable {
  /// The language of names, for layers that name none; nil: as written at the place.
  var language: String?
  /// Whether heights are in feet.
  var usesFeet = false
  /// What is closed of each overlay, by the overlays' names.
  var closures: [String: FeatureClosure] = [:]
  /// The picture sources that a style's layers referred to, by name.
  var pictures: [String: SourceSpec] = [:]
}

/// In what way a layer was opened, noted on the thread that opens it; nil before that.
typealias SpokenBox = Gate<LayerManner?>
