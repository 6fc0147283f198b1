import EventLoop
import Glibc
import MapGeometry
import MapScene

/// Lets new tiles fade in: the stand-in that they replace stays above them for a moment, ever more
/// transparent.
///
/// Only in a view that rests. A view that moves shows its tiles at once.
final class TileFade {
  /// The most bytes of pictures that fade out; what is beyond changes at once.
  static let mostBytes = 8 << 20
  /// Into how many steps a fade is divided.
  private static let steps: UInt64 = 8

  private struct Part {
    var sprite: Sprite
    /// When the fade began, on the loop's clock.
    var begun: UInt64
  }

  private let timer: LoopTimer
  private var parts: [Part] = []
  /// The placement of the map that the parts belong to.
  private var transform: ViewTransform?
  /// How long a fade takes, in nanoseconds; 0: new tiles are shown at once.
  private(set) var time: UInt64

  init(loop: EventLoop, outbox: Outbox, seconds: Double) {
    timer = loop.timer { [outbox] in outbox.add(.picture) }
    time = 0
    setTime(seconds)
  }

  /// Sets how long a fade takes.
  func setTime(_ seconds: Double) { time = UInt64(min(max(seconds, 0), 3600) * 1e9) }

  /// Whether anything fades.
  var isFading: Bool { !parts.isEmpty }

  /// Bytes of the pictures, of which several parts may show the same.
  var bytes: Int {
    var known: Set<ObjectIdentifier> = []
    return parts.reduce(0) { bytes, part in
      let image = part.sprite.image
      return known.insert(ObjectIdentifier(image)).inserted ? bytes + image.bytes : bytes
    }
  }

  /// The pictures that fade out.
  var sprites: [Sprite] { parts.map(\.sprite) }

  /// Begins to fade where `update` improves the picture of the plan `before`. Call it before the
  /// improvement is drawn.
  func begin(_ update: Scene.Update, from before: FramePlan, in pipeline: Pipeline, now: UInt64) {
    guard time > 0, !update.improved.isEmpty, before.transform == pipeline.scene.plan.transform
    else { return }
    var left = TileFade.mostBytes - bytes
    for rect in update.improved {
      // The picture that fades out here already is older than the one replaced now.
      if parts.contains(where: { $0.sprite.rect == rect }) { continue }
      guard left >= rect.width * rect.height * 4,
        let still = pipeline.compositor.still(before, rect, format: pipeline.display.format)
      else { break }
      let other = equal(to: still)
      if other == nil { left -= still.bytes }
      parts.append(Part(sprite: Sprite(other ?? still, x: rect.x, y: rect.y), begun: now))
      transform = before.transform
    }
    arm()
  }

  /// A picture that fades out already and looks the same, as all cells without a map do.
  private func equal(to image: SpriteImage) -> SpriteImage? {
    let found = parts.first { part in
      let other = part.sprite.image
      return other.width == image.width && other.height == image.height
        && memcmp(other.pixels, image.pixels, image.width * image.height * 4) == 0
    }
    return found?.sprite.image
  }

  /// Moves the fades to the time `now`. They end where the map on the screen is placed otherwise.
  ///
  /// - Returns: Whether the sprites changed.
  func advance(to now: UInt64, in plan: borrowing FramePlan) -> Bool {
    if parts.isEmpty { return false }
    if transform != plan.transform || time == 0 {
      parts.removeAll()
      timer.cancel()
      return true
    }
    parts.removeAll { now &- $0.begun >= time }
    for i in parts.indices {
      let passed = Double(now &- parts[i].begun) / Double(time)
      parts[i].sprite.opacity = 256 - Int(passed * 256)
    }
    arm()
    return true
  }

  /// Schedules the next step.
  private func arm() {
    if !parts.isEmpty, !timer.isArmed { timer.arm(after: max(time / TileFade.steps, 1)) }
  }

  /// Ends all fades: the map is another one.
  func end() {
    parts.removeAll()
    timer.cancel()
  }
}
