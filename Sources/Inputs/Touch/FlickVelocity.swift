/// The speed of a finger when it leaves: the slope of the least-squares line through its positions
/// of the last 100 ms, so that one noisy report does not throw the map across the world.
struct FlickVelocity {
  /// Nanoseconds before the finger leaves that count.
  static let window: UInt64 = 100_000_000
  /// A finger that has not moved for this long, in nanoseconds, has rested. Touch screens report
  /// only movement, most of them every 8 to 17 ms.
  static let rest: UInt64 = 60_000_000
  /// Positions over less time than this, in nanoseconds, give no speed: pixel errors would
  /// dominate.
  static let shortest: UInt64 = 15_000_000
  /// Points per second below which the map does not move on.
  static let slowest = 50.0
  /// The highest speed in points per second; faster reports are taken for errors.
  static let fastest = 6000.0

  private struct Sample {
    var time: UInt64
    var x: Double
    var y: Double
  }

  /// The last positions, oldest first. A ring buffer would save nothing at this size.
  private var samples: [Sample] = []
  private static let capacity = 32

  init() { samples.reserveCapacity(Self.capacity) }

  mutating func clear() { samples.removeAll(keepingCapacity: true) }

  /// Adds the finger's position in points at `time` in nanoseconds.
  mutating func add(x: Double, y: Double, time: UInt64) {
    if samples.count == Self.capacity { samples.removeFirst() }
    samples.append(Sample(time: time, x: x, y: y))
  }

  /// The velocity in points per second of a finger that left at `time`; 0 if it rested.
  func velocity(at time: UInt64) -> (x: Double, y: Double) {
    guard let last = samples.last, time <= last.time &+ Self.rest else { return (0, 0) }
    let recent = samples.drop { $0.time &+ Self.window < time }
    guard let first = recent.first, last.time >= first.time &+ Self.shortest else { return (0, 0) }
    var (t, x, y) = (0.0, 0.0, 0.0)
    for sample in recent {
      t += seconds(sample.time, since: first.time)
      x += sample.x
      y += sample.y
    }
    let count = Double(recent.count)
    (t, x, y) = (t / count, x / count, y / count)
    var (squares, slopeX, slopeY) = (0.0, 0.0, 0.0)
    for sample in recent {
      let d = seconds(sample.time, since: first.time) - t
      squares += d * d
      slopeX += d * (sample.x - x)
      slopeY += d * (sample.y - y)
    }
    guard squares > 0 else { return (0, 0) }
    let (vx, vy) = (slopeX / squares, slopeY / squares)
    let speed = (vx * vx + vy * vy).squareRoot()
    guard speed.isFinite, speed >= Self.slowest else { return (0, 0) }
    let limit = min(1, Self.fastest / speed)
    return (vx * limit, vy * limit)
  }

  private func seconds(_ time: UInt64, since start: UInt64) -> Double {
    time <= start ? 0 : Double(time - start) / 1e9
  }
}
