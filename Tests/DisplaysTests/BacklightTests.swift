import Glibc
import TestSupport
import Testing

@testable import Displays

/// A tree as the kernel's: files of one line each.
private struct Tree {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func add(_ name: String, type: String = "raw", maximum: String = "255", power: Bool = true) throws
  {
    let path = "\(folder.path)/\(name)"
    #expect(mkdir(path, 0o755) == 0)
    try put("\(name)/type", type)
    try put("\(name)/max_brightness", maximum)
    try put("\(name)/brightness", "200")
    if power { try put("\(name)/bl_power", "0") }
  }

  func put(_ name: String, _ value: String) throws {
    _ = try folder.write(value + "\n", to: name)
  }

  func get(_ name: String) throws -> String { try SysfsFile.text("\(folder.path)/\(name)") }

  func light(_ name: String? = nil) throws -> Backlight {
    try Backlight(name: name, folder: folder.path)
  }
}

/// Raw values that panels have as their highest.
private let maxima: [Int] = [1, 2, 7, 15, 31, 100, 255, 1023, 4095, 65535, 2_147_483_647]

@Suite struct BacklightTests {
  @Test func firmwareIsPreferredToPlatformToRaw() throws {
    let tree = try Tree()
    try tree.add("a", type: "raw")
    try tree.add("b", type: "platform")
    #expect(try tree.light().name == "b")
    try tree.add("d", type: "firmware")
    try tree.add("c", type: "firmware")
    #expect(Backlight.names(in: tree.folder.path) == ["c", "d", "b", "a"])
    #expect(try tree.light("a").name == "a")
  }

  @Test(arguments: maxima)
  func everyPercentIsRoundedAndOnlyZeroIsZero(_ maximum: Int) throws {
    let tree = try Tree()
    try tree.add("p", maximum: "\(maximum)")
    let light = try tree.light()
    #expect(light.maximum == maximum)
    #expect(light.raw(0) == 0)
    #expect(light.raw(100) == maximum)
    for percent in 1...100 {
      let raw = light.raw(percent)
      #expect(raw >= 1 && raw <= maximum)
      let exact = Double(percent) / 100 * Double(maximum)
      #expect(abs(Double(raw) - exact) <= 0.5 || (raw == 1 && exact < 0.5))
      #expect(light.raw(percent - 1) <= raw)
      #expect(light.percent(raw) >= 1)
    }
  }

  @Test(arguments: maxima)
  func whatWasSetIsReadBackOnPanelsWithFewStepsToo(_ maximum: Int) throws {
    let tree = try Tree()
    try tree.add("p", maximum: "\(maximum)")
    let light = try tree.light()
    for percent in stride(from: 0, through: 100, by: 10) {
      try light.setBrightness(percent)
      #expect(try light.brightness() == percent)
      #expect(try tree.get("p/brightness") == "\(light.raw(percent))")
    }
  }

  @Test func whatAnotherProgramSetsIsReadBackAsItIs() throws {
    let tree = try Tree()
    try tree.add("p")
    let light = try tree.light()
    #expect(try light.brightness() == 78)
    try light.setBrightness(50)
    try tree.put("p/brightness", "1")
    #expect(try light.brightness() == 1)
    try tree.put("p/brightness", "0")
    #expect(try light.brightness() == 0)
  }

  @Test func aNumberOutsideIsClamped() throws {
    let tree = try Tree()
    try tree.add("p")
    let light = try tree.light()
    try light.setBrightness(.max)
    #expect(try tree.get("p/brightness") == "255")
    try light.setBrightness(.min)
    #expect(try tree.get("p/brightness") == "0")
  }

  @Test func sleepTurnsThePowerOffAndWakingLeavesTheBrightness() throws {
    let tree = try Tree()
    try tree.add("p")
    let light = try tree.light()
    try light.setBrightness(40)
    try light.sleep()
    #expect(light.isAsleep)
    #expect(try tree.get("p/bl_power") == "4")
    #expect(try tree.get("p/brightness") == "102")
    try light.sleep()
    try light.wake()
    #expect(!light.isAsleep)
    #expect(try tree.get("p/bl_power") == "0")
    #expect(try light.brightness() == 40)
  }

