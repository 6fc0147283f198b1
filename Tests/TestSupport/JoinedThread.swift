import Glibc

/// A pthread that can be joined.
public final class JoinedThread {
  private var id = pthread_t()

  /// Starts a thread that runs `body`.
  public init(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Box(body))
    let result = pthread_create(
      &id, nil,
      { raw in
        raw.map { Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    precondition(result == 0)
  }

  /// Waits for its end.
  public func join() { pthread_join(id, nil) }

  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
