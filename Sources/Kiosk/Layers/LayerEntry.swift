import Configuration
import Control
import MapScene
import Platform
import TileLoading
import TileSources

/// Where a layer comes from.
package enum LayerOrigin: Sendable {
  case configuration
  /// Added over the control socket, or by the program that embeds the kiosk.
  case socket
  /// Found on a medium.
  case medium
}

/// What sources and overlays have in common.
package protocol LayerSpec: Sendable, Equatable {
  var name: String { get }
  /// Which files may be opened for it.
  var trust: PathTrust { get set }
  /// The matter in the health: "source osm".
  var matter: String { get }
  /// The files and folders that it is read from; empty where there are none.
  var files: [String] { get }
  /// Its names on the list of trials: its files, or what it has instead.
  var subjects: [String] { get }
  /// What is done to its tiles' colours before the theme.
  var filters: [String] { get }
  /// What the night does to its tiles' colours.
  var night: SourceSpec.Night { get }
  /// The location in one line, for lists and messages.
  var locationText: String { get }
  /// What many of them are called: "sources".
  static var plural: String { get }
  /// Whether both show the same map, whose tiles may be drawn in other ways.
  func isSameMap(as other: Self) -> Bool
  /// Whether both give the same tiles, before filters.
  func hasSameTiles(as other: Self) -> Bool
  /// Whether this layer, on the screen, may stay there until `other` can be shown in its place.
  func canStay(for other: Self) -> Bool
  /// The event that tells of a change of the layer `name`.
  static func event(_ name: String, _ change: KioskEvent.LayerChange) -> KioskEvent
}

extension LayerSpec {
  package var subjects: [String] { files }
}

extension SourceSpec: LayerSpec {
  /// Whether it is shown over every base map.
  package var isAlwaysShown: Bool { role == .overlay || role == .labels }

  package var matter: String { "source \(name)" }

  /// The map's files and folders, followed by those of its styles.
  package var files: [String] {
    let files: [String] =
      switch location {
      case .path(let path): [path]
      case .paths(let all): all
      case .url where isFetched: [FetchSocket.path(for: name)]
      case .url(let template): TemplateSource.folder(of: template).map { [$0] } ?? []
      case .provider(let socket): [socket]
      case .memory: []
      }
    return files + styleFiles
  }

  /// The location in one line: the path, the paths joined by commas, the URL template, the
  /// provider's socket, or `bundled:NAME`.
  package var locationText: String {
    switch location {
    case .path(let path): path
    case .paths(let paths): paths.joined(separator: ", ")
    case .url(let url): url
    case .provider(let socket): socket
    case .memory(let bytes): "bundled:\(bytes.name)"
    }
  }

  package static var plural: String { "sources" }

  package static func event(_ name: String, _ change: KioskEvent.LayerChange) -> KioskEvent {
    .source(name: name, change: change)
  }

  package func isSameMap(as other: SourceSpec) -> Bool {
    var other = other
    (other.style, other.nightStyle, other.language) = (style, nightStyle, language)
    return hasSameTiles(as: other)
  }

  /// It could be taken for the other map.
  package func canStay(for other: SourceSpec) -> Bool { false }

  package func hasSameTiles(as other: SourceSpec) -> Bool {
    var other = other
    (other.role, other.level, other.opacity) = (role, level, opacity)
    (other.filters, other.night, other.fallback) = (filters, night, fallback)
    return other == self
  }
}

extension Configuration.Overlay: LayerSpec {
  package var matter: String { "overlay \(name)" }

  package var files: [String] {
    if case .file(let path) = content { return [path] }
    return []
  }

  package var subjects: [String] {
    if case .geoJSON = content { [matter] } else { files }
  }

  /// The theme alone changes an overlay's colours.
  package var filters: [String] { [] }

  package var night: SourceSpec.Night { .theme }

  /// The path of its file; otherwise its name.
  package var locationText: String { files.first ?? name }

  package static var plural: String { "overlays" }

  package static func event(_ name: String, _ change: KioskEvent.LayerChange) -> KioskEvent {
    .overlay(name: name, change: change)
  }

  /// It is always read again.
  package func isSameMap(as other: Configuration.Overlay) -> Bool { false }

