import Glibc
import Platform
import Synchronization

/// A thread that helps the calling thread to draw a frame.
///
/// Both take one band after the other until none is left. If the system starts this thread late,
/// nothing waits for it, because the other one has drawn its bands by then. Between frames it
/// sleeps, without a timer.
///
/// Unchecked: `bands` is written only while the thread is outside of a frame, as `state` ensures;
/// semaphores and atomics may be used by several threads.
final class SecondHand: @unchecked Sendable {
  /// What the thread may do.
  private enum State {
    /// There is no frame to draw.
    static let closed = 0
    /// There is one, and it may take part.
    static let open = 1
    /// It takes part.
    static let entered = 2
    /// The thread must end.
    static let ended = 3
  }

  private let state = Atomic<Int>(State.closed)
  /// The next band that nobody has taken.
  private let next = Atomic<Int>(0)
  private var bands: UnsafePointer<FrameBands>?
  private let begun = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// Starts the thread; nil if the system has no room for it.
  static func start() -> SecondHand? {
    let hand = SecondHand()
    return Platform.startThread(named: "second hand", { hand.run() }) ? hand : nil
  }

  private init() {
    sem_init(begun, 0, 0)
    sem_init(done, 0, 0)
  }

  deinit {
    sem_destroy(begun)
    sem_destroy(done)
    begun.deallocate()
    done.deallocate()
  }

  /// Ends the thread. Nothing is drawn after it.
  func end() {
    state.store(State.ended, ordering: .sequentiallyConsistent)
    sem_post(begun)
  }

  /// Draws all bands on both threads, and returns once they are drawn.
  func draw(_ bands: FrameBands) {
    withUnsafePointer(to: bands) { bands in
      self.bands = bands
      next.store(0, ordering: .relaxed)
      state.store(State.open, ordering: .sequentiallyConsistent)
      sem_post(begun)
      drawBands(bands, isSecond: false)
      let (isLate, _) = state.compareExchange(
        expected: State.open, desired: State.closed, ordering: .sequentiallyConsistent)
      if !isLate {
        // The thread has at most one band left to draw.
        while sem_wait(done) != 0 {}
        state.store(State.closed, ordering: .sequentiallyConsistent)
      }
      self.bands = nil
    }
  }

  private func drawBands(_ bands: UnsafePointer<FrameBands>, isSecond: Bool) {
    while true {
      let band = next.wrappingAdd(1, ordering: .relaxed).oldValue
      if band >= bands.pointee.count { return }
      bands.pointee.draw(band, isSecond: isSecond)
    }
  }

  private func run() {
    while true {
      while sem_wait(begun) != 0 {}
      let (isOpen, present) = state.compareExchange(
        expected: State.open, desired: State.entered, ordering: .sequentiallyConsistent)
      if !isOpen {
        // The frame was drawn without it.
        if present == State.ended { return }
        continue
      }
      if let bands { drawBands(bands, isSecond: true) }
      sem_post(done)
    }
  }
}
