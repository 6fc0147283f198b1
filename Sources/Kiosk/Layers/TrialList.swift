import EventLoop
import Glibc
import Platform
import TileSources

/// Records which packs and overlay files are being opened, in a small file that outlasts the
/// process. One over which the process crashed is found there at the next start, and is then opened
/// last and alone. If it crashes the process again, all by itself, it is refused until its file
/// changes.
///
/// "Pack" below stands for either, and for the text of an overlay that is restored from the state.
///
/// The file is never synced. It survives the end of the process, which is enough. `TrialFile` tells
/// which ends of the process count, `OpeningsFile` where it is.
///
/// Used by the threads that open packs, and by one that sweeps. The loop only reads `figures`.
final class TrialList: Sendable {
  /// The packs over which the process crashed.
  struct Figures: Sendable, Equatable {
    /// Packs to open last and alone.
    var suspects: [String] = []
    /// Packs not to open until their file changes.
    var refused: [String] = []
    /// When the trial of the pack that was opened first is over, on the monotonic clock; nil: no
    /// open pack is on trial.
    var trialEnd: UInt64?
  }

  /// A text that is put on trial like a file.
  struct Text: Equatable {
    /// Its name on the list, such as "overlay hazards".
    var name: String
    /// Identifies its content.
    var stamp: String

    /// The features of an overlay.
    init(ofOverlay matter: String, _ text: String) {
      name = matter
      stamp = String(FNV1a(text.utf8).value, radix: 16)
    }
  }

  private struct State {
    var trials: [String: PackTrial] = [:]
    /// Packs that this process was to open, of those on the list. The others may be gone for ever,
    /// or no sources any more.
    var wanted: Set<String> = []
    /// Files whose trial has begun in this process and that need no other one.
    var tried: Set<String> = []
    /// How often files could not be opened, one time after the other and without a change, and
    /// killed nobody.
    var failures: [String: (stamp: String, count: Int)] = [:]
    var isClosed = false

    /// Puts `file` on trial, if there is room: suspects that nobody wants give way.
    mutating func begin(_ file: String, stamp: String) {
      if trials.count >= TrialFile.maxCount, trials[file] == nil {
        let unwanted = trials.filter { $0.value.standing != .trying && !wanted.contains($0.key) }
        guard let path = unwanted.keys.min() else { return }
        trials[path] = nil
      }
      let deaths = trials[file]?.deaths ?? 0
      trials[file] = PackTrial(standing: .trying, deaths: deaths, stamp: stamp)
    }
  }

  /// The most files that are remembered as tried, and as failed.
  private static let mostTried = 256
  /// After so many failures a file is not recorded again until it changes or can be opened: a
  /// medium that is damaged for ever must not have the list written for ever.
  private static let mostFailures = 5
  /// The longest time that a suspect waits for its turn, in nanoseconds.
  private static let patience: UInt64 = 60_000_000_000

  /// How long a pack must be open to count as good, and how long suspects let others go first, in
  /// nanoseconds.
  let time: UInt64
  private let file: OpeningsFile
  private let circumstances: @Sendable () -> TrialFile.Circumstances
  private let begun = EventLoop.now()
  private let state = Gate(State())
  /// (Not a closure: a gate would wrap that once more at each look.)
  private let observer = Gate<Waker?>(nil)
  /// The changes of the list: how many there were, and how many of them are in the file.
  private struct Writing {
    var wanted = 0
    var written = 0
    var isUnderWay = false
  }
  private let writing = Gate(Writing())
  /// Whether the file was read. Before that, it must not be written.
  private let isRead = Gate(false)
  /// How long an opening, or the start, waits for the file, in nanoseconds: a medium that hangs
  /// delays no pack of another one.
  private static let patienceWithFile: UInt64 = 2_000_000_000
  /// Writes the file; tests replace it.
  private let replace: @Sendable (String, [UInt8]) throws -> Void

  /// Reads the list. A medium that hangs is waited for as long as for a write; the suspects are
  /// known once it answers.
  ///
  /// - Parameters:
  ///   - file: Where it is.
  ///   - read: Reads it; nil: `file` does.
  ///   - time: See `time`.
  ///   - circumstances: Those at present; nil: as the kernel tells them.
  ///   - replace: Replaces a file, or throws.
  init(
    _ file: OpeningsFile, read: (@Sendable () -> [UInt8])? = nil, time: UInt64 = 3_000_000_000,
    circumstances: (@Sendable () -> TrialFile.Circumstances)? = nil,
    replace: @escaping @Sendable (String, [UInt8]) throws -> Void = {
      try FileIO.replace($0, with: $1, isSynced: false)
    }
  ) {
    self.file = file
    self.replace = replace
    self.time = time
    self.circumstances = circumstances ?? { .present }
    let read = read ?? { file.read() }
    let isStarted = startThread(named: "trials-read") { [self] in take(read()) }
    if isStarted {
      _ = isRead.wait(atMost: TrialList.patienceWithFile) { $0 ? true : nil }
    } else {
      take(read())
    }
  }

