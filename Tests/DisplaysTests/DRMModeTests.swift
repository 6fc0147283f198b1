import Pixels
import Testing

@testable import Displays

/// A monitor's modes as a 4K one lists them.
private let large: [DisplayMode] = [
  DisplayMode(width: 3840, height: 2160, refresh: 30, isPreferred: true),
  DisplayMode(width: 1920, height: 1080, refresh: 50),
  DisplayMode(width: 1920, height: 1080, refresh: 60, isInterlaced: true),
  DisplayMode(width: 1920, height: 1080, refresh: 59.94),
  DisplayMode(width: 1280, height: 720, refresh: 60),
  DisplayMode(width: 720, height: 576, refresh: 50),
]

private let panel: [DisplayMode] = [
  DisplayMode(width: 1280, height: 800, refresh: 60),
  DisplayMode(width: 800, height: 480, refresh: 60, isPreferred: true),
  DisplayMode(width: 640, height: 480, refresh: 60),
]

struct ModeCase: Sendable, CustomTestStringConvertible {
  var name: String
  var modes: [DisplayMode]
  var asked: DisplayRequest.Mode?
  var order: [String]
  var isAsAsked = true
  var testDescription: String { name }

  static let all: [ModeCase] = [
    ModeCase(
      name: "the preferred mode, then smaller ones", modes: panel,
      order: ["800x480@60", "640x480@60"]),
    ModeCase(
      name: "a preferred mode larger than 1920x1080 gives way to the best below", modes: large,
      order: ["1920x1080@59.9", "1280x720@60", "720x576@50"]),
    ModeCase(
      name: "a mode asked for may be larger", modes: large,
      asked: .init(width: 3840, height: 2160),
      order: ["3840x2160@30", "1920x1080@59.9", "1280x720@60", "720x576@50"]),
    ModeCase(
      name: "the nearest refresh rate", modes: large,
      asked: .init(width: 1920, height: 1080, refresh: 48),
      order: ["1920x1080@50", "1280x720@60", "720x576@50"]),
    ModeCase(
      name: "without a rate the progressive one nearest to 60", modes: large,
      asked: .init(width: 1920, height: 1080),
      order: ["1920x1080@59.9", "1280x720@60", "720x576@50"]),
    ModeCase(
      name: "what is not offered gives way to the default", modes: panel,
      asked: .init(width: 1024, height: 768, refresh: 60), order: ["800x480@60", "640x480@60"],
      isAsAsked: false),
    ModeCase(
      name: "nothing marked: the first",
      modes: [
        DisplayMode(width: 640, height: 480, refresh: 75),
        DisplayMode(width: 1024, height: 768, refresh: 60),
      ], order: ["640x480@75"]),
    ModeCase(
      name: "all too large: the preferred",
      modes: [
        DisplayMode(width: 2560, height: 1600, refresh: 60),
        DisplayMode(width: 2560, height: 1440, refresh: 60, isPreferred: true),
      ], order: ["2560x1440@60"]),
    ModeCase(name: "no modes", modes: [], order: []),
  ]
}

@Test(arguments: ModeCase.all)
func modesAreTriedInOrder(_ c: ModeCase) {
  let found = ModeChoice.order(of: c.modes, asked: c.asked)
  #expect(found.order.map { c.modes[$0].description } == c.order)
  #expect(found.isAsAsked == c.isAsAsked)
}

@Test func refreshRatesComeFromTheTimingAndNotFromItsRoundedName() {
  // CEA-861 VIC 16 at 59.94 Hz, and VIC 5, 1080i.
  let film = DisplayMode.refresh(
    clock: 148352, horizontalTotal: 2200, verticalTotal: 1125, interlaced: false, doubleScan: false)
  #expect(abs(film - 59.94) < 0.001)
  let half = DisplayMode.refresh(
    clock: 74250, horizontalTotal: 2200, verticalTotal: 1125, interlaced: true, doubleScan: false)
  #expect(abs(half - 60) < 0.001)
  let none = DisplayMode.refresh(
    clock: 0, horizontalTotal: 0, verticalTotal: 0, interlaced: false, doubleScan: false)
  #expect(none == 60)
}

@Test func theConnectorNamedOrTheFirstConnectedIsLit() {
  func socket(_ name: String, _ status: ConnectorInfo.Status, modes: Bool = true) -> ConnectorInfo {
    ConnectorInfo(id: 1, name: name, status: status, modes: modes ? panel : [])
  }
  let sockets = [
    socket("HDMI-A-1", .disconnected), socket("Composite-1", .unknown),
    socket("DSI-1", .connected, modes: false), socket("HDMI-A-2", .connected),
  ]
  #expect(ConnectorChoice.choose(sockets, named: nil) == 3)
  #expect(ConnectorChoice.choose(sockets, named: "HDMI-A-2") == 3)
  #expect(ConnectorChoice.choose(sockets, named: "HDMI-A-1") == nil)
  #expect(ConnectorChoice.choose(sockets, named: "Composite-1") == 1)
  #expect(ConnectorChoice.choose(Array(sockets.prefix(3)), named: nil) == 1)
  #expect(ConnectorChoice.choose([], named: nil) == nil)
}

@Test func theFormatIsTheOneAskedForOrTheDriversOwn() {
  let both: Set<PixelFormat> = [.xrgb8888, .rgb565]
  func format(_ asked: PixelFormat?, _ offered: Set<PixelFormat>, _ depth: Int) -> PixelFormat? {
    ConnectorChoice.format(asked: asked, offered: offered, preferredDepth: depth)
  }
  #expect(format(nil, both, 24) == .xrgb8888)
  #expect(format(nil, both, 0) == .xrgb8888)
  #expect(format(nil, both, 16) == .rgb565)
  #expect(format(nil, [.xrgb8888], 16) == .xrgb8888)
  #expect(format(nil, [.rgb565], 24) == .rgb565)
  #expect(format(.rgb565, both, 24) == .rgb565)
  #expect(format(.rgb565, [.xrgb8888], 24) == .xrgb8888)
  #expect(format(.xrgb8888, [], 24) == nil)
}

@Test func aModeAskedForIsWrittenAsItIsConfigured() {
  #expect(DisplayRequest.Mode(width: 1280, height: 720).description == "1280x720")
  #expect(DisplayRequest.Mode(width: 1280, height: 720, refresh: 60).description == "1280x720@60")
  #expect(
    DisplayRequest.Mode(width: 800, height: 480, refresh: 59.94).description == "800x480@59.94")
}
