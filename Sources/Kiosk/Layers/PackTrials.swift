import EventLoop
import Platform

/// Reports packs over which the program crashed, and clears those that prove good. A part of the
/// layer book.
///
/// Use it on the loop's thread.
final class PackTrials {
  /// The name of the matter in the health.
  private static let matter = "packs"

  let list: TrialList
  private let outbox: Outbox
  private let loop: EventLoop
  private var timer: LoopTimer?
  private var waker: Waker?
  private let worker: Worker
  private var known = TrialList.Figures()

  init(_ list: TrialList, loop: EventLoop, outbox: Outbox) {
    self.list = list
    self.loop = loop
    self.outbox = outbox
    worker = Worker("trials", loop: loop, capacity: 1)
    timer = loop.timer { [weak self] in self?.sweep() }
    waker = try? loop.waker { [weak self] in self?.look() }
    list.observe(waker)
  }

  deinit { if let waker { loop.remove(waker) } }

  /// No layer has `files` any more.
  func removed(_ files: [String]) {
    list.forget(files)
    look()
  }

  private func sweep() {
    if !post({ $0.sweep() }) { timer?.arm(after: list.time) }
  }

  /// Has the list changed on the thread, and tells of what is on it then.
  private func post(_ change: @escaping @Sendable (TrialList) -> Void) -> Bool {
    let list = list
    return worker.post(
      { change(list) }, then: { [weak self] in self?.look() })
  }

  /// Tells of what is on the list, and looks again when the next trial is over.
  private func look() {
    let figures = list.wanted
    tell(figures)
    if let end = figures.trialEnd { timer?.arm(at: end) }
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
          + " alone; not opened until it changes, or the next boot")
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
