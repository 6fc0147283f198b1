import EventLoop
import TileLoading
import TileSources

/// A tile that could not be read or decoded.
struct FailedTile {
  var key: TileKey
  /// Why.
  var text: String
  /// When it failed last, in nanoseconds of the monotonic clock.
  var at: UInt64
}

/// Sources whose tiles fail. The health tells of one tile of each, so that its reason does not
/// alternate, and the log counts the others.
extension SourceList {
  /// How long the last word of the tile that speaks for a source is taken for what is so, in
  /// nanoseconds.
  static let longestSilence: UInt64 = 30_000_000_000
  /// How long after that tile has come another one speaks that fails, in nanoseconds: all may be
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
    let tile = FailedTile(key: key, text: error.description, at: now)
    store.outbox.tell(.tileError(source: entries[i].spec.name, error))
    guard let told = entries[i].told else { return tell(i, tile) }
    failedTiles.add(entries[i].spec.matter, error)
    entries[i].untold = tile
    if !store.loader.hasFailed(told.key) { untoldTimer?.arm(after: SourceList.untoldPause) }
  }

  /// A tile that had failed was requested again, and failed again. The reason may be another one
  /// now: the service is back, but its server is not. The tile that is told says so for all as long
  /// as it fails, but not after it was silent for a while, because nobody asks for it any more.
  func tileFailedAgain(_ key: TileKey, _ error: TileError, at now: UInt64 = EventLoop.now()) {
    guard let i = numbered(key.source), let told = entries[i].told else { return }
    let tile = FailedTile(key: key, text: error.description, at: now)
    if told.key == key { return tell(i, tile) }
    let isFailing = store.loader.hasFailed(told.key)
    if isFailing, now &- told.at < SourceList.longestSilence {
      entries[i].untold = tile
    } else {
      tell(i, tile)
      if isFailing { entries[i].untold = told }
    }
  }

  /// A tile that may have failed was answered: it came, there is none, or it is promised.
  func tileAnswered(_ key: TileKey) {
    if toldKeys.contains(key) { untoldTimer?.arm(after: SourceList.untoldPause) }
  }

  /// Tells of other tiles that fail where those that were told of no longer do.
  func tellUntold() {
    let loader = store.loader
    for i in entries.indices {
      guard let told = entries[i].told, !loader.hasFailed(told.key),
        let untold = entries[i].untold, loader.hasFailed(untold.key)
      else { continue }
      tell(i, untold)
    }
    noteToldKeys()
  }

  private func tell(_ i: Int, _ tile: FailedTile) {
    entries[i].told = tile
    if entries[i].untold?.key == tile.key { entries[i].untold = nil }
    noteToldKeys()
    store.outbox.note(entries[i].spec.matter, .warning, entries[i].error)
  }
}
