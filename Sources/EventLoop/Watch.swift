import CLinux
import Glibc

/// A descriptor that the loop looks at. The loop keeps it until `cancel()`; cancel it before the
/// descriptor is closed.
public final class Watch {
  /// The descriptor; it belongs to whoever asked for the watch.
  public let fd: Int32
  let generation: UInt32
  let handler: (Interest) -> Void
  private weak var loop: EventLoop?

  init(
    _ fd: Int32, _ interest: Interest, generation: UInt32, loop: EventLoop,
    handler: @escaping (Interest) -> Void
  ) {
    self.fd = fd
    self.interest = interest
    self.generation = generation
    self.loop = loop
    self.handler = handler
  }

  /// False once cancelled, or once the loop or the descriptor has gone.
  public var isActive: Bool { loop?.owner(of: fd) === self }

  /// What is waited for. Empty: only a hangup or an error is told.
  public var interest: Interest {
    didSet {
      guard interest != oldValue, let loop, loop.owner(of: fd) === self else { return }
      loop.change(self)
    }
  }

  /// Ends the watch: its handler is not called again, not even for what this wake-up brought.
  /// May be called from any handler of the loop, and more than once.
  public func cancel() {
    guard let loop, loop.owner(of: fd) === self else { return }
    loop.remove(self)
  }
}