  /// It is always read again.
  package func hasSameTiles(as other: Configuration.Overlay) -> Bool { false }

  /// Whoever updates an overlay every second does not want it to flicker.
  package func canStay(for other: Configuration.Overlay) -> Bool {
    content != .grid && other.content != .grid && level == other.level
  }
}

/// The changed file of a layer.
struct LayerReopening {
  /// What was opened; nil: it is being opened.
  var info: SourceInfo?
  var problems: [SourceError] = []
  /// Whether it waits for pictures that its style draws, which are tried first; nil: it does not.
  var missesPictures: Gate<Bool>?
}

/// What stays on the screen until a layer that replaces it can be shown.
struct StayingLayer<Spec: LayerSpec> {
  let spec: Spec
  let info: SourceInfo
  let stamp: StampBox
  let spoken: SpokenBox
}

/// A source or an overlay of the running kiosk: its specification and its state.
package struct LayerEntry<Spec: LayerSpec> {
  package enum State {
    /// Not open; nothing of it was shown yet.
    case closed
    case open(SourceInfo)
    case failed(SourceError)
  }

  /// The present specification. If the layer was moved, its level differs from the original's.
  package var spec: Spec { didSet { specFiles = spec.files } }
  /// The files of `spec`. Kept, because finding them takes as long as checking a source.
  private var specFiles: [String]
  /// The specification as configured or added, whatever the level is now.
  package var original: Spec
  package var origin: LayerOrigin
  /// The number of its tiles in the cache's keys, 0 ..< `TileKey.maxSources`.
  package var index: Int { didSet { renumberTiles(from: oldValue) } }
  /// The number of tiles that stand in until its own arrive: those of its former colours or file.
  var former: Int?
  /// The number of further stand-ins, for places that `former` never covered.
  var older: Int?
  /// The edge in pixels of the grid cells for which its tiles are made; nil: 256 points.
  var cell: Int?
  /// The edge in pixels that these cells have on the screen, if lines are drawn for it; see
  /// `TileColors.shownCell`.
  var shownCell: Int?
  /// The number under which its changed file is being opened, or is open and waits to be shown.
  var reopening: Int?
  /// What is on the screen while `spec`, which replaced it, is being opened; nil: nothing else.
  var staying: StayingLayer<Spec>?
  package var isShown = true
  /// A call added it, and it is announced once it is open.
  var isNew = false
  package var state = State.closed
  /// When it is tried again; nil: it is open, or what is wrong will not pass by itself.
  var retry: OpeningRetry?
  /// Opens a custom source; nil: `spec` says how to open it.
  var make: LayerOpener?
  /// The state of its files when it was last opened.
  var stamp = StampBox(nil)
  /// The language, units and closures that it was last opened with; nil: it is being opened, or
  /// does not depend on them.
  var spoken = SpokenBox(nil)
  /// Its files may have changed while it was being opened, or soon after: they are looked at later.
  var isLookDue = false
  /// When it was opened again last because its file was written to, on the loop's clock.
  var rewrittenAt: UInt64?
  /// Why it or its changed file does not open, or a problem found while opening.
  var problem: String?
  /// The failed tile that the health tells of; nil: none is known to have failed.
  var told: FailedTile? {
    didSet { if told == nil { untold = [] } }
  }
  /// Other tiles that failed, the last ones of them, in that order. The health tells of one that
  /// still fails once `told` does not.
  var untold: [FailedTile] = []
  /// Why the tile `told` could not be read or decoded.
  var tileError: String? { told?.text }
  /// What is wrong although its tiles come, and the number of its tiles at that time; nil: nothing.
  var trouble: (index: Int, text: String)?
  /// The parameters of the call that added it; nil: it was configured or has none.
  package var table: JSON?
  /// The edge of its tiles in points.
  var tileSize = 256

  init(_ spec: Spec, index: Int, origin: LayerOrigin) {
    self.spec = spec
    specFiles = spec.files
    original = spec
    self.index = index
    self.origin = origin
  }

  package var name: String { spec.name }

  /// Its tiles were renumbered.
  private mutating func renumberTiles(from former: Int) {
    let index = index
    told?.renumber(from: former, to: index)
    for n in untold.indices { untold[n].renumber(from: former, to: index) }
  }

  /// All that is wrong with it, in one line; nil: nothing.
  package var error: String? {
    if problem == nil, tileError == nil, trouble == nil { return nil }
    return [problem, tileError, trouble?.text].compactMap(\.self).joined(separator: "; ")
  }

  /// Whether opening it again may mend what is wrong.
  var mayMend: Bool { problem != nil || tileError != nil }

  /// The files and folders that `spec` names; empty where there are none.
  var ownFiles: [String] { make == nil ? specFiles : [] }

  /// The files and folders that it is read from: its own, and the sprite sheets of its styles.
  var files: [String] {
    guard make == nil, let drawing = info?.drawing else { return ownFiles }
    return specFiles + drawing.files
  }

  /// It could not be opened.
  var hasFailed: Bool {
    if case .failed = state { return true }
    return false
  }

  /// It was not opened yet, or its changed file was not.
  var isToBeOpened: Bool {
    if case .closed = state { return true }
    return reopening != nil
  }

  /// It was not configured: a reload leaves it alone.
  package var added: Bool { origin != .configuration }

  package var info: SourceInfo? {
    if case .open(let info) = state { return info }
    return nil
  }

  /// Confines it to `roots` where it is confined. False where it is not, or to these already.
  mutating func confine(to roots: [String]) -> Bool {
    // What was found on a medium has a folder of its own.
    if origin == .medium || spec.trust == .anywhere || spec.trust == .beneath(roots) {
      return false
    }
    spec.trust = .beneath(roots)
    original.trust = spec.trust
    return true
  }
}

