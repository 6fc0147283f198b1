import EventLoop
import Platform
import TileSources

/// What the sources of a service share.
struct ServiceContext {
  var loop: EventLoop
  /// Where the sockets are.
  var folder: String
  /// The queue of the server of an address.
  var queueOf: (_ address: String) -> HostQueue
  /// The directories of all archives.
  var directories = DirectoryCache(limit: 8 << 20)
  /// The answers of all connections that are not read yet.
  var unsent = UnsentAnswers()
  /// The monotonic clock in nanoseconds.
  var clock: () -> UInt64
  /// Seconds since 1970.
  var wallClock: () -> Int64
  var log: (LogLevel, String) -> Void
  /// Takes what is wrong with a matter, and nil once it no longer is.
  var problem: (_ what: String, _ detail: String?) -> Void = { _, _ in }
}
