import CLinux

/// What a watch waits for, and what it is told is ready.
public struct Interest: OptionSet, Sendable {
  /// One bit for each thing to be told.
  public let rawValue: UInt8
  /// The set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is something to read, or the end of the stream, or a connection to accept.
  public static let readable = Interest(rawValue: 1)
  /// A write would take at least one byte.
  public static let writable = Interest(rawValue: 2)
  /// Reported without being asked for: both directions are closed. It is reported at every
  /// wake-up until the watch is cancelled.
  public static let hangup = Interest(rawValue: 4)
  /// Reported without being asked for: the descriptor has an error pending, or a pipe's reader
  /// has gone.
  public static let error = Interest(rawValue: 8)

  /// Told once for each time that the descriptor becomes ready, not as long as it is: for eventfds,
  /// which then need not be read.
  static let edge = Interest(rawValue: 16)

  /// EPOLLIN, EPOLLOUT and EPOLLET; the other two need no asking (epoll_ctl(2)).
  var epollEvents: UInt32 {
    (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
      | (contains(.edge) ? EPOLLET.rawValue : 0)
  }

  init(epollEvents events: UInt32) {
    var bits: UInt8 = 0
    if events & EPOLLIN.rawValue != 0 { bits |= 1 }
    if events & EPOLLOUT.rawValue != 0 { bits |= 2 }
    if events & EPOLLHUP.rawValue != 0 { bits |= 4 }
    if events & EPOLLERR.rawValue != 0 { bits |= 8 }
    rawValue = bits
  }
}
