import Configuration
import Control
import EventLoop
import Glibc
import Platform

/// Reads and writes the state that survives a restart. A separate thread writes, so a medium that
/// hangs delays only the next write.
final class StateStore {
  /// Replaces a file by bytes: whole or not at all.
  typealias Write = @Sendable (_ path: String, _ bytes: [UInt8]) throws(FileError) -> Void

  /// How long the end of the program waits for the last write, in seconds.
  private static let patience = 5.0
  /// The longest time until a write that failed is tried again, in seconds.
  static let longestRetry = 3600.0

  /// The result of a write.
  private struct Outcome: Sendable {
    var state: SavedState
    var path: String
    /// What was left out: "5 of 20 overlays".
    var leftOut: [String] = []
    var error: FileError?
  }

  private let outbox: Outbox
  private let write: Write
  private var settings: Configuration.State
  private var timer: LoopTimer?
  /// Has a write that failed tried again, although nothing changed since.
  private(set) var retryTimer: LoopTimer?
  /// How many writes have failed one after the other.
  private var failures = 0
  /// The state in the file, or about to be written to it.
  private var written: SavedState?
  private let worker: Worker

  /// `write`: what writes the file, on the worker's thread.
  init(
    _ settings: Configuration.State, loop: EventLoop, outbox: Outbox,
    write: @escaping Write = { (path, bytes) throws(FileError) in
      try StateFile.write(bytes, to: path)
    }
  ) {
    self.settings = settings
    self.write = write
    worker = Worker("state", loop: loop, capacity: 1)
    self.outbox = outbox
    timer = loop.timer { [outbox] in outbox.add(.stateDue) }
    retryTimer = loop.timer { [outbox] in outbox.add(.stateDue) }
  }

  /// Whether sources, overlays and markers added over the socket are saved too.
  var keepsAdded: Bool { settings.keepAdded }

  /// Whether a state file is configured.
  var isKept: Bool { settings.path != nil }

  /// Takes new settings. Another file gets the state within `state.write_every`.
  func configure(_ new: Configuration.State) {
    let isElsewhere = new.path != settings.path
    settings = new
    guard isElsewhere else { return }
    (written, failures) = (nil, 0)
    timer?.cancel()
    retryTimer?.cancel()
    outbox.note("state", .warning, nil)
    changed()
  }

  /// The state changed, so write it within `state.write_every`.
  func changed() {
    guard isKept, timer?.isArmed == false else { return }
    timer?.arm(after: UInt64(max(settings.writeEvery, 0.1) * 1e9))
  }

  /// Writes `state` atomically on the thread, if it differs from what was written last.
  func save(_ state: SavedState) {
    timer?.cancel()
    retryTimer?.cancel()
    guard let path = settings.path, state != written else { return }
    let isTaken = worker.post(
      { [write] in StateStore.write(state, to: path, write) },
      then: { [weak self] in self?.wrote($0) })
    if isTaken {
      written = state
      return
    }
    outbox.note(
      "state", .warning,
      isWriting
        ? StateStore.hanging
        : "no thread could be started to write it; the view may not outlast a restart")
    changed()
  }

  /// What the health says of a medium that hangs with a write.
  static let hanging = "its medium does not answer; the view may not outlast a restart"

  private static func write(_ state: SavedState, to path: String, _ write: Write) -> Outcome {
    let (bytes, leftOut) = state.file()
    do throws(FileError) {
      try write(path, bytes)
      return Outcome(state: state, path: path, leftOut: leftOut)
    } catch {
      return Outcome(state: state, path: path, error: error)
    }
  }

  /// Whether a write is under way or waits for one.
  var isWriting: Bool { !worker.isIdle }

  /// Waits until what was to be written is.
  func finish() { worker.finish(within: StateStore.patience) }

  private func wrote(_ outcome: Outcome) {
    // The state has another file by now.
    guard outcome.path == settings.path else { return }
    if let error = outcome.error {
      if written == outcome.state { written = nil }
      let pause = max(settings.writeEvery, 0.1) * Double(1 << min(failures, 16))
      failures += 1
      retryTimer?.arm(after: UInt64(min(pause, StateStore.longestRetry) * 1e9))
      outbox.note("state", .warning, "\(error); the view will not outlast a restart")
      return
    }
    failures = 0
    outbox.note(
      "state", .warning,
      outcome.leftOut.isEmpty
        ? nil
        : "\(outcome.path) holds \(SavedState.maxBytes >> 20) MiB at most; "
          + "\(outcome.leftOut.joined(separator: ", ")) will not outlast a restart")
  }

  /// The state of the last run; nil if it is not to be restored or cannot be read. If its file is
  /// damaged, that is set aside and named, and the state before it is taken. Whoever removes the
  /// file wants to start anew: the state before it is then only named in the log.
  func load() -> SavedState? {
    guard settings.restore, let path = settings.path else { return nil }
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
      let previous = StateFile.previous(of: path)
      if access(previous, F_OK) == 0 {
        outbox.log(
          .warning,
          "state: \(path) is missing, although \(previous) is there; the view begins as it is "
            + "configured")
      }
      return nil
    }
    do throws(StateFile.Fault) {
      let state = try StateFile.read(path)
      written = state
      return state
    } catch {
      var text = error.error.description
      let previous = try? StateFile.read(StateFile.previous(of: path))
      if error.isDamaged {
        var isBack = false
        if previous != nil { isBack = StateFile.putBack(path) }
        if isBack { written = previous }
        if let aside = isBack ? StateFile.damaged(path) : StateFile.setAside(path) {
          text += "; set aside as \(aside)"
        }
      }
      text +=
        previous == nil
        ? "; the view begins as it is configured" : "; the view begins with the state before it"
      outbox.note("state", .warning, text)
      return previous
    }
  }
}
