import EventLoop
import Glibc
import Platform
import TileSources

/// Which packs are being opened, in a small file that outlasts the process: a pack over which the
/// process died is found there at the next start. It is then opened last and alone; one that kills
/// it again, all by itself, is refused until its file changes.
///
/// The file is never synced. It stands through the end of the process, which is what counts, and a
/// power cut accuses nobody: what was under way in another boot is not taken up.
///
/// Used by the threads that open packs, and by one that sweeps; the loop only reads `figures`.
final class TrialList: Sendable {
  /// What is known of packs over which the process died.
  struct Figures: Sendable, Equatable {
    /// Opened last and alone.
    var suspects: [String] = []
    /// Not opened until the file changes.
    var refused: [String] = []
    /// Whether packs are open that are still on trial.
    var isOnTrial = false
  }

  private enum Standing: String {
    case trying
    case waiting
    case refused
  }

  private struct Trial {
    var standing: Standing
    /// How often the process died over it.
    var deaths = 0
    /// Its file as it was.
    var stamp = ""
    /// When it was open, on the monotonic clock; nil: it is being opened.
    var opened: UInt64?
  }

  private struct State {
    var trials: [String: Trial] = [:]
    var isClosed = false
  }

  private static let title = "waypost openings 1"
  private static let maxBytes = 1 << 16
  /// More are not noted.
  private static let maxCount = 64
  /// How long a suspect waits for its turn at most, and others for a suspect, in nanoseconds.
  private static let patience: UInt64 = 60_000_000_000

  /// How long a pack is read before it counts as good, and how long suspects let others go first,
  /// in nanoseconds.
  let time: UInt64
  private let path: String
  private let boot: String
  private let begun = EventLoop.now()
  private let state = Gate(State())
  /// Held while the file is written, so that the last writer writes the last state.
  private let file = Gate(())

  /// - Parameters:
  ///   - path: the file, which need not be there.
  ///   - time: see above.
  ///   - boot: tells boots apart; nil: the kernel's.
  init(path: String, time: UInt64 = 3_000_000_000, boot: String? = nil) {
    self.path = path
    self.time = time
    self.boot = boot ?? TrialList.bootID
    let found = load()
    state.locked { $0.trials = found }
  }

  private static var bootID: String {
    let bytes = try? FileIO.read("/proc/sys/kernel/random/boot_id", limit: 256)
    let text = String(decoding: bytes ?? [], as: UTF8.self)
    return String(text.prefix { !$0.isWhitespace })
  }

  /// What is known of packs over which the process died.
  var figures: Figures {
    state.locked { state in
      var figures = Figures()
      for (path, trial) in state.trials {
        switch trial.standing {
        case .refused: figures.refused.append(path)
        case .waiting: figures.suspects.append(path)
        case .trying:
          figures.isOnTrial = figures.isOnTrial || trial.opened != nil
          if trial.deaths > 0 { figures.suspects.append(path) }
        }
      }
      figures.suspects.sort()
      figures.refused.sort()
      return figures
    }
  }

  // MARK: Openings

  /// Notes that `files` are about to be opened. One that is suspect waits for its turn, and others
  /// wait while a suspect has it.
  ///
  /// - Throws: where one of them is not to be opened.
  func begin(_ files: [String]) throws(SourceError) {
    if files.isEmpty { return }
    let stamps = files.map(TrialList.stamp)
    let end = EventLoop.now() &+ TrialList.patience
    while true {
      let isLate = EventLoop.now() >= end
      let answer: Result<Bool, SourceError> = state.locked { state in
        if state.isClosed {
          return .failure(SourceError(file: files[0], reason: "the program is about to end"))
        }
        for (file, stamp) in zip(files, stamps) {
          guard let trial = state.trials[file], trial.standing == .refused else { continue }
          if trial.stamp == stamp {
            return .failure(
              SourceError(
                file: file,
                reason: "the program ended \(trial.deaths) times while it was being opened; it is"
                  + " opened again once the file changes"))
          }
          state.trials[file] = nil
        }
        let isSuspect = files.contains { state.trials[$0]?.standing == .waiting }
        if !isLate, isSuspect ? !isTurn(state) : isSuspectOnTrial(state, but: files) {
          return .success(false)
        }
        for (file, stamp) in zip(files, stamps) where state.trials.count < TrialList.maxCount {
          let deaths = state.trials[file]?.deaths ?? 0
          state.trials[file] = Trial(standing: .trying, deaths: deaths, stamp: stamp)
        }
        return .success(true)
      }
      if try answer.get() { break }
      usleep(50_000)
    }
    write()
  }

