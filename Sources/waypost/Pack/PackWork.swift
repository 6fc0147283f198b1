import Glibc
import Packs
import TileSources

/// What the commands of packs have in common: progress, and an orderly end when they are told to
/// stop.
enum PackWork {
  /// Set by a signal.
  nonisolated(unsafe) private static var isStopped: sig_atomic_t = 0
  // Unsafe: written by the handler, read by the main thread; that is what the type is for.

  /// Exit code of a command that a signal ended, as shells count it.
  private static let interrupted: Int32 = 130

  /// Runs `work` with a line of progress. On SIGINT, SIGTERM and SIGHUP the work stops and removes
  /// what it wrote; a second signal ends the process.
  ///
  /// - Parameters:
  ///   - title: what is being done: "convert".
  ///   - unit: what the report counts.
  ///   - stopped: what is said where a signal ended it.
  ///   - work: does it, and reports how far it is.
  /// - Returns: what `work` returns.
  /// - Throws: `Failure`.
  static func run<Value>(
    _ title: String, unit: ProgressLine.Unit = .tiles,
    stopped: String = "stopped; nothing was written",
    _ work: (@escaping WorkReport) throws(PackError) -> Value
  ) throws -> Value {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in PackWork.isStopped = 1 }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(signal, &action, nil)
    }
    // A file that gets larger than its limit (setrlimit(2)) is an error like a full medium.
    signal(SIGXFSZ, SIG_IGN)
    var line = ProgressLine(title, unit: unit)
    defer { line.end() }
    let shown = Shown(line)
    do throws(PackError) {
      return try work { progress in
        shown.line.show(progress.done, of: progress.total)
        return PackWork.isStopped == 0
      }
    } catch {
      shown.line.end()
      if error == .stopped { throw Failure(interrupted, stopped) }
      throw Failure(error)
    }
  }

  /// The line, for the closure that outlives the call.
  private final class Shown {
    var line: ProgressLine
    init(_ line: ProgressLine) { self.line = line }
    deinit { line.end() }
  }

  /// Copies packs into a new one, and says what was done.
  ///
  /// - Throws: `Failure`; exit code 65 where tiles had to be left out.
  static func copy(
    _ inputs: [String], to output: String, kind: PackKind, title: String, force: Bool, json: Bool
  ) throws {
    let result = try run(title) { report throws(PackError) in
      // The target is looked at first: nothing is read for one that cannot be written.
      if kind != .folder { try DraftFile.check(output, force) }
      var copy = try PackCopy(inputs, to: kind)
      copy.wantsTiles = true
      let writer = try PackTarget.writer(output, kind: kind, mayReplace: force)
      return try copy.run(into: writer, what: title, report: report)
    }
    for problem in result.problems.kinds { Output.error("waypost: \(PackTables.line(problem))") }
    let totals = result.totals
    let contents = kind == .folder ? "" : ", \(totals.contents) of them different"
    let bytes = Tables.bytes(Int(clamping: totals.bytes))
    let made = PackTables.made(
      output, tiles: totals.addressed, contents: totals.contents, bytes: totals.bytes,
      broken: result.broken)
    try Output.line(json ? made.text : "\(output): \(totals.addressed) tiles\(contents), \(bytes)")
    if result.broken > 0 {
      throw Failure(
        Failure.badData,
        "\(result.broken) tiles or parts of the index cannot be read; "
          + "the pack was made without them")
    }
  }
}
