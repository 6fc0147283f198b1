import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import MapLabels

#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// Labels beside those of MapLibre Native, in the same styles and views: at least 85 % of its
/// texts stand here within 12 points, and no labels overlap.
@Suite(
  .enabled(if: isOptimised && TestData.large != nil, "optimised, with the large test data only"))
struct LabelReferenceTests {
  @Test(arguments: LabelView.all)
  func mostTextsStandWhereMapLibresStand(_ view: LabelView) throws {
    let expected = try view.expected()
    let placement = try view.placed()
    var rest = try view.texts(of: placement)
    var missing: [LabelView.Text] = []
    for label in expected {
      let found = rest.firstIndex { other in
        guard other.text == label.text else { return false }
        let (x, y) = (other.x - label.x, other.y - label.y)
        return x * x + y * y <= 144
      }
      if let found { rest.remove(at: found) } else { missing.append(label) }
    }
    let share = 100 * Double(expected.count - missing.count) / Double(max(1, expected.count))
    if let folder = ProcessInfo.processInfo.environment["WAYPOST_PICTURES"] {
      try report(view, share, missing, rest).write(
        toFile: "\(folder)/\(view.name)-labels.txt", atomically: false, encoding: .utf8)
    }
    #expect(!expected.isEmpty)
    #expect(share >= 85, "\(view.name)")
  }

  @Test(arguments: LabelView.all)
  func noLabelsOverlap(_ view: LabelView) throws {
    let labels = try view.placed().labels.filter { label in
      let settings = label.shape.settings
      return settings.textOverlap == .never && settings.iconOverlap == .never
        && !settings.textIgnorePlacement && !settings.iconIgnorePlacement
    }
    var overlaps = 0
    for (index, label) in labels.enumerated() {
      let boxes = label.boxes.map { $0.moved(Float(label.x), Float(label.y)).grown(-0.5) }
      for other in labels[..<index] {
        let others = other.boxes.map { $0.moved(Float(other.x), Float(other.y)).grown(-0.5) }
        if boxes.contains(where: { box in others.contains { box.overlaps($0) } }) { overlaps += 1 }
      }
    }
    #expect(labels.count > 0)
    #expect(overlaps == 0, "\(view.name)")
  }

  /// What to look at where too few stand as they should.
  private func report(
    _ view: LabelView, _ share: Double, _ missing: [LabelView.Text], _ rest: [LabelView.Text]
  ) -> String {
    var text = "\(view.name): \(share) %\n"
    for (title, labels) in [("missing", missing), ("only here", rest)] {
      for label in labels {
        text += "\(title)\t\(label.layer)\t\(label.x)\t\(label.y)\t\(label.text)\n"
      }
    }
    return text
  }
}
