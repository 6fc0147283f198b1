import Platform

/// A lock for reading one file of features at a time, because reading may take many times the
/// file's size in memory.
///
/// The files of one medium are read one at a time, as each takes its size in memory: a medium that
/// hangs holds up its own files and no others. Of all files one at a time is parsed, which may take
/// many times its size.
enum ReadingTurn: Hashable, Sendable {
  /// The device's number.
  case medium(UInt64)
  case parsing

  private static let taken = Gate<Set<ReadingTurn>>([])

  /// Waits for the turn.
  func begin() { Self.taken.wait { $0.insert(self).inserted ? () : nil } }

  func end() { Self.taken.lockedBroadcast { $0.remove(self) } }
}
