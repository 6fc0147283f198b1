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
