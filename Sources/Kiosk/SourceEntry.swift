import MapGeometry
import MapScene
import TileSources

/// A source of the running kiosk: what it is, and how it fares.
package struct SourceEntry {
  package enum State {
    /// Not opened: nothing of it was shown yet.
    case closed
    case open(SourceInfo)
    case failed(SourceError)
  }

  package var spec: SourceSpec
  /// Its number in the cache's keys.
  var index: Int
  /// The number of tiles that stand in for its own until they come: those of its former colours.
  var former: Int?
  /// Added over the socket rather than configured.
  var added: Bool
  package var state = State.closed
  /// Opens an own source; nil: `spec` says how.
  var make: (@Sendable () -> Result<any TileSource, SourceError>)?
  /// What its files were when it was opened.
  var stamp: FileStamp?
  /// The last thing that went wrong with a tile or a pack of it.
  package var lastError: String?

  package var info: SourceInfo? {
    if case .open(let info) = state { return info }
    return nil
  }

  /// The levels of its tiles: what is configured, else what the source says.
  var levels: ClosedRange<Int>? {
    guard let info else { return nil }
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

  /// The source's place, in one line.
  package var path: String { spec.place }
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