  /// Whether others were opened and proved good, and have had time to come first.
  private func isTurn(_ state: State) -> Bool {
    EventLoop.now() >= begun &+ time
      && !state.trials.values.contains { $0.standing == .trying }
  }

  /// Whether a suspect other than `files` is being opened, or was a moment ago: it has to be alone.
  private func isSuspectOnTrial(_ state: State, but files: [String]) -> Bool {
    state.trials.contains { path, trial in
      trial.standing == .trying && trial.deaths > 0 && !files.contains(path)
    }
  }

  /// `files` are open; they are on trial for a while yet.
  func opened(_ files: [String]) {
    let now = EventLoop.now()
    state.locked { state in
      for file in files { state.trials[file]?.opened = now }
    }
  }

  /// `files` could not be opened, which ended well.
  func failed(_ files: [String]) { remove { path, _ in files.contains(path) } }

  /// Forgets packs that have been open for long enough.
  func sweep() {
    let (now, time) = (EventLoop.now(), time)
    remove { _, trial in trial.opened.map { $0 &+ time <= now } ?? false }
  }

  /// The program ends as it should: nothing that is being opened is to blame.
  func close() {
    state.locked { $0.isClosed = true }
    remove { _, _ in true }
  }

  private func remove(_ isDone: (String, Trial) -> Bool) {
    let isNews = state.locked { state in
      let before = state.trials.count
      state.trials = state.trials.filter { path, trial in
        trial.standing != .trying || !isDone(path, trial)
      }
      return state.trials.count != before
    }
    if isNews { write() }
  }

  // MARK: The file

  private func write() {
    file.locked { _ in
      let trials = state.locked { $0.trials }
      if trials.isEmpty {
        unlink(path)
        return
      }
      var text = "\(TrialList.title) \(boot)\n"
      for (path, trial) in trials where !path.contains("\n") {
        text += "\(trial.standing) \(trial.deaths) \(trial.stamp) \(path)\n"
      }
      // Without it the next start knows nothing, and goes as it always did.
      try? FileIO.replace(path, with: Array(text.utf8), isSynced: false)
    }
  }

  private func load() -> [String: Trial] {
    guard let bytes = try? FileIO.read(path, limit: TrialList.maxBytes) else { return [:] }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")[...]
    guard let title = lines.popFirst(), title.hasPrefix(TrialList.title) else { return [:] }
    let isSameBoot = title == "\(TrialList.title) \(boot)"
    var found: [String: Trial] = [:]
    var tried: [String] = []
    for line in lines.prefix(TrialList.maxCount) {
      let parts = line.split(separator: " ", maxSplits: 3)
      guard parts.count == 4, let standing = Standing(rawValue: String(parts[0])),
        let deaths = Int(parts[1]), (0...1000).contains(deaths)
      else { continue }
      let path = String(parts[3])
      if standing == .trying {
        guard isSameBoot else { continue }
        tried.append(path)
      }
      found[path] = Trial(standing: standing, deaths: deaths, stamp: String(parts[2]))
    }
    for path in tried {
      let deaths = (found[path]?.deaths ?? 0) + 1
      found[path]?.deaths = deaths
      // One that was opened alone, and had been suspect, is to blame.
      found[path]?.standing = deaths > 1 && tried.count == 1 ? .refused : .waiting
    }
    return found
  }

  /// Tells a file from what it is after it changed, across boots.
  private static func stamp(_ path: String) -> String {
    var info = stat()
    guard stat(path, &info) == 0 else { return "-" }
    return "\(info.st_size)/\(info.st_mtim.tv_sec)/\(info.st_mtim.tv_nsec)"
  }
}