  /// Adds what the last process left. Packs that this one opened meanwhile keep their crashes.
  private func take(_ bytes: [UInt8]) {
    let found = TrialFile.trials(of: bytes, circumstances())
    state.locked { state in
      for (path, trial) in found {
        if state.trials[path] != nil {
          state.trials[path]?.deaths = trial.deaths
        } else if state.trials.count < TrialFile.maxCount {
          state.trials[path] = trial
        }
      }
    }
    isRead.lockedBroadcast { $0 = true }
    tellObserver()
  }

  /// The packs over which the process crashed.
  var figures: Figures {
    state.locked { state in
      var figures = Figures()
      for (path, trial) in state.trials {
        switch trial.standing {
        case .refused: figures.refused.append(path)
        case .waiting: figures.suspects.append(path)
        case .trying:
          if let opened = trial.opened {
            figures.trialEnd = min(figures.trialEnd ?? .max, opened &+ time)
          }
          if trial.deaths > 0 { figures.suspects.append(path) }
        }
      }
      figures.suspects.sort()
      figures.refused.sort()
      return figures
    }
  }

  /// `figures` without the packs that this process was not to open so far, or whose files are gone.
  var wanted: Figures {
    var figures = figures
    let wanted = state.locked { $0.wanted }
    figures.suspects.removeAll { !wanted.contains($0) }
    figures.refused.removeAll { !wanted.contains($0) }
    return figures
  }

  /// Has `observer` woken when `wanted` may have changed.
  func observe(_ observer: Waker?) { self.observer.locked { $0 = observer } }

  private func tellObserver() { observer.locked { $0 }?.wake() }

  // MARK: Openings

  /// Records that `files` are about to be opened. If one of them is a suspect, waits for its turn.
  ///
  /// - Parameters:
  ///   - files: Their paths.
  ///   - text: A text that is put on trial, too.
  ///   - isOnce: Whether files whose trial has begun before in this process need no other one,
  ///     because others write them again and again.
  /// - Throws: `SourceError` if one of them must not be opened, or if the program is about to end.
  func begin(_ files: [String], text: Text? = nil, isOnce: Bool = false) throws(SourceError) {
    // A file that is not there kills nobody.
    var all = files.map { (file: $0, stamp: TrialList.stamp($0)) }
    if let text { all.append((text.name, text.stamp)) }
    let found = all.filter { $0.stamp != "-" }
    want(found.map(\.file), not: all.filter { $0.stamp == "-" }.map(\.file))
    if found.isEmpty { return }
    let end = EventLoop.now() &+ TrialList.patience
    while true {
      let isLate = EventLoop.now() >= end
      let answer = state.locked { state in
        turn(of: found, isOnce: isOnce, isLate: isLate, &state)
      }
      if let isRecorded = try answer.get() {
        if isRecorded { write() }
        return
      }
      usleep(50_000)
    }
  }

  /// Puts those of `files` on trial that need it, if it is their turn. Tells whether there were
  /// any; nil: it is not their turn yet.
  private func turn(
    of files: [(file: String, stamp: String)], isOnce: Bool, isLate: Bool, _ state: inout State
  ) -> Result<Bool?, SourceError> {
    if state.isClosed {
      return .failure(SourceError(file: files[0].file, reason: "the program is about to end"))
    }
    let new = files.filter { file, stamp in
      if isOnce, state.tried.contains(file) { return false }
      guard state.trials[file] == nil, let last = state.failures[file] else { return true }
      return last.stamp != stamp || last.count < TrialList.mostFailures
    }
    for (file, stamp) in new {
      guard let trial = state.trials[file], trial.standing == .refused else { continue }
      if trial.stamp == stamp { return .failure(TrialList.refusal(of: file, trial)) }
      state.trials[file] = nil
    }
    let isSuspect = new.contains { state.trials[$0.file]?.standing == .waiting }
    if !isLate, isSuspect ? !isTurn(state) : isSuspectOnTrial(state, but: files.map(\.file)) {
      return .success(nil)
    }
    for (file, stamp) in new { state.begin(file, stamp: stamp) }
    if isOnce {
      if state.tried.count + new.count > TrialList.mostTried { state.tried = [] }
      state.tried.formUnion(new.map(\.file))
    }
    return .success(!new.isEmpty)
  }

