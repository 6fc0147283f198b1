import EventLoop
import Inputs
import MapOverlays

/// What others may ask about the unit's position. The view controller alone changes it.
protocol PositionReading: AnyObject {
  /// What is known of it.
  var state: PositionState { get }
  /// The track so far.
  var track: Breadcrumbs { get }
  /// The connection to gpsd; nil: none is configured.
  var client: GPSDClient? { get }
  /// Fires when a fix becomes lost, and then when its displayed age changes.
  var lostTimer: LoopTimer? { get }
  /// When the dot next moves visibly, on the monotonic clock; nil: it rests.
  var nextStep: UInt64? { get }
  /// Whether the view follows it.
  var isFollowing: Bool { get }
  /// Whether the heading is up.
  var headingIsUp: Bool { get }
  /// Whether there is anything to report: a gpsd to ask, or a position that was set.
  var isKnown: Bool { get }

  /// What is drawn at `now`; nil: nothing yet.
  func picture(at now: UInt64) -> PositionShown?
}
