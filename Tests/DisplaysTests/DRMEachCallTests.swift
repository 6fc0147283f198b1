import EventLoop
import Glibc
import MapGeometry
import Platform
import Testing

@testable import Displays

/// Each DRM call of a start, of the first frame and of page flips fails once, with each error: the
/// picture is on the screen soon after, and what was wrong was told.
@Suite(.timeLimit(.minutes(5))) struct DRMEachCallTests {
  /// One card whose call fails once, and the screen that uses it.
  private final class Life {
    let loop: EventLoop
    var devices: [FakeDRM] = []
    var screen: DRMScreen?
    var notes: [String] = []
    /// Whether the screen was without a picture at any time after it was opened.
    var wasDark = false

    init(atomic: Bool, failing call: FakeDRM.Call?, _ code: Int32, after: Int) throws {
      loop = try EventLoop()
      let pauses = DRMScreen.Pauses(rights: 1_000_000, fault: 1_000_000, frame: 1_000_000)
      let screen = try DRMScreen.open(
        DisplayRequest(), loop: loop, console: nil, services: nil, atomic: atomic,
        cards: DRMCards(
          paths: { _ in ["/dev/dri/card9"] },
          open: { [unowned self] (_: String) throws(SystemError) -> any DRMDevice in
            let device = FakeDRM()
            if let call, devices.isEmpty { device.fail(call, code, times: 1, after: after) }
            devices.append(device)
            return device
          },
          adopt: { _ in nil }), pauses: pauses)
      self.screen = screen
      wasDark = !screen.isConnected
      if let text = screen.refusal { notes.append(text) }
      screen.onHealth = { [unowned self] in if let text = $1 { notes.append("\($0): \(text)") } }
    }

    /// Draws until three pictures more are on one card; false: that does not come about.
    func showPictures(on screen: DRMScreen) -> Bool {
      let end = EventLoop.now() + 4_000_000_000
      while EventLoop.now() < end {
        if let device = devices.last, device.shown.count >= 3, screen.isConnected,
          screen.display.isVisible, !device.isClosed
        {
          return true
        }
        wasDark = wasDark || !screen.isConnected || !screen.display.isVisible
        if let text = screen.refusal { notes.append(text) }
        if screen.display.isVisible, screen.display.isReady {
          _ = screen.display.begin()
          screen.display.present(damage: [PixelRect(x: 0, y: 0, width: 8, height: 8)])
        }
        if let device = devices.last, !device.isClosed { device.sendFlip() }
        loop.runOnce(timeout: 20_000_000)
      }
      return false
    }

    func close() {
      screen?.close()
      screen = nil
    }
  }

  /// How often each call is made from the start to the third picture, where none fails.
  private func calls(atomic: Bool) throws -> [FakeDRM.Call: Int] {
    let life = try Life(atomic: atomic, failing: nil, 0, after: 0)
    defer { life.close() }
    let screen = try #require(life.screen)
    #expect(life.showPictures(on: screen))
    #expect(life.devices.count == 1)
    return life.devices[0].counts
  }

  @Test(arguments: [EIO, EINVAL, ENOMEM, EBUSY], [true, false])
  func thePictureComesAfterEachOne(_ code: Int32, isAtomic: Bool) throws {
    let counts = try calls(atomic: isAtomic)
    #expect(counts[isAtomic ? .flipCommit : .pageFlip, default: 0] >= 2)
    for (call, count) in counts {
      for after in 0..<min(count, 4) {
        let error = SystemError(call.rawValue, code: code).name
        let what = "\(call) fails with \(error) after \(after)"
        let life = try Life(atomic: isAtomic, failing: call, code, after: after)
        defer { life.close() }
        let screen = try #require(life.screen)
        #expect(life.showPictures(on: screen), "\(what): \(screen.health)")
        // Only another mode remains to be told.
        let rest = screen.health["display"] ?? "is not possible"
        #expect(rest.contains("is not possible"), "\(what): \(rest)")
        #expect(!life.wasDark || !life.notes.isEmpty, "\(what): nothing was told")
        let device = try #require(life.devices.last)
        #expect(device.handles.count <= 3, "\(what): buffers are left behind")
        #expect(device.blobs.count <= 1, "\(what): blobs are left behind")
      }
    }
  }
}
