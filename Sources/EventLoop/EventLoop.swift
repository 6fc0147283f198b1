import CLinux
import Glibc
import Platform

/// The one thread's loop: descriptors, timers, signals and wakes from other threads, behind one
/// epoll. While nothing happens it sleeps without a timeout, and a wake-up allocates nothing.
///
/// Belongs to the thread that made it; deliberately not `Sendable`. Other threads reach it through
/// a `Waker` alone.
public final class EventLoop {
  /// Called after all handlers of one wake-up, and once as `run()` begins: where the kiosk draws.
  public var beforeSleep: (() -> Void)?
  /// How often the loop has woken.
  public private(set) var wakeups = 0

  private let epoll: Int32
  private let events: UnsafeMutablePointer<epoll_event>
  private static let batch = 64
  /// The watch of each descriptor, by its number. An event carries the number and the watch's
  /// generation, so one that was meant for a cancelled watch, or for an earlier file of the same
  /// number, finds nobody.
  private var watches: [Watch?] = []
  private var generation: UInt32 = 0
  private var timers: TimerQueue
  private var stopping = false
  private var isDispatching = false

  /// Makes an epoll and a timerfd.
  ///
  /// - Throws: `SystemError` where the process has no descriptors left.
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

  /// The time in nanoseconds of CLOCK_MONOTONIC.
  public static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  // MARK: Descriptors

  /// Calls `handler` on the loop whenever `fd` is ready for what `interest` names, hung up or in
  /// error (level-triggered: again at each wake-up while it stays so).
  ///
  /// - Parameters:
  ///   - fd: the descriptor; it stays the caller's, and has to stay open until the watch is
  ///     cancelled.
  ///   - interest: what to be told.
  ///   - handler: called with what it is ready for.
  /// - Returns: the watch, which cancels; it need not be kept.
  /// - Throws: `SystemError` for a descriptor that is not open (EBADF), is watched already (EEXIST)
  ///   or, like a regular file, is always ready (EPERM).
  @discardableResult
  public func watch(
    _ fd: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(SystemError) -> Watch {
    // Generation 0 is the timerfd's.
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
    // Fails only where the descriptor has been closed, and then there is nothing to change.
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

  /// A timer; `LoopTimer.arm` starts it.
  public func timer(_ handler: @escaping () -> Void) -> LoopTimer {
    LoopTimer(loop: self, handler: handler)
  }

  func arm(_ timer: LoopTimer, at deadline: UInt64) { timers.arm(timer, at: deadline) }

  func disarm(_ timer: LoopTimer) { timers.disarm(timer) }

  /// A waker whose `wake()`, from any thread, has `handler` called on the loop. It lives as long
  /// as the loop, or whoever holds it, whichever is longer.
  ///
  /// - Parameter handler: called on the loop, once for any number of wakes before it.
  /// - Returns: the waker.
  /// - Throws: `SystemError` where the process has no descriptors left.
  public func waker(_ handler: @escaping () -> Void) throws(SystemError) -> Waker {
    let waker = try Waker()
    try watch(waker.fd, [.readable, .edge]) { _ in
      waker.clear()
      handler()
    }
    return waker
  }

  /// Blocks the signals and has `handler` called on the loop with the number of each that comes.
  /// Call it before the process starts other threads: they inherit the blocking, and a thread
  /// that lacks it would still be interrupted in the old way.
  ///
  /// - Parameters:
  ///   - numbers: the signals, such as SIGTERM.
  ///   - handler: called with the number of one that came.
  /// - Throws: `SystemError` for a number that is no signal.
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

  /// Has `run()` return when the handlers of this wake-up are done; at once if it has not begun.
  /// On the loop's thread; another one wakes a waker whose handler calls this.
  public func stop() { stopping = true }

  /// Sleeps once, at most `timeout` nanoseconds (nil: until something happens), then calls the
  /// handlers and `beforeSleep`. True if anything was ready.
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

/// A descriptor that is closed with its last user.
final class OwnedDescriptor {
  let fd: Int32
  init(_ fd: Int32) { self.fd = fd }
  deinit { close(fd) }
}
