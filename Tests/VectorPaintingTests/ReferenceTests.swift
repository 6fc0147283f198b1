import Foundation
import TestSupport
import Testing

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// Pictures beside those of MapLibre Native, in the same styles, without labels: at most 3 % of the
/// pixels differ by more than 16 of 255, and at most 0.2 % by more than 48.
@Suite(
  .enabled(if: isOptimised && TestData.large != nil, "optimised, with the large test data only"))
struct ReferenceTests {
  /// How many pixels differ, of those on tiles that the pack has.
  struct Difference: Sendable {
    var pixels = 0
    /// By more than 16 of 255, and by more than 48, in a channel.
    var visible = 0
    var strong = 0

    init(_ drawn: [UInt32], _ expected: [UInt32], _ isKnown: [Bool]) {
      for (index, isKnown) in isKnown.enumerated() where isKnown {
        pixels += 1
        var most = 0
        for shift in [0, 8, 16] as [UInt32] {
          let one = Int(drawn[index] >> shift & 0xFF)
          most = max(most, abs(one - Int(expected[index] >> shift & 0xFF)))
        }
        if most > 16 { visible += 1 }
        if most > 48 { strong += 1 }
      }
    }

    func percent(_ count: Int) -> Double { 100 * Double(count) / Double(max(1, pixels)) }
  }

  @Test(arguments: ReferenceView.all)
  func aViewLooksLikeMapLibres(_ view: ReferenceView) throws {
    let (drawn, isKnown) = try view.drawn()
    let expected = try view.expected()
    let difference = Difference(drawn, expected, isKnown)
    let visible = difference.percent(difference.visible)
    let strong = difference.percent(difference.strong)
    if let folder = ProcessInfo.processInfo.environment["WAYPOST_PICTURES"] {
      for (name, pixels) in [("ours", drawn), ("theirs", expected)] {
        let data = pixels.withUnsafeBytes { Data($0) }
        try data.write(to: URL(fileURLWithPath: "\(folder)/\(view.name)-\(name).argb"))
      }
    }
    #expect(difference.pixels > 0)
    #expect(visible <= 3, "\(view.name)")
    #expect(strong <= 0.2, "\(view.name)")
  }
}
