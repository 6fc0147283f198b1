import Glibc
import Inputs
import MapGeometry

/// The unit's position as known and as shown: smooth between fixes, and fixed while the unit stands
/// still.
///
/// A value without a clock or a display. Callers pass the time in nanoseconds of CLOCK_MONOTONIC.
public struct PositionState: Sendable {
  /// Where a position came from: a receiver by way of gpsd, or `position.set`.
  public enum Source: String, Sendable { case gpsd, socket }

  /// The position of the dot and the direction of its arrow.
  public struct Pose: Sendable, Equatable {
    /// The position on the unit square, 0 ≤ x < 1.
    public var place: WorldPoint
    /// The heading in degrees, 0 ≤ h < 360; nil: there is no arrow.
    public var heading: Double?
  }

  /// A position is lost if no fix came for this long, in nanoseconds.
  public static let lostAfter: UInt64 = 5_000_000_000
  /// The speed in metres per second below which the unit stands still. A receiver's course is then
  /// meaningless.
  static let standing = 0.5
  /// How far the position of a resting receiver may drift, in metres: the distance if it gives no
  /// accuracy, and the most that counts as drift.
  static let jitter = (unknown: 10.0, most: 50.0)
  /// The distance in metres beyond which the dot jumps to its new position instead of sliding.
  static let jump = 1000.0
  /// The shortest and the longest slide to a new fix, in nanoseconds.
  static let slides = (shortest: 100_000_000.0, longest: 1_200_000_000.0)

  private struct Slide: Sendable {
    var from: Pose
    var start: UInt64
    /// The duration in nanoseconds.
    var duration: Double
  }

  /// The last fix as received; nil: there was none.
  public private(set) var fix: Fix?
  /// Where the last fix came from; nil: there was none.
  public private(set) var source: Source?
  /// When the last fix came, in nanoseconds of CLOCK_MONOTONIC.
  public private(set) var fixedAt: UInt64 = 0
  /// The pose in which the dot comes to rest.
  public private(set) var end: Pose?
  /// The place of `end`, as received.
  public private(set) var endPlace = GeoPoint(lat: 0, lon: 0)
  private var slide: Slide?
  /// The smoothed time between fixes, in nanoseconds.
  private var interval = 1_000_000_000.0

  /// Creates an unknown position.
  public init() {}

  /// Takes a fix that came at `now`.
  public mutating func take(_ new: Fix, from source: Source, now: UInt64) {
    let shown = pose(at: now)
    let gap = now >= fixedAt ? Double(now - fixedAt) : 0
    let before = fix
    fix = new
    self.source = source
    fixedAt = now
    let place = WebMercator.project(new.place)
    guard let end, let shown, before != nil else {
      let stands = new.speed.map { $0 < PositionState.standing } ?? (source == .gpsd)
      self.end = Pose(place: place, heading: stands && source == .gpsd ? nil : new.heading)
      endPlace = new.place
      slide = nil
      return
    }
    // Several reports at once say nothing about how often fixes come.
    if gap >= 50_000_000 {
      interval = 0.7 * interval + 0.3 * min(gap, PositionState.slides.longest)
    }
    var pose = end
    let way = PositionState.metres(end.place, place)
    let stands = new.speed.map { $0 < PositionState.standing }
    let room = PositionState.room(new, source)
    // A receiver without a speed counts as moving once it leaves its place of rest.
    let isResting = (stands ?? (source == .gpsd)) && way <= room
    if !isResting {
      pose.place = place
      endPlace = new.place
    }
    if stands != true, !(stands == nil && isResting) {
      pose.heading =
        new.heading
        ?? (source == .gpsd && way >= max(room, 5) && way < PositionState.jump
          ? PositionState.course(end.place, place) : source == .gpsd ? pose.heading : nil)
    } else if pose.heading == nil, source == .socket {
      // A heading from the socket is trusted even while the unit stands.
      pose.heading = new.heading
    }
    if pose == end { return }
    self.end = pose
    if way > PositionState.jump {
      slide = nil
      return
    }
    let (shortest, longest) = PositionState.slides
    slide = Slide(
      from: shown, start: now, duration: min(max(interval * 1.15, shortest), longest))
  }

  /// Ends a slide at its goal.
  public mutating func finish() { slide = nil }

