import EventLoop
import TileLoading
import TileSources

/// A tile that could not be read or decoded.
struct FailedTile {
  var key: TileKey
  /// The file, the tile and the reason.
  var text: String
  var reason: String
  /// When it failed last, in nanoseconds of the monotonic clock.
  var at: UInt64

  init(_ key: TileKey, _ error: TileError, at: UInt64) {
    (self.key, self.at) = (key, at)
    (text, reason) = (error.description, error.reason)
  }

  /// Follows its source, whose number was `former`.
  mutating func renumber(from former: Int, to new: Int) {
    if key.source == former, let tile = key.tile { key = TileKey(source: new, tile: tile) }
  }
}

/// Sources whose tiles fail. The health tells of one tile of each, so that its reason does not
/// alternate, and the log counts the others.
extension SourceList {
  /// How long the reason of the tile that is told is taken for that of others, in nanoseconds.
  static let longestSilence: UInt64 = 30_000_000_000
  /// How many failed tiles of a source are known beside the one that is told.
  static let mostUntold = 8
  /// How long after that one has come another one is told that fails, in nanoseconds: all may be
  /// about to come.
  static let untoldPause: UInt64 = 2_000_000_000

  /// No tile of the source with the number `index` fails any more: its medium is back.
  func recovered(_ index: Int) {
    guard let i = numbered(index) else { return }
    entries[i].told = nil
    store.outbox.note(entries[i].spec.matter, .warning, entries[i].error)
  }

  /// The source with the number `index` is in trouble although its tiles come; nil: no longer.
  func troubled(_ index: Int, _ error: SourceError?) {
    guard let i = numbered(index) else { return }
    entries[i].trouble = error.map { (index, $0.description) }
    // What is worse stays what it is.
    if entries[i].hasFailed { return }
    store.outbox.note(entries[i].spec.matter, .warning, entries[i].error)
    store.outbox.add(.layers)
  }

  /// A tile of a source could not be read or decoded.
  func tileFailed(_ key: TileKey, _ error: TileError, at now: UInt64 = EventLoop.now()) {
    guard let i = numbered(key.source) else { return }
    let tile = FailedTile(key, error, at: now)
    store.outbox.tell(.tileError(source: entries[i].spec.name, error))
    guard let told = entries[i].told else { return tell(i, tile) }
    failedTiles.add(entries[i].spec.matter, error)
    if told.key == key { return tell(i, tile) }
    keepUntold(i, tile)
    if !store.loader.hasFailed(told.key) { tellUntoldSoon() }
  }

  /// A tile that had failed was requested again, and failed again. The reason may be another one
  /// now: the service is back, but its server is not. The tile that is told says so for all, unless
  /// it is not requested again, or was silent for long and another one has another reason.
  func tileFailedAgain(_ key: TileKey, _ error: TileError, at now: UInt64 = EventLoop.now()) {
    guard let i = numbered(key.source), let told = entries[i].told else { return }
    let tile = FailedTile(key, error, at: now)
    if told.key == key { return tell(i, tile) }
    let isOutdated =
      told.reason != tile.reason && now &- told.at >= SourceList.longestSilence
    if store.loader.isRetried(told.key), !isOutdated { return keepUntold(i, tile) }
    if store.loader.hasFailed(told.key) { keepUntold(i, told) }
    tell(i, tile)
  }

  /// A tile that may have failed was answered: it came, there is none, or it is promised.
  func tileAnswered(_ key: TileKey) {
    if let tile = key.tile, toldTiles.contains(tile) { tellUntoldSoon() }
  }

  /// Tiles of the source with the number `index` that had failed came, or are forgotten.
  func tilesForgotten(of index: Int) {
    if let i = numbered(index), entries[i].told != nil { tellUntoldSoon() }
  }

  /// Tells of other tiles that fail where those that were told of no longer do.
  func tellUntold() {
    let loader = store.loader
    for i in entries.indices {
      guard let told = entries[i].told, !loader.hasFailed(told.key) else { continue }
      entries[i].untold.removeAll { !loader.hasFailed($0.key) }
      if let tile = entries[i].untold.last { tell(i, tile) }
    }
    noteToldTiles()
  }

  private func keepUntold(_ i: Int, _ tile: FailedTile) {
    entries[i].untold.removeAll { $0.key == tile.key }
    entries[i].untold.append(tile)
    if entries[i].untold.count <= SourceList.mostUntold { return }
    // Those that are requested again will tell of themselves.
    let first = entries[i].untold.firstIndex { store.loader.isRetried($0.key) }
    entries[i].untold.remove(at: first ?? 0)
  }

  private func tell(_ i: Int, _ tile: FailedTile) {
    entries[i].told = tile
    entries[i].untold.removeAll { $0.key == tile.key }
    noteToldTiles()
    store.outbox.note(entries[i].spec.matter, .warning, entries[i].error)
  }
}
