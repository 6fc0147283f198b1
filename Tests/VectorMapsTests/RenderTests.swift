import Foundation
import TestSupport
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// MapLibre's own render tests, drawn by Waypost: at most 1 % of the pixels differ by more than 16
/// of 255, labels apart (see `RenderComparison`). Those that do not are listed in `RenderFailure`
/// with the reason.
@Suite(
  .enabled(if: isOptimised && TestData.large != nil, "optimised, with the large test data only"))
struct RenderTests {
  /// The share of pixels that may differ.
  static let most = 0.01

  @Test(arguments: RenderTest.all)
  func aPictureIsMapLibresOrItsReasonIsListed(_ name: String) throws {
    let listed = RenderFailure.all[name]
    let share: Double
    do {
      share = try RenderTest(name: name).difference()
    } catch let error as RenderTest.Unusable {
      #expect(listed != nil, "\(name): \(error)")
      return
    }
    if let listed {
      if listed.isOfLabels { #expect(try RenderTest(name: name).hasLabels()) }
      #expect(share > Self.most, "\(name) passes, though listed: \(listed.rawValue)")
    } else {
      #expect(share <= Self.most, "\(name)")
    }
  }

  @Test func atMostATenthFailsLabelsApart() {
    #expect(RenderFailure.all.values.filter { !$0.isOfLabels }.count * 10 <= RenderTest.all.count)
  }

  @Test func theListNamesTestsThatThereAre() {
    let names = Set(RenderTest.all)
    #expect(names.count == 322)
    #expect(RenderFailure.all.keys.allSatisfy { names.contains($0) })
  }
}

extension RenderTest {
  /// The share of pixels that differ from the nearest of MapLibre's pictures, labels apart.
  func difference() throws -> Double {
    let (labelled, bare, scale) = try drawn()
    var least = 1.0
    for expected in try expected() {
      let comparison = RenderComparison(labelled, bare: bare, expected: expected, scale: scale)
      least = min(least, comparison.share)
      try save(labelled, expected)
    }
    return least
  }

  /// Writes both pictures where `WAYPOST_PICTURES` says, to look at.
  private func save(_ drawn: Picture, _ expected: Picture) throws {
    guard let folder = ProcessInfo.processInfo.environment["WAYPOST_PICTURES"] else { return }
    for (kind, picture) in [("ours", drawn), ("theirs", expected)] {
      let flat = name.replacingOccurrences(of: "/", with: "~")
      let data = picture.pixels.withUnsafeBytes { Data($0) }
      let size = "\(picture.width)x\(picture.height)"
      try data.write(to: URL(fileURLWithPath: "\(folder)/\(flat)-\(size)-\(kind).argb"))
    }
  }
}