  // MARK: Showing

  /// The pose shown at `now`; nil: there was no fix.
  public func pose(at now: UInt64) -> Pose? {
    guard let end, let slide else { return end }
    let t = now <= slide.start ? 0 : Double(now - slide.start) / slide.duration
    if t >= 1 { return end }
    var dx = end.place.x - slide.from.place.x
    dx -= dx.rounded()
    var x = slide.from.place.x + dx * t
    x -= x.rounded(.down)
    let y = slide.from.place.y + (end.place.y - slide.from.place.y) * t
    var heading = end.heading
    if let from = slide.from.heading, let to = end.heading {
      heading = Viewport.wrapBearing(from + PositionState.turn(from, to) * t)
    }
    return Pose(place: WorldPoint(x: x, y: y), heading: heading)
  }

  /// Whether the dot or its arrow moves at `now`.
  public func isSliding(at now: UInt64) -> Bool {
    slide.map { now < $0.start || Double(now - $0.start) < $0.duration } ?? false
  }

  /// How fast the dot slides: its speed in world widths per nanosecond, its turn in degrees per
  /// nanosecond, and when the slide ends. Nil: it does not slide.
  public func speed(at now: UInt64) -> (place: Double, turn: Double, over: UInt64)? {
    guard let end, let slide, isSliding(at: now) else { return nil }
    var dx = end.place.x - slide.from.place.x
    dx -= dx.rounded()
    let dy = end.place.y - slide.from.place.y
    var turn = 0.0
    if let from = slide.from.heading, let to = end.heading {
      turn = abs(PositionState.turn(from, to))
    }
    return (
      (dx * dx + dy * dy).squareRoot() / slide.duration, turn / slide.duration,
      slide.start &+ UInt64(slide.duration)
    )
  }

  /// Seconds since the last fix.
  public func age(at now: UInt64) -> Double {
    now > fixedAt ? Double(now - fixedAt) / 1e9 : 0
  }

  /// Whether no fix has come for `lostAfter`.
  public func isLost(at now: UInt64) -> Bool {
    fix != nil && now > fixedAt && now - fixedAt >= PositionState.lostAfter
  }

  /// The part of an age of so many seconds that is told (`Words.age`): whole seconds, minutes,
  /// hours or days, in seconds.
  static func toldAge(_ seconds: Double) -> Int {
    let s = Int(min(max(seconds, 0), 1e9))
    return s - s % (s < 60 ? 1 : s < 3600 ? 60 : s < 86_400 ? 3600 : 86_400)
  }

  /// Seconds until `toldAge` changes.
  static func untilNextAge(_ seconds: Double) -> Double {
    let unit = seconds < 60 ? 1.0 : seconds < 3600 ? 60.0 : seconds < 86_400 ? 3600 : 86_400
    return unit - max(seconds, 0).truncatingRemainder(dividingBy: unit)
  }

  // MARK: Distances

  /// The distance in metres within which a resting unit's position counts as unchanged.
  private static func room(_ fix: Fix, _ source: Source) -> Double {
    min(fix.accuracy ?? (source == .gpsd ? jitter.unknown : 0), jitter.most)
  }

  /// The turn from one heading to another, −180 to 180 degrees.
  static func turn(_ from: Double, _ to: Double) -> Double {
    let d = to - from
    return d - 360 * (d / 360).rounded()
  }

  /// The distance in metres between two places. Exact for nearby places; far ones only come out
  /// far.
  static func metres(_ a: WorldPoint, _ b: WorldPoint) -> Double {
    var dx = b.x - a.x
    dx -= dx.rounded()
    let dy = b.y - a.y
    let lat = WebMercator.unproject(WorldPoint(x: a.x, y: (a.y + b.y) / 2)).lat
    return (dx * dx + dy * dy).squareRoot() * WebMercator.metersPerPoint(lat: lat, zoom: 0)
      * WebMercator.pointsAtZoom0
  }

  /// The course from one place to another, in degrees from north.
  static func course(_ a: WorldPoint, _ b: WorldPoint) -> Double {
    var dx = b.x - a.x
    dx -= dx.rounded()
    return Viewport.wrapBearing(atan2(dx, a.y - b.y) * 180 / .pi)
  }
}