  @Test func aPanelWithoutPowerSleepsAtZeroAndWakesAtWhatItHad() throws {
    let tree = try Tree()
    try tree.add("p", power: false)
    let light = try tree.light()
    try light.setBrightness(40)
    try light.sleep()
    #expect(try tree.get("p/brightness") == "0")
    #expect(try light.brightness() == 40)
    try light.wake()
    #expect(try tree.get("p/brightness") == "102")
  }

  @Test func aPanelThatAKilledProcessLeftAtZeroIsLit() throws {
    let tree = try Tree()
    try tree.add("p", power: false)
    try tree.light().sleep()
    #expect(try tree.get("p/brightness") == "0")
    try tree.light().wake()
    #expect(try tree.get("p/brightness") == "255")
    try tree.add("q")
    try tree.light("q").sleep()
    try tree.light("q").wake()
    #expect(try tree.get("q/bl_power") == "0")
    #expect(try tree.get("q/brightness") == "200")
  }

  @Test func aBrightnessSetWhileAsleepHoldsFromWakingOn() throws {
    let tree = try Tree()
    try tree.add("p", power: false)
    let light = try tree.light()
    try light.sleep()
    try light.setBrightness(10)
    #expect(try tree.get("p/brightness") == "0")
    #expect(try light.brightness() == 10)
    try light.wake()
    #expect(try tree.get("p/brightness") == "26")
  }

  @Test func closingLightsThePanelAsItWasFound() throws {
    for power in [true, false] {
      let tree = try Tree()
      try tree.add("p", power: power)
      let light = try tree.light()
      try light.setBrightness(5)
      try light.sleep()
      light.close()
      #expect(try tree.get("p/brightness") == "200")
      if power { #expect(try tree.get("p/bl_power") == "0") }
    }
  }

  @Test func closingLeavesNoPanelDark() throws {
    let tree = try Tree()
    try tree.add("p")
    try tree.put("p/brightness", "0")
    let light = try tree.light()
    try light.setBrightness(50)
    try light.sleep()
    light.close()
    #expect(try tree.get("p/brightness") == "128")
    #expect(try tree.get("p/bl_power") == "0")
  }

  @Test func closingLeavesWhatWasNotChanged() throws {
    let tree = try Tree()
    try tree.add("p")
    let light = try tree.light()
    try tree.put("p/brightness", "33")
    light.close()
    #expect(try tree.get("p/brightness") == "33")
  }

  @Test func aPanelLeftOffIsLitByWaking() throws {
    let tree = try Tree()
    try tree.add("p")
    try tree.put("p/bl_power", "4")
    try tree.light().wake()
    #expect(try tree.get("p/bl_power") == "0")
  }

  @Test func aPanelIsLitByWakingThoughItsBrightnessCannotBeRead() throws {
    let tree = try Tree()
    try tree.add("p")
    let light = try tree.light()
    try tree.put("p/brightness", "?")
    try tree.put("p/bl_power", "4")
    try light.wake()
    #expect(try tree.get("p/bl_power") == "0")
  }

  @Test func anErrorNamesTheFileAndWhatThereIs() throws {
    let tree = try Tree()
    func reason(_ name: String?) -> String {
      do throws(BacklightError) {
        _ = try Backlight(name: name, folder: tree.folder.path)
        return ""
      } catch {
        return error.description
      }
    }
    #expect(
      reason(nil) == "\(tree.folder.path): there is no backlight; the panel's driver offers none")
    try tree.add("p")
    #expect(
      reason("q") == "\(tree.folder.path)/q: no backlight of that name; there is p")
    try tree.put("p/max_brightness", "bright")
    #expect(reason("p") == "\(tree.folder.path)/p/max_brightness: \"bright\" is not a number")
    try tree.put("p/max_brightness", "0")
    #expect(reason("p") == "\(tree.folder.path)/p/max_brightness: 0: at least 1 is expected")
  }

  @Test func withoutTheRightTheErrorSaysWhoGivesIt() {
    let error = BacklightError("/sys/x/brightness", call: "open", code: EACCES)
    #expect(error.description.hasPrefix("/sys/x/brightness: permission denied"))
    #expect(error.description.contains("group video"))
  }
}
