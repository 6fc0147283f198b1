import CBench

/// Two things measured alternately in one run, so that other load on the machine affects both.
struct Comparison {
  /// The nanoseconds of each round.
  var measured: [Double] = []
  var reference: [Double] = []

  /// Runs `measured` and `reference` alternately, `rounds` times after a warm-up of each, with
  /// `repeats` calls per round. It counts the thread's processor time, so that other programs do
  /// not matter, or with `allThreads` that of all threads: large frames are drawn by two.
  static func run(
    rounds: Int, repeats: Int = 1, allThreads: Bool = false, measured: () -> Void,
    reference: () -> Void
  ) -> Comparison {
    var result = Comparison()
    let clock = allThreads ? bench_process_time : bench_thread_time
    func time(_ body: () -> Void) -> Double {
      let begun = clock()
      for _ in 0..<repeats { body() }
      return Double(clock() - begun) / Double(repeats)
    }
    measured()
    reference()
    for round in 0..<rounds {
      // Alternate the order, so that neither always finds the caches as the other left them.
      if round % 2 == 0 {
        result.measured.append(time(measured))
        result.reference.append(time(reference))
      } else {
        result.reference.append(time(reference))
        result.measured.append(time(measured))
      }
    }
    return result
  }

  /// The median of the rounds' ratios.
  var ratio: Double { Statistics.median(zip(measured, reference).map { $0 / $1 }) }

  /// The smallest time of one divided by the smallest time of the other, which is the ratio on an
  /// idle machine.
  var bestRatio: Double { (measured.min() ?? 0) / (reference.min() ?? 1) }
}

enum Statistics {
  /// The median; 0 for no values.
  static func median(_ values: [Double]) -> Double { quantile(values, 0.5) }

  /// The value that a `fraction` of `values` does not exceed.
  static func quantile(_ values: [Double], _ fraction: Double) -> Double {
    if values.isEmpty { return 0 }
    let sorted = values.sorted()
    if fraction == 0.5, sorted.count % 2 == 0 {
      return (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    }
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * fraction))]
  }
}
