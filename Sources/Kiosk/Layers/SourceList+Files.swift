import EventLoop
import MapScene
import TileSources

/// Sources whose files change. The new file is opened under a number of its own. The old map
/// stays on the screen, without any of the new one's tiles, until all tiles that the view needs are
/// there.
extension SourceList {
  /// How long the old map stays while the new one is incomplete, in nanoseconds.
  static let replacementPatience: UInt64 = 10_000_000_000

  // MARK: Looking at files

  /// Has the files of all sources looked at that were opened or could not be. `written`: see
  /// `FileWatch.takeWritten`.
  func checkFiles(_ written: Set<String>) {
    for i in entries.indices {
      let interest = interest(in: entries[i], written)
      store.look(at: &entries[i], for: interest)
    }
  }

  /// A look at the files of `entry` while a program writes to them finds nothing of interest, where
  /// there is something to read.
  private func interest(
    in entry: SourceEntry, _ written: Set<String>
  ) -> StampCheck.Interest {
    let isWritten = entry.files.contains { written.contains($0) || written.contains($0 + "/") }
    return isWritten || entry.isLookDue || entry.hasFailed ? .change : .replacement
  }

  /// A reader found that the file of the source of number `index` was replaced.
  func readerFoundReplacement(_ index: Int) {
    guard let i = entries.firstIndex(where: { $0.index == index }) else { return }
    store.look(at: &entries[i], for: .replacement)
  }

  /// Watches the files of every source that was opened or could not be.
  func watchFiles() {
    var files: Set<String> = []
    for entry in entries {
      if case .closed = entry.state { continue }
      files.formUnion(entry.files)
      // Levels come to a folder one by one.
      if entry.hasFailed || entry.info?.kind == "directory" {
        files.formUnion(entry.files.map { $0 + "/" })
      }
    }
    store.files.setWatched(files, of: .sources)
  }

  // MARK: Opening changed files

  /// Opens a source's changed files beside the old ones. Does nothing if the change is not of a
  /// source.
  func filesChanged(_ change: LayerFiles.Change) {
    guard let i = entries.firstIndex(where: { $0.stamp === change.layer }),
      let before = entries[i].stamp.locked({ $0 }), before != change.stamp
    else { return }
    switch entries[i].state {
    case .closed: return
    case .failed:
      // What is wrong stays known until it is open.
      register(i)
      store.loader.open(entries[i].index)
    case .open:
      if change.isAsked || change.stamp.isReplaced(since: before) || mayRewrite(i) { reopen(i) }
    }
  }

  /// Whether the file of `i`, which was written to, may be opened again now. If not, it is looked
  /// at when it may.
  private func mayRewrite(_ i: Int) -> Bool {
    let now = EventLoop.now()
    if let last = entries[i].rewrittenAt, now < last &+ rewritePause {
      entries[i].isLookDue = true
      if rewriteTimer?.isArmed == false { rewriteTimer?.arm(at: last &+ rewritePause) }
      return false
    }
    entries[i].rewrittenAt = now
    return true
  }

  private func reopen(_ i: Int) {
    guard entries[i].reopening == nil, let next = store.takeIndex() else { return }
    entries[i].reopening = next
    register(i, as: next)
    store.loader.open(next)
  }

  /// The loader opened `index`. Returns whether that is a changed file.
  func openedAgain(
    _ index: Int, _ info: TileSources.SourceInfo, _ problems: [SourceError]
  ) -> Bool {
    guard let i = entries.firstIndex(where: { $0.reopening == index }) else { return false }
    let isFirst = !hasReplacement
    entries[i].reopened = SourceEntry.Reopened(info: info, problems: problems)
    if !shown.contains(entries[i].name) {
      replace(i)
    } else if isFirst {
      replacedBy = EventLoop.now() &+ SourceList.replacementPatience
      replacementTimer?.arm(at: replacedBy)
    }
    return true
  }

  /// The loader could not open `index`. Returns whether that is a changed file. The old source then
  /// stays until the file can be read.
  func openAgainFailed(_ index: Int, _ error: SourceError) -> Bool {
    guard let i = entries.firstIndex(where: { $0.reopening == index }) else { return false }
    store.dropReopening(of: &entries[i])
    note(i, error, .warning)
    store.lookIfDue(at: &entries[i])
    return true
  }

  // MARK: Replacing

  /// Whether a changed file is being opened or waits to be shown.
  var isReplacing: Bool { entries.contains { $0.reopening != nil } }

  /// Whether a changed file is open and waits to be shown.
  var hasReplacement: Bool { entries.contains { $0.reopened != nil } }

  /// Whether `index` is the number of a changed file that waits to be shown.
  func isReplacement(_ index: Int) -> Bool {
    entries.contains { $0.reopening == index && $0.reopened != nil }
  }

  /// Shows all changed files that are open.
  func replaceAll() {
    for i in entries.indices where entries[i].reopened != nil { replace(i) }
    replacementTimer?.cancel()
  }

  private func replace(_ i: Int) {
    guard let next = entries[i].reopening, let reopened = entries[i].reopened else { return }
    store.dropFormer(of: &entries[i])
    store.loader.removeSource(entries[i].index)
    store.giveBack(entries[i].index)
    entries[i].index = next
    (entries[i].reopening, entries[i].reopened) = (nil, nil)
    entries[i].state = .open(reopened.info)
    entries[i].problem = reopened.problems.first?.description
    note(i, reopened.problems.first, .warning)
    store.outbox.tell(.source(name: entries[i].name, change: .changed))
    watchFiles()
    store.lookIfDue(at: &entries[i])
  }
}
