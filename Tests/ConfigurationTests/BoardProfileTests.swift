import Foundation
import TestSupport
import Testing

@testable import Configuration

private let raspberryPi =
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().path + "/board/raspberry-pi/waypost.toml"

@Suite struct BoardProfileTests {
  @Test func theRaspberryPisProfileIsAConfiguration() {
    let result = ConfigurationLoader().load(files: [raspberryPi])
    #expect(result.findings.map(\.description) == [])
    #expect(result.configuration?.gpio.buttons.count == 5)
  }

  /// All pairs are taken. What three buttons need has a profile of its own.
  @Test func itsFiveButtonsReachWhatMovesAndShowsMaps() throws {
    let gpio = try #require(
      ConfigurationLoader().load(files: [raspberryPi]).configuration
    ).gpio
    var reached = Set(gpio.buttons.map(\.action) + gpio.chords.map(\.action))
    for button in gpio.buttons {
      if case .action(let action) = button.hold { reached.insert(action) }
    }
    let missing = Action.allNames.filter { name in
      guard let action = Action(name), action != .none else { return false }
      switch action {
      case .source, .overlayToggle: return false
      case .selectNext, .back, .mapKey, .languageNext: return false
      default: return !reached.contains(action)
      }
    }
    #expect(missing == [])
  }

  @Test func itsChordsAreOfItsButtonsAndNoTwoAreTheSame() throws {
    let gpio = try #require(
      ConfigurationLoader().load(files: [raspberryPi]).configuration
    ).gpio
    let lines = Set(gpio.buttons.map(\.line))
    for chord in gpio.chords { #expect(lines.isSuperset(of: chord.lines)) }
    #expect(Set(gpio.chords.map { Set($0.lines) }).count == gpio.chords.count)
    #expect(Set(gpio.chords.map(\.action)).count == gpio.chords.count)
  }
}
