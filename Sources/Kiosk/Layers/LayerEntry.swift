import Configuration
import Control
import MapScene
import Platform
import TileSources

/// Where a layer comes from.
package enum LayerOrigin: Sendable {
  case configuration
  /// Added over the control socket, or by the program that has the kiosk.
  case socket
  /// Found on a medium.
  case medium
}

/// Identifies a layer.
package protocol LayerSpec: Sendable, Equatable {
  var name: String { get }
  /// Which files may be opened for it.
  var trust: PathTrust { get set }
  /// The matter in the health: "source osm".
  var matter: String { get }
}

extension SourceSpec: LayerSpec {
  package var matter: String { "source \(name)" }
}

extension Configuration.Overlay: LayerSpec {
  package var matter: String { "overlay \(name)" }
}

/// A source or an overlay of the running kiosk: what it is, and how it fares.
package struct LayerEntry<Spec: LayerSpec> {
  package enum State {
    /// Not opened: nothing of it was shown yet.
    case closed
    case open(TileSources.SourceInfo)
    case failed(SourceError)
  }

  /// A changed file that is open.
  struct Reopened {
    var info: TileSources.SourceInfo
    var problems: [SourceError]
  }

  /// As it is now: moved, its level may differ from what was asked for.
  package var spec: Spec
  /// As it was configured or added.
  package var original: Spec
  package var origin: LayerOrigin
  /// Its number in the cache's keys.
  package var index: Int
  /// The number of tiles that stand in for its own until they come: those of its former colours or
  /// file.
  var former: Int?
  /// The number under which its changed file is being opened.
  var reopening: Int?
  /// What was opened under that number and waits to take the place of what is on the screen.
  var reopened: Reopened?
  package var isShown = true
  package var state = State.closed
  /// Opens a source of the program's own; nil: `spec` says how.
  var make: (@Sendable () -> Result<any TileSource, SourceError>)?
  /// Identifies its files as they were when it was opened last.
  var stamp = StampBox(nil)
  /// The last thing that went wrong with it, a tile or a pack of it.
  package var error: String?
  /// A problem found while opening it that did not prevent that.
  var problem: String?
  /// The parameters it was added with.
  package var table: JSON?
  /// The tiles' edge in points.
  var tileSize = 256

  init(_ spec: Spec, index: Int, origin: LayerOrigin) {
    self.spec = spec
    original = spec
    self.index = index
    self.origin = origin
  }

  package var name: String { spec.name }

  /// It was not configured: a reload leaves it alone.
  package var added: Bool { origin != .configuration }

  package var info: TileSources.SourceInfo? {
    if case .open(let info) = state { return info }
    return nil
  }

  /// Confines it to `roots` where it is confined. False where it is not, or to these already.
  mutating func confine(to roots: [String]) -> Bool {
    if spec.trust == .anywhere || spec.trust == .beneath(roots) { return false }
    spec.trust = .beneath(roots)
    original.trust = spec.trust
    return true
  }
}

package typealias SourceEntry = LayerEntry<SourceSpec>
package typealias OverlayEntry = LayerEntry<Configuration.Overlay>

extension LayerEntry where Spec == SourceSpec {
  /// The levels of its tiles: what is configured, else what the source says.
  var levels: ClosedRange<Int>? { info.map(levels) }

  private func levels(_ info: TileSources.SourceInfo) -> ClosedRange<Int> {
    let low = spec.minZoom ?? info.minZoom
    return low...max(low, spec.maxZoom ?? info.maxZoom)
  }

  /// Plain text: what is configured, else what the source says.
  package var attribution: String {
    if let configured = spec.attribution { return PlainText.stripping(html: configured) }
    return info?.attribution ?? ""
  }

  /// The source as the scene sees it.
  var scene: SceneSource {
    if case .failed = state {
      return SceneSource(index: index, tileSize: spec.tileSize, levels: nil, failed: true)
    }
    var source = SceneSource(index: index, tileSize: spec.tileSize, levels: levels)
    source.former = former
    return source
  }

  /// The source as the scene will see it once its changed file takes the place of the one before.
  var sceneToBe: SceneSource {
    guard let reopening, let reopened else { return scene }
    return SceneSource(
      index: reopening, tileSize: spec.tileSize, levels: levels(reopened.info))
  }

  /// The files that it is read from; empty where it is none's.
  var files: [String] {
    if make != nil { return [] }
    return switch spec.location {
    case .path(let path): [path]
    case .paths(let all): all
    case .url, .provider, .memory: []
    }
  }

  /// The source's place, in one line.
  package var path: String { spec.place }

  /// Where the source is, as `source.list` tells it.
  package var paths: [String] {
    if case .paths(let all) = spec.location { return all }
    return [path]
  }

  /// The source's kind by its location, before it is open.
  package var kindGuess: String {
    switch spec.location {
    case .path(let path):
      if path.hasSuffix(".mbtiles") { return "mbtiles" }
      if path.hasSuffix(".pmtiles") { return "pmtiles" }
      return "directory"
    case .paths: return "packs"
    case .url: return "template"
    case .provider: return "provider"
    case .memory: return "pmtiles"
    }
  }
}

extension SourceSpec {
  /// Where the source lies, in one line, for lists and messages: its path, its paths joined by
  /// commas, its URL template, its provider's socket, or `bundled:NAME`.
  package var place: String {
    switch location {
    case .path(let path): path
    case .paths(let paths): paths.joined(separator: ", ")
    case .url(let url): url
    case .provider(let socket): socket
    case .memory(let bytes): "bundled:\(bytes.name)"
    }
  }
}

extension LayerEntry where Spec == Configuration.Overlay {
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
