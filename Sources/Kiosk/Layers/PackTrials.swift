import EventLoop
import Platform

/// Reports packs over which the program crashed, and clears those that prove good. A part of the
/// layer book.
///
/// Use it on the loop's thread.
final class PackTrials {
  /// The name of the matter in the health.
  private static let matter = "packs"
  /// When it is known which suspects the start opens, in nanoseconds after it began.
  private static let firstLook: UInt64 = 200_000_000

  let list: TrialList
  private let outbox: Outbox
  private var timer: LoopTimer?
  private let worker: Worker
  private var known = TrialList.Figures()

  init(_ list: TrialList, loop: EventLoop, outbox: Outbox) {
    self.list = list
    self.outbox = outbox
    worker = Worker("trials", loop: loop, capacity: 1)
    timer = loop.timer { [weak self] in self?.sweep() }
    if list.figures != TrialList.Figures() { timer?.arm(after: PackTrials.firstLook) }
  }

  /// A pack was opened, or could not be opened.
  func changed() {
    if timer?.isArmed == false { timer?.arm(after: list.time) }
  }

  /// The layer of `files` was removed.
  func removed(_ files: [String]) {
    if list.forget(files) { changed() }
  }

  /// Looks again when the next trial is over.
  private func wait(until end: UInt64) {
    let now = EventLoop.now()
    timer?.arm(after: end > now ? end - now : 0)
  }

  private func sweep() {
    if !post({ $0.sweep() }) { changed() }
  }

  /// Has the list changed on the thread, and tells of what is on it then.
  private func post(_ change: @escaping @Sendable (TrialList) -> Void) -> Bool {
    let list = list
    return worker.post(
      {
        change(list)
        return list.wanted
      }, then: { [weak self] in self?.swept($0) })
  }

  private func swept(_ figures: TrialList.Figures) {
    tell(figures)
    if let end = figures.trialEnd { wait(until: end) }
  }

  /// Reports packs over which the program crashed.
  private func tell(_ figures: TrialList.Figures) {
    let before = known
    known = figures
    if figures.suspects == before.suspects, figures.refused == before.refused { return }
    var texts: [String] = []
    if !figures.suspects.isEmpty {
      texts.append(
        "the program crashed while \(figures.suspects.joined(separator: ", ")) was being opened;"
          + " opened last and alone this time")
    }
    if !figures.refused.isEmpty {
      texts.append(
        "the program crashed again while \(figures.refused.joined(separator: ", ")) was being opened"
          + " alone; not opened until the file changes, or the next boot")
    }
    outbox.note(
      PackTrials.matter, figures.refused.isEmpty ? .warning : .error,
      texts.isEmpty ? nil : texts.joined(separator: "; "))
  }

  /// Clears the packs on trial, because the program ends normally. Waits at most a second for the
  /// list's file.
  func close() {
    timer?.cancel()
    _ = post { $0.close() }
    worker.finish(within: 1)
  }
}
