import Configuration
import EventLoop
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import Pixels

/// All that the kiosk holds about the unit's position.
package final class PositionPart {
  var state = PositionState()
  var track = Breadcrumbs()
  let art = PositionArt()
  var client: GPSDClient?
  /// The address that `client` was made for, as it is written.
  var opened: String?
  /// The view is to follow the position as soon as there is one.
  var follows = true
  /// Somebody turned the map while the heading was up: it stays turned until the view follows anew.
  var isTurnedAway = false
  /// Greys a fix that does not come any more, and counts its age.
  var lostTimer: LoopTimer?
  /// Whether it was told that the fix is lost.
  var isLossTold = false
  /// The dot's next step where it slides slower than a pixel a frame.
  var stepTimer: LoopTimer?
  /// When the dot next moves by what can be seen; nil: it rests.
  var nextStep: UInt64?
  /// What is on the screen.
  var shown: PositionState.Pose?

  // What was last placed, and for which view.
  var crumbs: [Sprite] = []
  var circle: [Sprite] = []
  var dot: [Sprite] = []
  var choice = CrumbChoice()
  var placedView: Viewport?
  var placed: PositionState.Pose?
  var placedRebuilds = -1
  var placedCrumbs = 0
  var placedLost = false
  var placedAccuracy: Double?
  var placedAge = ""
  var age: (text: String, scale: Int, image: SpriteImage?) = ("", 0, nil)

  /// Bytes of the track and the pictures.
  package var trackBytes: Int { track.bytes + choice.indices.capacity * 8 }
  package var pictureBytes: Int { art.bytes + (age.image?.bytes ?? 0) }

  /// The pictures are placed anew, whatever has changed.
  func replace() { placedView = nil }

  /// Everything is drawn in the theme's colours from now on.
  func recolor(_ transform: ColorTransform) {
    art.transform = { transform.apply($0) }
    age.image = nil
    replace()
  }
}
