import EventLoop
import Testing

@Suite struct DeviceEventTests {
  private func event(_ text: String) -> DeviceEvent? {
    var bytes = Array(text.utf8)
    for i in bytes.indices where bytes[i] == UInt8(ascii: "\n") { bytes[i] = 0 }
    return bytes.withUnsafeBytes { DeviceEvent($0) }
  }

  @Test func aKernelsEventNamesActionSubsystemAndDevice() throws {
    let found = try #require(
      event(
        "change@/devices/platform/vc4/drm/card0\nACTION=change\nDEVPATH=/devices/platform/vc4/drm/card0\n"
          + "SUBSYSTEM=drm\nHOTPLUG=1\nDEVNAME=dri/card0\nSEQNUM=1234\n"))
    #expect(found.action == "change")
    #expect(found.subsystem == "drm")
    #expect(found.deviceName == "dri/card0")
    #expect(found.path == "/devices/platform/vc4/drm/card0")
  }

  @Test func whatIsNoEventOfTheKernelsIsPassedOver() {
    #expect(event("") == nil)
    #expect(event("libudev\nfeedcafe\nACTION=add\nSUBSYSTEM=drm\n") == nil)
    #expect(event("add@/devices/x\nACTION=add\n") == nil)
    #expect(event("add@\n=\n==\nACTION\n") == nil)
  }
}
