import CLinux

/// What a watch waits for, and what it reports as ready.
public struct Interest: OptionSet, Sendable {
  /// One bit per condition.
  public let rawValue: UInt8
  /// Creates the set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// There is data to read, the end of the stream, or a connection to accept.
  public static let readable = Interest(rawValue: 1)
  /// A write would accept at least one byte.
  public static let writable = Interest(rawValue: 2)
  /// Both directions are closed. Reported without being requested, at every wake-up until the watch
  /// is cancelled.
  public static let hangup = Interest(rawValue: 4)
  /// The descriptor has a pending error, or a pipe's reader is gone. Reported without being
  /// requested.
  public static let error = Interest(rawValue: 8)

  /// The file has an exceptional condition: a pressure trigger of the kernel fired.
  public static let priority = Interest(rawValue: 32)

  /// Edge-triggered: reported once each time the descriptor becomes ready. Used for eventfds, which
  /// then need not be read.
  static let edge = Interest(rawValue: 16)

  /// EPOLLIN, EPOLLOUT, EPOLLPRI and EPOLLET. Hangup and error need not be requested
  /// (epoll_ctl(2)).
  var epollEvents: UInt32 {
    (contains(.readable) ? EPOLLIN.rawValue : 0) | (contains(.writable) ? EPOLLOUT.rawValue : 0)
      | (contains(.priority) ? EPOLLPRI.rawValue : 0) | (contains(.edge) ? EPOLLET.rawValue : 0)
  }

  init(epollEvents events: UInt32) {
    var bits: UInt8 = 0
    if events & EPOLLIN.rawValue != 0 { bits |= 1 }
    if events & EPOLLOUT.rawValue != 0 { bits |= 2 }
    if events & EPOLLHUP.rawValue != 0 { bits |= 4 }
    if events & EPOLLERR.rawValue != 0 { bits |= 8 }
    if events & EPOLLPRI.rawValue != 0 { bits |= 32 }
    rawValue = bits
  }
}
