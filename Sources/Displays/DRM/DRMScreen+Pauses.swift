extension DRMScreen {
  /// How long to wait until something is looked at or tried again, in nanoseconds.
  struct Pauses {
    /// After a device event: they come in bursts, and a monitor needs a moment after it is plugged
    /// in.
    var event: UInt64 = 200_000_000
    /// A card that may not be opened, or that seems to be no display.
    var rights: UInt64 = 1_000_000_000
    /// A card that failed, at first; twice as long each time, up to a minute.
    var fault: UInt64 = 1_000_000_000
    /// A frame that failed for the first time within a minute.
    var frame: UInt64 = 200_000_000
    /// A larger mode that lacked memory.
    var memory: UInt64 = 60_000_000_000
  }
}
