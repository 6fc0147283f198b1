import Glibc
import Platform

/// The turn to make a socket: a locked file beside it, `PATH.lock`, which is there only meanwhile.
///
/// The file is closed to other users. They could lock the folder, and for as long as they like.
struct ListenerTurn {
  private let path: String
  private let fd: Int32

  /// What came of waiting for a turn.
  enum Outcome {
    case taken(ListenerTurn)
    /// Another program has it.
    case busy
    /// The file cannot be made: an `errno`.
    case impossible(Int32)
  }

  /// Waits for the turn to make `socket`, 20 ms between two of `tries`.
  static func take(for socket: String, tries: Int) -> Outcome {
    let path = socket + ".lock"
    for left in (0..<tries).reversed() {
      let fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
      if fd < 0 { return .impossible(errno) }
      let turn = ListenerTurn(path: path, fd: fd)
      if flock(fd, LOCK_EX | LOCK_NB) == 0, turn.isInPlace { return .taken(turn) }
      Glibc.close(fd)
      if left > 0 { usleep(20_000) }
    }
    return .busy
  }

  /// Gives the turn back.
  func end() {
    unlink(path)
    Glibc.close(fd)
  }

  /// Whether the open file is still the one at `path`: whoever had the turn before removed theirs.
  private var isInPlace: Bool {
    var info = stat()
    return fstat(fd, &info) == 0 && FileIdentity(info) == FileIdentity(unfollowed: path)
  }
}
