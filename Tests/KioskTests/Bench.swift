import Configuration
import Displays
import EventLoop
import Foundation
import MapGeometry
import Pixels
import TestSupport
import TileSources

@testable import Kiosk

/// A kiosk without a beat: a frame is drawn whenever the loop runs and one is due.
final class Bench {
  let loop: EventLoop
  let kiosk: Kiosk
  let display: RecordingDisplay
  let mounts = MountChanges()
  private let folder: TemporaryFolder

  /// What `configuration` does not set is: no HUD, no state, 800 × 480. `beat`: the display keeps
  /// the pace of a panel.
  init(
    _ sources: [SourceSpec], width: Int = 800, height: Int = 480, beat: Bool = false,
    _ set: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.display.size = DisplaySize(width: width, height: height)
    configuration.sources = sources
    configuration.hud.attribution = false
    configuration.hud.scaleBar = false
    configuration.hud.north = false
    configuration.hud.toasts = false
    configuration.state.path = nil
    configuration.view.fade = 0
    configuration.view.center = GeoPoint(lat: 0, lon: 0)
    configuration.view.zoom = 3
    set(&configuration)
    loop = try EventLoop()
    let d = configuration.display
    let display = RecordingDisplay(
      HeadlessDisplay(
        width: d.size.width, height: d.size.height, format: d.format ?? .xrgb8888,
        rotation: MountingRotation(rawValue: d.rotation) ?? .none, loop: beat ? loop : nil))
    self.display = display
    kiosk = try Kiosk(
      configuration: configuration, loop: loop, makeScreen: { _, _ in FixedScreen(display) },
      font: { Bundled.text($0) })
    folder = try TemporaryFolder()
  }

  struct NotSettled: Error, CustomStringConvertible { var description: String }

  /// Runs the loop until the view is whole. Throws when that does not come about.
  @discardableResult
  func settle(timeout: Double = 600) throws -> SettleOutcome {
    var outcome: SettleOutcome?
    kiosk.settle(timeout: timeout) { outcome = $0 }
    loop.runOnce(timeout: 0)
    while outcome == nil { loop.runOnce(timeout: 1_000_000_000) }
    guard let outcome, outcome.complete else {
      throw NotSettled(description: "\(kiosk.view.current): \(kiosk.pipeline.scene.plan)")
    }
    return outcome
  }

  /// Goes there and waits until all is drawn.
  @discardableResult
  func show(
    _ center: GeoPoint, _ zoom: Double, bearing: Double = 0, timeout: Double = 60
  ) throws -> SettleOutcome {
    var view = kiosk.goal
    view.center = center
    view.zoom = zoom
    view.bearing = bearing
    kiosk.go(to: view, animate: false)
    return try settle(timeout: timeout)
  }

  /// What is on the display, turned upright, by way of the screenshot's PNG and another program.
  func picture() throws -> Picture {
    let shot = try kiosk.screenshot()
    let file = folder["screenshot.png"]
    try Data(shot.png).write(to: URL(fileURLWithPath: file))
    let decoded = try Mosaic.decode(file: file)
    return Picture(width: decoded.width, height: decoded.height, words: decoded.words)
  }

  /// The panel's pixels as they lie in its memory's rows.
  func panel() -> Picture {
    let display = kiosk.pipeline.display
    var picture = Picture(width: display.width, height: display.height, words: [])
    picture.words = [UInt32](repeating: 0, count: display.width * display.height)
    picture.words.withUnsafeMutableBufferPointer { words in
      guard let base = words.baseAddress else { return }
      _ = display.readFrame { y, row in
        (base + y * display.width).update(from: row, count: display.width)
      }
    }
    return picture
  }
}

/// Words 0xFFRRGGBB. Described in short: a failed expectation describes both of its sides.
struct Picture: Equatable, CustomStringConvertible, CustomReflectable {
  var width: Int
  var height: Int
  var words: [UInt32]

  var description: String { "a picture of \(width) × \(height) pixels" }
  var customMirror: Mirror { Mirror(self, children: []) }

  subscript(x: Int, y: Int) -> UInt32 { words[y * width + x] }

  /// How many pixels differ from `truth` where it says something, and the first of them.
  func differences(from truth: [UInt32?]) -> (count: Int, first: String) {
    guard truth.count == words.count else { return (Int.max, "another size") }
    var count = 0
    var first = ""
    for i in words.indices {
      guard let expected = truth[i], expected != words[i] else { continue }
      if count == 0 {
        first = "(\(i % width), \(i / width)): \(hex(words[i])) for \(hex(expected))"
      }
      count += 1
    }
    return (count, first)
  }

  private func hex(_ word: UInt32) -> String { String(word, radix: 16) }
}
