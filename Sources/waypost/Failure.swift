import Control
import Glibc
import Platform

/// Why a command failed: the message for stderr and the exit code (sysexits(3)).
struct Failure: Error {
  static let refused: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noDaemon: Int32 = 69

  let code: Int32
  let message: String
  /// The daemon's refusal, which `--json` prints on standard output.
  let json: JSON?

  init(_ code: Int32, _ message: String, json: JSON? = nil) {
    self.code = code
    self.message = message
    self.json = json
  }

  /// Creates the failure of a call, with its exit code and message. With `wantsJSON`, a refusal is
  /// also printed as JSON.
  init(_ error: ClientError, wantsJSON: Bool = false) {
    switch error {
    case .noDaemon(let path, let reason):
      self.init(
        Self.noDaemon,
        "no daemon answers at \(path) (\(reason)); start one with \"waypostd --demo\","
          + " or give its socket with --socket PATH")
    case .notPermitted(let path, let group):
      self.init(
        Self.noDaemon,
        "\(path): permission denied; join the group \(group) (as root: usermod -aG \(group) USER)"
          + " and log in again")
    case .refused(let why):
      self.init(Self.refused, why.message, json: wantsJSON ? ["error": why.json] : nil)
    case .malformed: self.init(Self.badData, error.description)
    case .closed, .timedOut, .system: self.init(Self.noDaemon, error.description)
    }
  }

  func report() {
    if let json { try? Output.line(json.text) }
    Output.error("waypost: \(message)")
  }
}

/// Writes lines to standard output and standard error, each with one system call.
enum Output {
  /// A result.
  ///
  /// - Throws: `Failure` if it cannot be written. A reader that has gone is no failure: it
  ///   has read what it wanted.
  static func line(_ text: String) throws(Failure) {
    let code = put(text + "\n", STDOUT_FILENO)
    guard code == 0 || code == EPIPE else {
      throw Failure(
        Failure.badData, "standard output: cannot be written: \(SystemError.text(of: code))")
    }
  }

  /// A message of one or more lines. It may quote others' texts, so control characters are escaped.
  static func error(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    put(lines.map { String($0).escaped }.joined(separator: "\n") + "\n", STDERR_FILENO)
  }

  /// A part of a line.
  static func errorText(_ text: String) { put(text, STDERR_FILENO) }

  /// Returns the error number; 0 if everything was written.
  @discardableResult
  private static func put(_ text: String, _ fd: Int32) -> Int32 {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        write(fd, raw.baseAddress.map { $0 + done }, raw.count - done)
      }
      if count < 0 && errno != EINTR { return errno }
      done += max(0, count)
    }
    return 0
  }
}
