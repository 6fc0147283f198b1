import Configuration
import Control
import TestSupport
import Testing

@testable import Kiosk

/// Overlays that are added again with other features.
@Suite struct OverlayReplacementTests: OverlayCase {
  /// A kiosk that shows the red overlay "area", and what it tells from then on.
  private func redBench() throws -> (Bench, told: () -> [KioskEvent.LayerChange]) {
    let bench = try bench()
    try add(bench, "area", "#ff0000")
    try bench.settle()
    #expect(middle(bench) == red)
    var events: [KioskEvent.LayerChange] = []
    bench.kiosk.onEvent = { if case .overlay(_, let change) = $0 { events.append(change) } }
    return (bench, { events })
  }

  /// The colours in the middle of the screen until they are `color`.
  private func colors(_ bench: Bench, until color: UInt32) -> Set<UInt32> {
    var seen: Set<UInt32> = []
    #expect(
      bench.run {
        seen.insert(middle(bench))
        return middle(bench) == color
      })
    return seen
  }

  /// Has the kiosk withdraw what cannot be opened, as the socket does.
  private func withdrawFailures(_ bench: Bench, for former: OverlayEntry?) {
    bench.kiosk.onOverlayOpened = { [unowned kiosk = bench.kiosk] entry in
      if entry.hasFailed { kiosk.withdrawOverlay(entry.name, for: former) }
    }
  }

  private func addFile(_ bench: Bench, _ path: String) throws {
    _ = try bench.kiosk.addOverlay(["name": "area", "path": .string(path)], trusted: true)
  }

  @Test func theFormerFeaturesStayUntilTheNewOnesAreDrawn() throws {
    let (bench, told) = try redBench()
    let frame = bench.display.frame
    try add(bench, "area", "#0000ff")
    #expect(bench.kiosk.overlays[0].info != nil)
    #expect(colors(bench, until: blue) == [red, blue])
    try bench.settle()
    #expect(bench.display.frame == frame + 1)
    #expect(told() == [.added])
    #expect(bench.kiosk.overlays[0].staying == nil)
  }

  @Test func featuresAddedOneAfterTheOtherEndWithTheLast() throws {
    let (bench, told) = try redBench()
    try add(bench, "area", "#00ff00")
    try add(bench, "area", "#0000ff")
    #expect(colors(bench, until: blue).isSubset(of: [red, 0xff00_ff00, blue]))
    try bench.settle()
    #expect(middle(bench) == blue)
    #expect(told() == [.added])
  }

  @Test func whatCannotBeReadLeavesTheFormerFeaturesOnTheScreen() throws {
    let folder = try TemporaryFolder()
    let (bench, told) = try redBench()
    let former = bench.kiosk.overlays[0]
    withdrawFailures(bench, for: former)
    let frame = bench.display.frame
    try addFile(bench, folder["none.geojson"])
    #expect(bench.run { bench.kiosk.overlays[0].staying == nil })
    try bench.settle()
    #expect(middle(bench) == red && bench.display.frame == frame)
    let entry = bench.kiosk.overlays[0]
    #expect(entry.spec == former.spec && entry.table == former.table && entry.error == nil)
    #expect(bench.kiosk.health.entries.isEmpty && told().isEmpty)
  }

  @Test func aFormerFileThatChangedMeanwhileIsReadAgain() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.square("#ff0000"), to: "area.geojson")
    let bench = try bench()
    try addFile(bench, path)
    try bench.settle()
    withdrawFailures(bench, for: bench.kiosk.overlays[0])
    try addFile(bench, folder["none.geojson"])
    try folder.write(Self.square("#0000ff"), to: "area.geojson")
    #expect(colors(bench, until: blue) == [red, blue])
  }

  @Test func withoutAWithdrawalTheFormerFeaturesGo() throws {
    let folder = try TemporaryFolder()
    let (bench, _) = try redBench()
    try addFile(bench, folder["none.geojson"])
    #expect(bench.run { bench.kiosk.overlays[0].hasFailed })
    try bench.settle()
    #expect(middle(bench) != red)
    #expect(bench.kiosk.overlays[0].staying == nil)
    // It is shown when it can be read.
    try folder.write(Self.square("#0000ff"), to: "none.geojson")
    #expect(bench.run { middle(bench) == blue })
  }

  @Test func featuresThatWereHiddenOrOnAnotherLevelDoNotComeBackForAMoment() throws {
    let (bench, _) = try redBench()
    _ = bench.kiosk.showOverlay("area", false)
    try bench.settle()
    try add(bench, "area", "#0000ff")
    #expect(bench.kiosk.overlays[0].staying == nil)
    #expect(!colors(bench, until: blue).contains(red))
    try add(bench, "area", "#ff0000", level: "above-labels")
    #expect(bench.kiosk.overlays[0].staying == nil)
  }

  @Test func aRemovedOverlayTakesTheOneItReplacesWithIt() throws {
    let (bench, _) = try redBench()
    try add(bench, "area", "#0000ff")
    bench.kiosk.removeOverlay("area")
    try bench.settle()
    #expect(middle(bench) != red && middle(bench) != blue)
    #expect(bench.kiosk.overlays.isEmpty)
  }
}
