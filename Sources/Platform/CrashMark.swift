import CLinux

/// Appends a line to a file when the program crashes, so that the next start can tell a crash from
/// SIGKILL and from a power cut.
///
/// A crash is one of SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS and SIGTRAP. Swift traps,
/// abort(3) and systemd's watchdog raise these, too.
public enum CrashMark {
  /// The line that is appended, without its end.
  public static let line = "crashed"

  /// From now on a crash appends `line` to the first of `paths` that exists then and can be
  /// written. Handlers installed before, such as a sanitizer's, run afterwards. Call it once.
  ///
  /// - Parameter paths: At most two.
  /// - Returns: false if a path is longer than the system allows; then nothing is marked.
  @discardableResult
  public static func install(_ paths: [String]) -> Bool {
    waypost_mark_crashes(paths.first ?? "", paths.dropFirst().first ?? "", line + "\n") == 0
  }
}