package typealias SourceEntry = LayerEntry<SourceSpec>
package typealias OverlayEntry = LayerEntry<Configuration.Overlay>

extension LayerEntry where Spec == SourceSpec {
  /// The tile levels, as configured or else as the source says; nil while it is not open.
  var levels: ClosedRange<Int>? { info.map(levels) }

  private func levels(_ info: SourceInfo) -> ClosedRange<Int> {
    info.tileLevels(from: spec.minZoom ?? info.minZoom, to: spec.maxZoom ?? info.maxZoom)
  }

  /// The attribution as plain text, as configured or else as the source says.
  package var attribution: String {
    // With those of the pictures that its style draws.
    if let info, let drawing = info.drawing, !drawing.pictures.isEmpty { return info.attribution }
    if let configured = spec.attribution { return PlainText.stripping(html: configured) }
    return info?.attribution ?? ""
  }

  /// The source as the scene sees it.
  var scene: SceneSource {
    if case .failed = state {
      return SceneSource(index: index, tileSize: spec.tileSize, levels: nil, failed: true)
    }
    var source = SceneSource(index: index, tileSize: spec.tileSize, levels: levels)
    (source.former, source.older) = (former, older)
    source.isLocal = isLocal
    return source
  }

  /// Whether no other program and no network has its tiles.
  private var isLocal: Bool { make != nil || !spec.isProvided }

  /// The source as the scene will see it once its changed file, of which `info` is known, is shown.
  func sceneToBe(_ info: SourceInfo) -> SceneSource {
    var source = SceneSource(
      index: reopening ?? index, tileSize: spec.tileSize, levels: levels(info))
    source.isLocal = isLocal
    return source
  }

  /// The source's location, in one line.
  package var path: String { spec.locationText }

  /// The source's locations, as in `source.list`.
  package var paths: [String] {
    if case .paths(let all) = spec.location { return all }
    return [path]
  }
}

extension LayerEntry where Spec == Configuration.Overlay {
  /// Its file; nil where it has none.
  package var path: String? { specFiles.first }

  /// Its attribution as plain text.
  package var attribution: String { PlainText.stripping(html: spec.attribution ?? "") }

  /// The overlay as the scene sees it.
  var layer: SceneLayer {
    var source = SceneSource(index: index, tileSize: tileSize, levels: nil)
    switch state {
    case .closed: break
    case .open(let info): source.levels = info.minZoom...max(info.minZoom, info.maxZoom)
    case .failed: source.failed = true
    }
    (source.former, source.older) = (former, older)
    source.isDrawn = true
    source.isLocal = true
    return SceneLayer(chain: [source], isBase: false, minZoom: spec.minZoom)
  }
}
