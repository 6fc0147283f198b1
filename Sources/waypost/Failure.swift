import Control
import Glibc

/// Why a command did not do its work: what goes to stderr, and the exit code (sysexits(3)).
struct Failure: Error {
  static let refused: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noDaemon: Int32 = 69

  let code: Int32
  let message: String

  init(_ code: Int32, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ error: ClientError) {
    switch error {
    case .noDaemon(let path, let reason):
      code = Self.noDaemon
      message =
        "no daemon answers at \(path) (\(reason)); start one with \"waypostd --demo\","
        + " or give its socket with --socket PATH"
    case .refused(let why):
      code = Self.refused
      message = why.message
    case .malformed:
      code = Self.badData
      message = error.description
    case .closed, .timedOut, .system:
      code = Self.noDaemon
      message = error.description
    }
  }

  func report() {
    Output.error("waypost: \(message)")
  }
}

/// Lines to standard output and standard error, each with one call as it comes.
enum Output {
  static func line(_ text: String) { put(text, STDOUT_FILENO) }

  static func error(_ text: String) { put(text, STDERR_FILENO) }

  private static func put(_ text: String, _ fd: Int32) {
    let bytes = Array((text + "\n").utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        write(fd, raw.baseAddress.map { $0 + done }, raw.count - done)
      }
      if count < 0 && errno != EINTR { return }
      done += max(0, count)
    }
  }
}
