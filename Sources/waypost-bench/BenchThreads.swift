import CBench
import Glibc

/// Several threads that write to new memory, and nothing else.
enum BenchThreads {
  /// Handed to one thread, which releases it.
  private final class Part {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Runs `body` once on each thread, with the memory and the thread's number from 0.
  ///
  /// Each thread has to write only its own part of the memory of `bytes`, which is new to the
  /// process and is freed at the end. Returns the nanoseconds that all of them took together.
  static func run(
    bytes: Int, threads: Int, _ body: @escaping (UnsafeMutableRawPointer, Int) -> Void
  ) -> Double {
    guard
      let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      memory != MAP_FAILED
    else { stop("no memory") }
    defer { munmap(memory, bytes) }
    let begun = bench_now()
    var started: [pthread_t] = []
    for number in 0..<threads {
      var thread = pthread_t()
      let part = Unmanaged.passRetained(Part { body(memory, number) })
      pthread_create(
        &thread, nil,
        { raw in
          guard let raw else { return nil }
          Unmanaged<Part>.fromOpaque(raw).takeRetainedValue().body()
          return nil
        }, part.toOpaque())
      started.append(thread)
    }
    for thread in started { pthread_join(thread, nil) }
    return Double(bench_now() - begun)
  }
}
