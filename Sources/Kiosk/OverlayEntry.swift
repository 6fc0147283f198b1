import Configuration
import Control
import MapScene
import TileSources

/// An overlay of the running kiosk: what it is, and how it fares.
package struct OverlayEntry {
  package enum State {
    /// Not opened: nothing of it was shown yet.
    case closed
    case open(TileSources.SourceInfo)
    case failed(SourceError)
  }

  /// As it is now: moved, its level may be another than what was asked for.
  package var spec: Configuration.Overlay
  /// As it was configured or added.
  var original: Configuration.Overlay
  /// Its number in the cache's keys.
  var index: Int
  /// Added over the socket rather than configured.
  package var added: Bool
  package var isShown = true
  package var state = State.closed
  /// The number of tiles that stand in for its own until they come.
  var former: Int?
  /// The number under which its changed file is being opened.
  var reopening: Int?
  /// What its file was when it was opened last.
  var stamp: FileStamp?
  /// What is wrong with it.
  package var error: String?
  /// The parameters it was added with.
  var table: JSON?
  /// The tiles' edge in points.
  var tileSize = 256

  init(spec: Configuration.Overlay, index: Int, added: Bool) {
    self.spec = spec
    original = spec
    self.index = index
    self.added = added
  }

  package var name: String { spec.name }

  /// Its file; nil where it has none.
  package var path: String? {
    if case .file(let path) = spec.content { return path }
    return nil
  }

  /// The overlay as the scene sees it.
  var layer: SceneLayer {
    var source = SceneSource(index: index, tileSize: tileSize, levels: nil)
    switch state {
    case .closed: break
    case .open(let info): source.levels = info.minZoom...max(info.minZoom, info.maxZoom)
    case .failed: source.failed = true
    }
    source.former = former
    source.isDrawn = true
    return SceneLayer(chain: [source], isBase: false, minZoom: spec.minZoom)
  }
}
