import Platform

/// Locks that limit the memory for reading files of features.
///
/// Each medium reads one file at a time, because a file takes its size in memory; a medium that
/// hangs holds up only its own files. Only one file in all is parsed at a time, because parsing may
/// take many times its size.
enum ReadingTurn: Hashable, Sendable {
  /// The device's number.
  case medium(UInt64)
  case parsing

  private static let taken = Gate<Set<ReadingTurn>>([])

  /// Waits for the turn.
  func begin() { Self.taken.wait { $0.insert(self).inserted ? () : nil } }

  func end() { Self.taken.lockedBroadcast { $0.remove(self) } }
}
