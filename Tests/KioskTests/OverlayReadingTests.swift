import Configuration
import Control
import EventLoop
import Platform
import TestSupport
import Testing

@testable import Kiosk

/// A medium that hangs holds up its own overlays and no others.
@Suite struct OverlayReadingTests {
  /// Reads that hang of files named "hung-…" until they are let go.
  private final class HangingReads: Sendable {
    private struct State {
      var isLetGo = false
      /// Files that are being read, and the most that were at once of one medium.
      var reading: [UInt64: Int] = [:]
      var most = 0
    }

    private let state = Gate(State())

    static func device(_ path: String) -> UInt64 { path.contains("/hung-") ? 1 : 2 }

    var reads: FeatureReads {
      FeatureReads(
        device: { path, _ in Self.device(path) },
        bytes: { path, descriptor, size throws(FileError) in
          let device = Self.device(path)
          self.begin(device)
          defer { self.end(device) }
          return try FeatureReads().bytes(path, descriptor, size)
        })
    }

    private func begin(_ device: UInt64) {
      state.lockedBroadcast { state in
        state.reading[device, default: 0] += 1
        state.most = max(state.most, state.reading[device, default: 0])
      }
      if device == 1 { state.wait { $0.isLetGo ? () : nil } }
    }

    private func end(_ device: UInt64) {
      state.lockedBroadcast { $0.reading[device, default: 0] -= 1 }
    }

    func letGo() { state.lockedBroadcast { $0.isLetGo = true } }

    /// Waits until a read hangs.
    func waitUntilOneHangs() { state.wait { $0.reading[1, default: 0] > 0 ? () : nil } }

    var most: Int { state.locked { $0.most } }
  }

  private let point = #"{"type":"Point","coordinates":[0,0]}"#

  @Test func anOverlayOnAMediumThatHangsHoldsUpNoneOnAnother() throws {
    let folder = try TemporaryFolder()
    let bench = try Bench([MosaicTests.spec(MosaicTests.small)], width: 320, height: 200)
    let hanging = HangingReads()
    defer { hanging.letGo() }
    var looks = FileLooks()
    looks.features = hanging.reads
    bench.kiosk.book.setLooks(looks)
    for name in ["hung-a", "hung-b", "good-c", "good-d"] {
      let path = try folder.write(point, to: name + ".geojson")
      _ = try bench.kiosk.addOverlay(
        ["name": .string(name), "path": .string(path)], trusted: true)
      if name == "hung-a" { hanging.waitUntilOneHangs() }
    }
    func isOpen(_ name: String) -> Bool { bench.kiosk.book.overlay(name)?.isOpen == true }
    #expect(bench.run { isOpen("good-c") && isOpen("good-d") })
    #expect(!isOpen("hung-a") && !isOpen("hung-b"))
    hanging.letGo()
    #expect(bench.run { isOpen("hung-a") && isOpen("hung-b") })
    // Each takes its size in memory.
    #expect(hanging.most == 1)
  }
}

extension OverlayEntry {
  fileprivate var isOpen: Bool {
    if case .open = state { return true }
    return false
  }
}
