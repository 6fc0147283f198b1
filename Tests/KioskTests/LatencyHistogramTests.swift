import Testing

@testable import Kiosk

struct LatencyHistogramTests {
  @Test func theMaximumIsExactWhateverBucketItFallsInto() throws {
    var times = LatencyHistogram()
    #expect(times.maximum == nil)
    for nanoseconds in [2_000_000, 41_234_567, 900] { times.add(nanoseconds: nanoseconds) }
    #expect(times.maximum == 41.235)
    // Longer than the last bucket.
    times.add(nanoseconds: 60_000_000_000)
    #expect(times.maximum == 60_000)
  }

  @Test func noPercentileExceedsTheMaximum() throws {
    var times = LatencyHistogram()
    for nanoseconds in [500_000, 12_774_000] { times.add(nanoseconds: nanoseconds) }
    #expect(times.milliseconds(at: 0.99) == 12.774)
    #expect(try #require(times.milliseconds(at: 0.5)) < 1)
  }

  @Test func percentilesAreWithinNinePercentAndNoneIsThereWithoutSamples() throws {
    var times = LatencyHistogram()
    #expect(times.milliseconds(at: 0.5) == nil)
    for step in 1...1000 { times.add(nanoseconds: step * 10_000) }
    let (half, most) = (try #require(times.milliseconds(at: 0.5)), times.milliseconds(at: 1))
    #expect(abs(half - 5) <= 5 * 0.091)
    #expect(abs(try #require(most) - 10) <= 10 * 0.091)
  }
}
