import CLinux
import Glibc
import Platform

/// A thread's event loop: descriptors, timers, signals and wake-ups from other threads, behind one
/// epoll. While nothing happens it sleeps without a timeout, and a wake-up allocates nothing.
///
/// Use it on the thread that created it; it is deliberately not `Sendable`. Other threads reach it
/// only through a `Waker`.
public final class EventLoop {
  /// Called after all handlers of a wake-up, and once when `run()` begins. The kiosk draws here.
  public var beforeSleep: (() -> Void)?
  /// How often the loop has woken.
  public private(set) var wakeups = 0

  private let epoll: Int32
  private let events: UnsafeMutablePointer<epoll_event>
  private static let batch = 64
  /// The watches, indexed by descriptor. An event carries the descriptor and the watch's
  /// generation, so an event for a cancelled watch, or for an earlier file with the same number, is
  /// ignored.
  private var watches: [Watch?] = []
  private var generation: UInt32 = 0
  private var timers: TimerQueue
  private var stopping = false
  private var isDispatching = false

  /// Creates a loop, with an epoll and a timerfd.
  ///
  /// - Throws: `SystemError` if the process has no descriptors left.
  public init() throws(SystemError) {
    timers = try TimerQueue()
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    events = .allocate(capacity: Self.batch)
    if epoll < 0 { throw SystemError("epoll_create1") }
    var event = epoll_event()
    event.events = EPOLLIN.rawValue
    event.data.u64 = Self.key(timers.fd, 0)
    if epoll_ctl(epoll, EPOLL_CTL_ADD, timers.fd, &event) != 0 { throw SystemError("epoll_ctl") }
  }

  deinit {
    events.deallocate()
    if epoll >= 0 { close(epoll) }
  }

  /// Readable when the loop has something to do, provided that `runOnce` has returned false since
  /// the last time. For a library that does its own waiting and runs the loop alongside.
  public var descriptor: Int32 { epoll }

  /// The time in nanoseconds of CLOCK_MONOTONIC.
  @inlinable
  public static func now() -> UInt64 { SystemClock.monotonic() }

  // MARK: Descriptors

