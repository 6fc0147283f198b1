import Features
import Platform
import TileSources

/// In what way layers are opened at the moment: what is said of them, rather than what they are.
///
/// It is read on the threads that open layers.
struct LayerManner: Sendable, Equatable {
  /// The language of names, for layers that name none; nil: as written at the place.
  var language: String?
  /// Whether heights are in feet.
  var usesFeet = false
  /// What is closed of each overlay, by the overlays' names.
  var closures: [String: FeatureClosure] = [:]
  /// The sources of pictures that a style's layers found by their names.
  var pictures: [String: SourceSpec] = [:]
}

/// In what way a layer was opened, noted on the thread that opens it; nil before that.
typealias SpokenBox = Gate<LayerManner?>
