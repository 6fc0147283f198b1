import Configuration
import Control
import TestSupport
import Testing

@testable import Kiosk

/// All overlays together have one limit of memory.
@Suite struct FeatureBudgetTests: OverlayCase {
  private func overlay(_ bench: Bench, _ name: String) -> OverlayEntry? {
    bench.kiosk.overlays.first { $0.name == name }
  }

  private func isOpen(_ bench: Bench, _ name: String) -> Bool {
    overlay(bench, name).flatMap(\.info) != nil
  }

  private func isDone(_ bench: Bench, _ name: String) -> Bool {
    if case .closed? = overlay(bench, name)?.state { return false }
    return true
  }

  /// A kiosk whose overlays may take what `count` squares do.
  private func bench(room count: Int) throws -> Bench {
    let bench = try bench()
    try bench.settle()
    try add(bench, "measured", "#ff0000")
    #expect(bench.run { isOpen(bench, "measured") })
    let bytes = bench.kiosk.book.overlays.bytes
    bench.kiosk.removeOverlay("measured")
    try bench.settle()
    bench.kiosk.book.overlays.budget.setLimit(bytes * count + bytes / 2)
    return bench
  }

  @Test func overlaysBeyondTheLimitAreRefusedWithAReason() throws {
    let bench = try bench(room: 2)
    for name in ["a", "b", "c"] { try add(bench, name, "#ff0000") }
    #expect(bench.run { ["a", "b", "c"].allSatisfy { isDone(bench, $0) } })
    let failed = ["a", "b", "c"].filter { !isOpen(bench, $0) }
    try #require(failed.count == 1)
    let error = try #require(overlay(bench, failed[0])?.error)
    #expect(error.contains("the features of all overlays would take"))
    #expect(error.contains("remove another overlay"))
  }

  @Test func removedOverlaysGiveTheirRoomBack() throws {
    let bench = try bench(room: 1)
    try add(bench, "a", "#ff0000")
    #expect(bench.run { isOpen(bench, "a") })
    try add(bench, "b", "#0000ff")
    #expect(bench.run { overlay(bench, "b")?.error != nil })
    bench.kiosk.removeOverlay("a")
    // It is tried again at once.
    #expect(bench.run { middle(bench) == blue })
  }

  @Test func featuresOfARemovedOverlayThatWereReadInVainTakeNoRoom() throws {
    let bench = try bench(room: 1)
    try add(bench, "a", "#ff0000")
    bench.kiosk.removeOverlay("a")
    try add(bench, "b", "#0000ff")
    #expect(bench.run { middle(bench) == blue })
  }

  @Test func anOverlayThatIsReplacedNeedsNoRoomForBoth() throws {
    let bench = try bench(room: 1)
    var failures: [String] = []
    bench.kiosk.onOverlayOpened = {
      if case .failed(let error) = $0.state { failures.append("\(error)") }
    }
    try add(bench, "a", "#ff0000")
    #expect(bench.run { middle(bench) == red })
    try add(bench, "a", "#0000ff")
    #expect(bench.run { middle(bench) == blue })
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test func aFileThatChangesNeedsNoRoomForBoth() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "area.geojson")
    let bench = try bench(room: 1)
    _ = try bench.kiosk.addOverlay(
      ["name": "area", "path": .string(path)], trusted: true)
    #expect(bench.run { middle(bench) == red })
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    #expect(bench.run { middle(bench) == blue })
    #expect(overlay(bench, "area")?.error == nil)
  }
}
