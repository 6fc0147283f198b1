import Configuration
import TestSupport
import Testing

@testable import Inputs

/// The [input] section as a user writes it.
private func input(_ toml: String) throws -> Configuration.Input {
  let folder = try TemporaryFolder()
  let file = try folder.write(toml, to: "waypost.toml")
  return try #require(ConfigurationLoader().load(files: [file]).configuration).input
}

private func action(_ key: String, _ map: KeyMap) throws -> Action? {
  map.action(of: try #require(KeyMap.code(of: key)))
}

@Test func everyUsualKeyIsOneThatTheKernelHas() throws {
  let map = KeyMap(try input(""))
  for (key, meant) in KeyMap.usual { #expect(try action(key, map) == meant) }
  #expect(map.codes.count == KeyMap.usual.count)
}

@Test func keysOfTheConfigurationAddReplaceAndSilence() throws {
  let map = KeyMap(
    try input(
      """
      [[input.key]]
      key = "KEY_VOLUMEUP"
      action = "zoom-in"
      [[input.key]]
      key = "KEY_TAB"
      action = "source:world"
      [[input.key]]
      key = "KEY_HOME"
      action = "none"
      [[input.key]]
      key = "BTN_0"
      action = "follow"
      """))
  #expect(try action("KEY_VOLUMEUP", map) == .zoomIn)
  #expect(try action("KEY_TAB", map) == .source("world"))
  #expect(try action("KEY_HOME", map) == nil)
  #expect(try action("BTN_0", map) == .follow)
  #expect(try action("KEY_LEFT", map) == .panLeft)
}

@Test func aKeyThatNoKeyboardHasIsNamedWithTheNearestOne() throws {
  let unknown = EvdevInputs.unknownKeys(
    in: try input(
      """
      [[input.key]]
      key = "KEY_VOLUMUP"
      action = "zoom-in"
      [[input.key]]
      key = "KEY_VOLUMEDOWN"
      action = "zoom-out"
      [[input.key]]
      key = "KEY_RETURN1"
      action = "select"
      """))
  #expect(unknown.map(\.key) == ["KEY_VOLUMUP", "KEY_RETURN1"])
  #expect(unknown.first?.nearest == "KEY_VOLUMEUP")
}

@Test func aCodeWithoutANameHasOneAllTheSame() {
  #expect(KeyMap.name(of: 105) == "KEY_LEFT")
  #expect(KeyMap.name(of: 0x2fe) == "key 766")
}
