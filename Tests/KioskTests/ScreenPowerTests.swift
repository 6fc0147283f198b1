import Configuration
import Displays
import EventLoop
import Foundation
import Platform
import TestSupport
import Testing

@testable import Kiosk

/// Whether the panel is lit.
@Suite struct ScreenPowerTests {
  private static func add(_ name: String, to folder: TemporaryFolder) throws {
    #expect(mkdir(folder[name], 0o755) == 0)
    for (file, value) in [("type", "raw"), ("max_brightness", "255"), ("brightness", "200")] {
      _ = try folder.write(value + "\n", to: "\(name)/\(file)")
    }
  }

  @Test func aReloadThatNamesAnotherBacklightLeavesASleepingPanelDark() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try Self.add(name, to: folder) }
    func brightness(_ name: String) throws -> String {
      let bytes = try FileIO.read(folder["\(name)/brightness"], limit: 16)
      return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
    var configuration = Configuration()
    configuration.display.backlight = "a"
    let display = HeadlessDisplay(
      width: 64, height: 48, format: .xrgb8888, rotation: .none, loop: nil)
    let power = ScreenPower(
      configuration, loop: try EventLoop(), outbox: Outbox(), backlightFolder: folder.path,
      make: { _, _ in FixedScreen(display) })
    power.follow {}
    #expect(power.sleep())
    #expect(try brightness("a") == "0")
    configuration.display.backlight = "b"
    power.configure(configuration.display)
    #expect(try brightness("b") == "0")
    #expect(power.wake())
    #expect(try brightness("b") == "200")
    #expect(try brightness("a") == "200")
  }

  @Test func aBacklightThatIsMissingStaysKnownWhileThePanelSleeps() throws {
    let folder = try TemporaryFolder()
    let outbox = Outbox()
    var configuration = Configuration()
    configuration.display.backlight = "a"
    let display = HeadlessDisplay(
      width: 64, height: 48, format: .xrgb8888, rotation: .none, loop: nil)
    let power = ScreenPower(
      configuration, loop: try EventLoop(), outbox: outbox, backlightFolder: folder.path,
      make: { _, _ in FixedScreen(display) })
    power.follow {}
    #expect(outbox.takeNotes().last { $0.what == "backlight" }?.detail != nil)
    #expect(power.sleep())
    #expect(!outbox.takeNotes().contains { $0.what == "backlight" && $0.detail == nil })
  }
}
