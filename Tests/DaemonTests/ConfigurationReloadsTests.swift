import Configuration
import Control
import EventLoop
import Foundation
import Platform
import TestSupport
import Testing

@testable import Daemon

/// The configuration is read again beside the loop.
@Suite struct ConfigurationReloadsTests {
  @Test func aMediumThatHangsDoesNotHoldUpTheLoop() throws {
    let loop = try EventLoop()
    let isLetGo = Gate(false)
    let reloads = ConfigurationReloads(
      loop: loop,
      read: {
        // Were it on the loop, nobody would let it go.
        let end = EventLoop.now() + 20_000_000_000
        while !isLetGo.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
        return ConfigurationReloads.read([], ConfigurationLoader())
      }, take: { _ in ["warned"] })
    var outcomes: [Result<[String], ControlError>] = []
    for _ in 0..<40 { reloads.reload { outcomes.append($0) } }
    loop.runOnce(timeout: 0)
    // Those for whom there was no room were told at once.
    #expect((22...24).contains(outcomes.count))
    isLetGo.locked { $0 = true }
    while outcomes.count < 40 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(outcomes.filter { (try? $0.get()) == ["warned"] }.count >= 16)
  }

  @Test func aCopyWhoseMediumHangsIsWaitedForAWhileAndReportedTwice() throws {
    let loop = try EventLoop()
    let reloads = ConfigurationReloads(
      loop: loop, read: { ConfigurationReloads.read([], ConfigurationLoader()) }, take: { _ in [] })
    var configuration = Configuration()
    configuration.state.path = "/data/state.json"
    let text = ConfigurationText(file: "a.toml", directory: "/", bytes: [])
    let isLetGo = Gate(false)
    let full = FileError(file: "/data/x", reason: "No space left on device")
    var told: [FileError?] = []
    reloads.keep(
      [text], configuration, within: 0.01,
      write: { (_, _) throws(FileError) in
        let end = EventLoop.now() + 30_000_000_000
        while !isLetGo.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
        throw full
      }, then: { told.append($0) })
    #expect(
      told.map { $0?.description }
        == ["/data/state.json.last-good-configuration: its medium does not answer"])
    isLetGo.locked { $0 = true }
    while told.count < 2 { loop.runOnce(timeout: 1_000_000_000) }
    #expect(told.last == full)
    // One that answers is told at once.
    reloads.keep([text], configuration, within: 30, write: { (_, _) in }, then: { told.append($0) })
    #expect(told.count == 3 && told.last == .some(nil))
  }

  @Test func whatTheCheckWarnsOfIsReadWithTheConfiguration() throws {
    let folder = try TemporaryFolder()
    let text = """
      [view]
      zoom = 19
      max_zoom = 12
      [cache]
      memory = "1MiB"
      [[source]]
      path = "/maps/a.mbtiles"
      [state]
      path = ""
      """
    let file = try folder.write(text, to: "waypost.toml")
    let reading = ConfigurationReloads.read([file], ConfigurationLoader())
    #expect(reading.warnings.map(\.finding.line) == [2, 5])
    #expect(reading.warnings.allSatisfy { $0.finding.severity == .warning })
    // The kiosk logs the floor of its real display.
    #expect(reading.warnings.map(\.isToldLater) == [false, true])
    try folder.write("[view]\nzom = 19\n", to: "waypost.toml")
    #expect(ConfigurationReloads.read([file], ConfigurationLoader()).warnings.isEmpty)
  }

  @Test func aGoodConfigurationIsCopiedAndABrokenOneIsNot() throws {
    let folder = try TemporaryFolder()
    let state = folder["state.json"]
    let file = try folder.write("[state]\npath = \"\(state)\"\n", to: "waypost.toml")
    let copy = ConfigurationStore(besideState: state).path
    let good = ConfigurationReloads.read([file], ConfigurationLoader())
    #expect(good.result.configuration != nil && good.copyError == nil)
    let kept = try Data(contentsOf: URL(fileURLWithPath: copy))
    try folder.write("[state\n", to: "waypost.toml")
    let broken = ConfigurationReloads.read([file], ConfigurationLoader())
    #expect(broken.result.configuration == nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == kept)
  }
}
