import CLinux
import Glibc

/// A descriptor watched by the loop. The loop retains the watch until `cancel()`. Cancel it before
/// closing the descriptor.
public final class Watch {
  /// The descriptor, which the loop does not own.
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

  /// False once the watch was cancelled or the loop is gone.
  public var isActive: Bool { loop?.owner(of: fd) === self }

  /// What to wait for. If empty, only hangups and errors are reported.
  public var interest: Interest {
    didSet {
      guard interest != oldValue, let loop, loop.owner(of: fd) === self else { return }
      loop.change(self)
    }
  }

  /// Ends the watch. Its handler is not called again, not even for events of this wake-up. May be
  /// called from any handler of the loop, and more than once.
  public func cancel() {
    guard let loop, loop.owner(of: fd) === self else { return }
    loop.remove(self)
  }
}