  private static func refusal(of file: String, _ trial: PackTrial) -> SourceError {
    SourceError(
      file: file,
      reason: "the program crashed \(trial.deaths) times while it was being opened; it is opened"
        + " again once it changes, or after the next boot")
  }

  /// Notes that this process is to open `files`, if they are on the list; those of `gone` are not
  /// there any more.
  private func want(_ files: [String], not gone: [String]) {
    let isNews = state.locked { state in
      let before = state.wanted
      state.wanted.subtract(gone)
      state.wanted.formUnion(files.filter { state.trials[$0] != nil })
      return state.wanted != before
    }
    if isNews { tellObserver() }
  }

  /// Whether others had time to be opened first, and none is being opened or on trial.
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
    let isOnTrial = state.locked { state in
      for file in files {
        // One that is opened again and again is on trial no longer for that.
        if state.trials[file]?.opened == nil { state.trials[file]?.opened = now }
        state.failures[file] = nil
      }
      return files.contains { state.trials[$0] != nil }
    }
    if isOnTrial { tellObserver() }
  }

  /// Clears `files`, which could not be opened but did not kill the process.
  func failed(_ files: [String]) {
    // Texts are tried once.
    let stamps = files.filter { $0.hasPrefix("/") }.map { ($0, TrialList.stamp($0)) }
    state.locked { state in
      if state.failures.count + stamps.count > TrialList.mostTried { state.failures = [:] }
      for (file, stamp) in stamps {
        let last = state.failures[file]
        let count = last?.stamp == stamp ? last?.count ?? 0 : 0
        state.failures[file] = (stamp, min(count + 1, TrialList.mostFailures))
      }
    }
    remove { path, _ in files.contains(path) }
  }

  /// Clears packs that have been open long enough, and forgets that packs were wanted whose files
  /// are gone.
  func sweep() {
    let (now, time) = (EventLoop.now(), time)
    remove { _, trial in trial.opened.map { $0 &+ time <= now } ?? false }
    let gone = state.locked { $0.wanted }.filter { $0.hasPrefix("/") && TrialList.stamp($0) == "-" }
    if !gone.isEmpty { state.locked { $0.wanted.subtract(gone) } }
  }

  /// `files` are not to be opened any more.
  func forget(_ files: [String]) { state.locked { $0.wanted.subtract(files) } }

  /// Clears the packs on trial, because the program ends normally and none of them is to blame.
  func close() {
    state.locked { $0.isClosed = true }
    remove { _, _ in true }
  }

  private func remove(_ isDone: (String, PackTrial) -> Bool) {
    let isNews = state.locked { state in
      let before = state.trials.count
      state.trials = state.trials.filter { path, trial in
        trial.standing != .trying || !isDone(path, trial)
      }
      state.wanted.formIntersection(state.trials.keys)
      return state.trials.count != before
    }
    if isNews {
      write()
      tellObserver()
    }
  }

  // MARK: The file

  /// Has the file written on a thread of its own, and waits for it for a while.
  private func write() {
    let (mine, isFirst) = writing.locked { writing in
      writing.wanted += 1
      defer { writing.isUnderWay = true }
      return (writing.wanted, !writing.isUnderWay)
    }
    if isFirst, !startThread(named: "trials-file", { [self] in writeAll() }) { writeAll() }
    _ = writing.wait(atMost: TrialList.patienceWithFile) { $0.written >= mine ? true : nil }
  }

  /// Writes until the file has the last state.
  private func writeAll() {
    while true {
      let wanted = writing.locked { $0.wanted }
      writeFile()
      var isDone = false
      writing.lockedBroadcast { writing in
        writing.written = wanted
        isDone = writing.wanted == wanted
        if isDone { writing.isUnderWay = false }
      }
      if isDone { return }
    }
  }

  private func writeFile() {
    _ = isRead.wait { $0 ? true : nil }
    // Copied under the lock: ThreadSanitizer does not see how a dictionary that two threads share
    // becomes one's own again.
    let trials = state.locked { state in state.trials.map { ($0.key, $0.value) } }
    // What the kernel killed until now had nothing to do with these packs.
    let text = TrialFile.text(Dictionary(uniqueKeysWithValues: trials), circumstances())
    file.write(text, isEmpty: trials.isEmpty, replace)
  }

  /// Identifies the state of a file, across boots.
  private static func stamp(_ path: String) -> String {
    var info = stat()
    guard stat(path, &info) == 0 else { return "-" }
    return "\(info.st_size)/\(info.st_mtim.tv_sec)/\(info.st_mtim.tv_nsec)"
  }
}