  /// Calls `handler` on the loop whenever `fd` is ready for what `interest` names, hung up or in
  /// error. Level-triggered: it is called again at each wake-up while that lasts.
  ///
  /// - Parameters:
  ///   - fd: The descriptor. The caller keeps owning it, and must keep it open until the watch is
  ///     cancelled.
  ///   - interest: What to wait for.
  ///   - handler: Called with what the descriptor is ready for.
  /// - Returns: The watch, for cancelling it. It need not be kept.
  /// - Throws: `SystemError` if the descriptor is not open (EBADF), is already watched (EEXIST) or,
  ///   like a regular file, is always ready (EPERM).
  @discardableResult
  public func watch(
    _ fd: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(SystemError) -> Watch {
    // Generation 0 is that of the timerfd.
    generation = generation == .max ? 1 : generation + 1
    let watch = Watch(fd, interest, generation: generation, loop: self, handler: handler)
    var event = Self.event(of: watch)
    if epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0 {
      throw SystemError("epoll_ctl", on: "descriptor \(fd)")
    }
    while watches.count <= Int(fd) { watches.append(nil) }
    watches[Int(fd)] = watch
    return watch
  }

  func owner(of fd: Int32) -> Watch? {
    Int(fd) < watches.count ? watches[Int(fd)] : nil
  }

  func change(_ watch: Watch) {
    var event = Self.event(of: watch)
    // Fails only if the descriptor was closed, and then there is nothing to change.
    _ = epoll_ctl(epoll, EPOLL_CTL_MOD, watch.fd, &event)
  }

  func remove(_ watch: Watch) {
    watches[Int(watch.fd)] = nil
    var event = epoll_event()
    _ = epoll_ctl(epoll, EPOLL_CTL_DEL, watch.fd, &event)
  }

  private static func key(_ fd: Int32, _ generation: UInt32) -> UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: fd))
  }

  private static func event(of watch: Watch) -> epoll_event {
    var event = epoll_event()
    event.events = watch.interest.epollEvents
    event.data.u64 = key(watch.fd, watch.generation)
    return event
  }

  // MARK: Timers, wakes, signals

  /// Creates a timer. `LoopTimer.arm` starts it.
  public func timer(_ handler: @escaping () -> Void) -> LoopTimer {
    LoopTimer(loop: self, handler: handler)
  }

  func arm(_ timer: LoopTimer, at deadline: UInt64) { timers.arm(timer, at: deadline) }

  func disarm(_ timer: LoopTimer) { timers.disarm(timer) }

  /// Creates a waker. Its `wake()`, from any thread, makes the loop call `handler`. It lives as
  /// long as the loop or its last owner, whichever is longer, unless it is removed.
  ///
  /// - Parameter handler: Called on the loop, once for any number of wakes since the last call.
  /// - Returns: The waker.
  /// - Throws: `SystemError` if the process has no descriptors left.
  public func waker(_ handler: @escaping () -> Void) throws(SystemError) -> Waker {
    let waker = try Waker()
    try watch(waker.fd, [.readable, .edge]) { _ in
      waker.clear()
      handler()
    }
    return waker
  }

  /// Removes a waker: its handler is not called again. Its last owner closes its descriptor.
  package func remove(_ waker: Waker) { owner(of: waker.fd)?.cancel() }

  /// Blocks the signals, and calls `handler` on the loop for each one that arrives. Call it before
  /// the process starts other threads: they inherit the blocked signals, and a thread without them
  /// would still be interrupted.
  ///
  /// - Parameters:
  ///   - numbers: The signals, such as SIGTERM.
  ///   - handler: Called with the number of the signal.
  /// - Throws: `SystemError` if a number is not a signal, or no descriptors are left.
  public func signals(
    _ numbers: [Int32], _ handler: @escaping (Int32) -> Void
  ) throws(SystemError) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers where sigaddset(&set, number) != 0 {
      throw SystemError("sigaddset", on: "signal \(number)")
    }
    let blocked = pthread_sigmask(SIG_BLOCK, &set, nil)
    if blocked != 0 { throw SystemError("pthread_sigmask", code: blocked) }
    let fd = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    if fd < 0 { throw SystemError("signalfd") }
    let file = OwnedDescriptor(fd)
    try watch(fd, .readable) { _ in
      var info = signalfd_siginfo()
      let size = MemoryLayout<signalfd_siginfo>.size
      while read(file.fd, &info, size) == size { handler(Int32(bitPattern: info.ssi_signo)) }
    }
  }

  // MARK: Running

  /// Runs until `stop()`.
  public func run() {
    if !stopping { beforeSleep?() }
    while !stopping { runOnce() }
    stopping = false
  }

  /// Makes `run()` return once the handlers of this wake-up are done, or at once if it has not
  /// begun. Call it on the loop's thread; from another thread, use a waker whose handler calls it.
  public func stop() { stopping = true }

  /// Sleeps until something happens, at most `timeout` nanoseconds (nil: without limit), then calls
  /// the handlers and `beforeSleep`. Returns whether anything was ready.
  @discardableResult
  public func runOnce(timeout: UInt64? = nil) -> Bool {
    precondition(!isDispatching, "EventLoop.runOnce called from one of its own handlers")
    timers.prepare()
    var milliseconds: Int32 = -1
    if let timeout {
      let rounded = timeout / 1_000_000 + (timeout % 1_000_000 == 0 ? 0 : 1)
      milliseconds = Int32(min(rounded, UInt64(Int32.max)))
    }
    let count = epoll_wait(epoll, events, Int32(Self.batch), milliseconds)
    wakeups &+= 1
    isDispatching = true
    if count > 0 {
      for index in 0..<Int(count) { dispatch(events[index]) }
    }
    beforeSleep?()
    isDispatching = false
    return count > 0
  }

  private func dispatch(_ event: epoll_event) {
    let fd = Int32(truncatingIfNeeded: event.data.u64)
    let generation = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
    if generation == 0 {
      fireTimers()
    } else if let watch = owner(of: fd), watch.generation == generation {
      watch.handler(Interest(epollEvents: event.events))
    }
  }

  private func fireTimers() {
    timers.beginRound()
    let now = Self.now()
    while let timer = timers.next(dueAt: now) { timer.handler() }
  }
}

/// A descriptor that is closed with its last reference.
final class OwnedDescriptor {
  let fd: Int32
  init(_ fd: Int32) { self.fd = fd }
  deinit { close(fd) }
}
