import Platform
import TestSupport
import Testing

@testable import Features

/// What XML may cost to read, whatever is in it.
@Suite struct XMLLimitTests {
  private static let long = XMLScanner.maxToken + 1

  private static let huge: [(String, String)] = [
    ("a value", "<gpx>\n<a b=\"" + filler(1) + "\"/></gpx>"),
    ("a comment", "<gpx>\n<!--" + filler(1) + "--></gpx>"),
    ("a name", "<gpx>\n<" + filler(1) + "/></gpx>"),
    ("an instruction", "<gpx>\n<?a " + filler(1) + "?></gpx>"),
    ("attributes", "<gpx>\n<a " + (0..<40).map { "a\($0)=\"\(value)\" " }.joined() + "/></gpx>"),
    ("one that never ends", "<gpx>\n<!--" + filler(3)),
  ]

  /// One attribute of forty that are too long together.
  private static let value = String(repeating: "x", count: long / 20)

  private static func filler(_ times: Int) -> String {
    String(repeating: "x", count: (times + 1) * long)
  }

  @Test(arguments: huge)
  func aHugeTokenIsRefusedWithItsLineAndItsLimit(_ name: String, _ text: String) throws {
    let error = try #require(refusal(text), "\(name)")
    #expect(error.line == 2, "\(name): \(error)")
    #expect(error.reason.contains("more than \(XMLScanner.maxToken) bytes"), "\(name): \(error)")
  }

  @Test func aTokenWithinTheLimitIsRead() throws {
    let room = XMLScanner.maxToken - 100
    let text = String(repeating: "x", count: room)
    let set = try FeatureSet.text(
      "<gpx a=\"\(text)\"><!--\(text)--><wpt lat=\"1\" lon=\"2\"/><?a \(text)?></gpx>")
    #expect(set.points.count == 1)
  }

  @Test func textIsNoTokenAndMayBeLong() throws {
    let text = String(repeating: "x", count: 2 * Self.long)
    let set = try FeatureSet.text(
      "<gpx><wpt lat=\"1\" lon=\"2\"><name>\(text)</name></wpt>"
        + "<desc><![CDATA[\(text)]]></desc></gpx>",
      label: "name")
    #expect(set.label(of: set.features[0]) == String(text.prefix(FeatureLimits.text)))
  }

  @Test func tokensAreReadWhereverThePiecesEnd() throws {
    // Around the 65,536 bytes that are fed at once, and a few times that.
    for length in [65_400, 65_536, 65_537, 131_072, 200_000, 500_001] {
      let comment = String(repeating: "-x", count: length / 2)
      let set = try FeatureSet.text(
        "<gpx><wpt lat=\"1\" lon=\"2\"/><!--\(comment)--><wpt lat=\"3\" lon=\"4\"/></gpx>")
      #expect(set.features.count == 2, "\(length)")
      #expect(refusal("<gpx><!--\(comment)-->\n</gpz>")?.line == 2, "\(length)")
    }
  }

  @Test func namesWithoutEndAreRefused() throws {
    let elements = (0..<400_000).map { "<a\($0)/>" }.joined()
    let attributes = (0..<400_000).map { "<a b\($0)=\"\"/>" }.joined()
    for text in [elements, attributes] {
      let error = try #require(refusal("<gpx>" + text + "</gpx>"))
      #expect(error.reason.contains("too many different names"), "\(error)")
      #expect(error.line == 1)
    }
    // The next file has all the room again.
    #expect(try FeatureSet.text("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>").points.count == 1)
  }

  @Test func pointsOfATrackAreCounted() throws {
    let text = "<gpx><trk><trkseg>" + String(repeating: "<trkpt lat=\"1\" lon=\"2\"/>", count: 6)
    for (most, isRead) in [(6, true), (5, false)] {
      let bytes = FileBytes(Array((text + "</trkseg></trk></gpx>").utf8))
      let result = Result {
        try XMLScanner.read(bytes, from: 0, file: "a.gpx") { _ in
          GPXReader(file: "a.gpx", options: FeatureOptions(), maxPoints: most)
        }
      }
      switch result {
      case .success: #expect(isRead)
      case .failure(let error):
        #expect(!isRead && (error as? FeatureError)?.reason == FeatureBuilder.fullReason)
      }
    }
  }
}
