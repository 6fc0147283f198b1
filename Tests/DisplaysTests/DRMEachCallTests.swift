import EventLoop
import Glibc
import MapGeometry
import Platform
import Testing

@testable import Displays

/// Each DRM call of a start, of the first frame and of page flips fails once, with each error: the
/// picture is on the screen soon after, and what was wrong was told. So does each call of what
/// comes later: sleep, a monitor that goes and comes, another terminal.
@Suite struct DRMEachCallTests {
  /// One card whose call fails once, and the screen that uses it.
  private final class Life {
    let loop: EventLoop
    var devices: [FakeDRM] = []
    var screen: DRMScreen?
    var notes: [String] = []
    /// Whether the screen was without a picture at any time after it was opened.
    var wasDark = false
    /// Whether the monitor is plugged in, also into a card that is opened later.
    var isPlugged = true { didSet { for device in devices { device.isPlugged = isPlugged } } }
    /// How often each call of the first card was made until the first pictures were shown.
    var begun: [FakeDRM.Call: Int] = [:]

    init(atomic: Bool, failing call: FakeDRM.Call?, _ code: Int32, after: Int) throws {
      loop = try EventLoop()
      let pauses = DRMScreen.Pauses(
        event: 1_000_000, rights: 1_000_000, fault: 1_000_000, frame: 1_000_000)
      let screen = try DRMScreen.open(
        DisplayRequest(), loop: loop, console: nil, services: nil, atomic: atomic,
        cards: DRMCards(
          paths: { _ in ["/dev/dri/card9"] },
          open: { [unowned self] (_: String) throws(SystemError) -> any DRMDevice in
            let device = FakeDRM()
            device.isPlugged = isPlugged
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

    /// Draws until `count` pictures more are on one card; false: that does not come about.
    func showPictures(_ count: Int = 3, on screen: DRMScreen) -> Bool {
      let end = EventLoop.now() + 20_000_000_000
      let (present, shown) = (devices.last, devices.last?.shown.count ?? 0)
      while EventLoop.now() < end {
        if let device = devices.last, screen.isConnected, screen.display.isVisible,
          !device.isClosed, device.shown.count >= count + (device === present ? shown : 0)
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

    /// Lets the panel sleep and wakes it, unplugs the monitor and plugs it in again, and gives
    /// another terminal the card for a moment. Returns what does not come about; nil: all does.
    func walk(_ screen: DRMScreen) -> String? {
      if !showPictures(on: screen) { return "the first pictures" }
      begun = devices[0].counts
      screen.setPower(false)
      for _ in 0..<3 { loop.runOnce(timeout: 1_000_000) }
      screen.setPower(true)
      if !showPictures(2, on: screen) { return "the pictures after sleep" }
      isPlugged = false
      screen.devicesChanged()
      let end = EventLoop.now() + 20_000_000_000
      while screen.isConnected, EventLoop.now() < end { loop.runOnce(timeout: 20_000_000) }
      if screen.isConnected { return "the end of the unplugged monitor's pictures" }
      isPlugged = true
      screen.devicesChanged()
      if !showPictures(2, on: screen) { return "the pictures of the monitor that is back" }
      screen.leave()
      for _ in 0..<3 { loop.runOnce(timeout: 1_000_000) }
      screen.comeBack()
      if !showPictures(2, on: screen) { return "the pictures after another terminal" }
      return nil
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

  /// Which uses of a call fail in turn: all. Events are read whenever the loop turns, so some of
  /// those stand for all.
  private func chosen(_ uses: Range<Int>, of call: FakeDRM.Call) -> [Int] {
    let step = call == .readEvents ? max(1, uses.count / 8) : 1
    return Array(stride(from: uses.lowerBound, to: uses.upperBound, by: step))
  }

  @Test(arguments: [EIO, EINVAL, ENOMEM, EBUSY], [true, false])
  func thePictureComesAfterEachOne(_ code: Int32, isAtomic: Bool) throws {
    let counts = try calls(atomic: isAtomic)
    #expect(counts[isAtomic ? .flipCommit : .pageFlip, default: 0] >= 2)
    for (call, count) in counts {
      for after in chosen(0..<count, of: call) {
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

  @Test(arguments: [EIO, ENOMEM], [true, false])
  func thePictureComesBackAfterEachOneOfWhatComesLater(_ code: Int32, isAtomic: Bool) throws {
    let whole = try Life(atomic: isAtomic, failing: nil, 0, after: 0)
    defer { whole.close() }
    #expect(whole.walk(try #require(whole.screen)) == nil)
    #expect(whole.devices.count == 1)
    let counts = whole.devices[0].counts
    // What turns the panel off and on, and what gives the card away and takes it back.
    let (power, begun) = (isAtomic ? FakeDRM.Call.modeCommit : .setConnectorProperty, whole.begun)
    for (call, least) in [(power, 3), (.connector, 3), (.setMaster, 1), (.dropMaster, 1)] {
      #expect(counts[call, default: 0] - begun[call, default: 0] >= least, "\(call)")
    }
    for (call, count) in counts {
      let first = begun[call, default: 0]
      for after in chosen(first..<max(first, count), of: call) {
        let error = SystemError(call.rawValue, code: code).name
        let what = "\(call) fails with \(error) after \(after)"
        let life = try Life(atomic: isAtomic, failing: call, code, after: after)
        defer { life.close() }
        let missing = life.walk(try #require(life.screen))
        #expect(missing == nil, "\(what): \(life.screen?.health ?? [:])")
        let device = try #require(life.devices.last)
        #expect(device.handles.count <= 3, "\(what): buffers are left behind")
        #expect(device.blobs.count <= 1, "\(what): blobs are left behind")
      }
    }
  }
}
