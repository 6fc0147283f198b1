import Foundation
import Platform
import TestSupport
import Testing

@testable import Configuration

/// A small generator with a fixed start, so that a failure comes again.
struct Lcg: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

private func loadBytes(_ bytes: [UInt8]) -> LoadResult {
  ConfigurationLoader().load(
    texts: [ConfigurationText(file: "/x.toml", directory: "/", bytes: bytes)])
}

// A typed constant, not a literal in the attribute: Swift 6.0 is too slow for that.
private let hostileTexts: [(String, String)] = [
  ("nested arrays", "a = " + String(repeating: "[", count: 100_000)),
  ("nested tables", "a = " + String(repeating: "{a=", count: 100_000)),
  ("dotted key", String(repeating: "a.", count: 300_000) + "a = 1"),
  ("dotted header", "[" + String(repeating: "a.", count: 300_000) + "a]"),
  ("quoted dotted key", String(repeating: "\"a\".", count: 100_000) + "a = 1"),
  (
    "dots after a string", "a = \"\"\"x\"\"\"\"\"\n" + String(repeating: "a .", count: 9999) + "a=1"
  ),
  ("huge integer", "[cache]\nmemory = 99999999999999999999999999"),
  ("NUL", "[view]\nzoom = \u{0}1"),
  ("header without a key", "[=]"),
  ("open string", "a = \"abc"),
  ("open multi-line string", "a = \"\"\"abc"),
  ("larger than allowed", String(repeating: "#", count: (1 << 20) + 1)),
]

@Test(arguments: hostileTexts)
func hostileTextIsAFindingAndNothingElse(_ what: String, _ text: String) {
  let result = loadBytes(Array(text.utf8))
  #expect(result.configuration == nil)
  #expect(result.findings.count == 1)
}

private let hostileFolder = (TestData.large ?? "") + "/hostile/toml/"

@Test(.enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
func everyHostileFileIsRefusedWithFewFindings() throws {
  let names = try FileManager.default.contentsOfDirectory(atPath: hostileFolder)
  #expect(names.count >= 19)
  for name in names.sorted() {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: hostileFolder + name))
    let result = loadBytes([UInt8](bytes))
    #expect(result.configuration == nil, "\(name)")
    // At most 200, and one that says that there are more.
    #expect((1...201).contains(result.findings.count), "\(name): \(result.findings.count)")
  }
}

@Test(arguments: [
  "[cache]\nmemory = 9223372036854775807", "[display]\nscale = -9223372036854775808",
  "[view]\nzoom = inf", "[view]\nzoom = 1e308\nbearing = -1e308", "[view]\ncenter = [1e308, nan]",
  "[[gpio.button]]\nline = 9223372036854775807\naction = \"home\"",
])
func extremeNumbersAreRefusedNotTrappedOn(_ toml: String) {
  let result = load(toml)
  #expect(result.configuration == nil)
  #expect(!result.findings.isEmpty)
}

@Test func dotsInStringsAndCommentsAreNoKeyParts() {
  let dots = String(repeating: ".", count: 40)
  #expect(
    findings(
      """
      # \(dots)
      [[source]]
      path = "a"
      name = "x\(dots)\\"\(dots)" # \(dots)
      attribution = \"\"\"
      \(dots)" \(dots)\"\"\"
      fallback = '\(dots)"\(dots)'
      [[source]]
      path = "b"
      name = '\(dots)"\(dots)'
      """
    ) == [])
}

@Test func bytesThatAreNoUTF8AreAFinding() {
  #expect(loadBytes([0x61, 0x3d, 0x22, 0xff, 0xfe, 0x22]).findings.count == 1)
  #expect(
    loadBytes([0xef, 0xbb, 0xbf] + Array("[view]\nzoom = 3".utf8)).configuration?.view.zoom == 3)
}

@Test func randomBytesNeverTrap() {
  var generator = Lcg(state: 1)
  var refused = 0
  for _ in 0..<2000 {
    let count = Int.random(in: 1...200, using: &generator)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    if loadBytes(bytes).configuration == nil { refused += 1 }
  }
  #expect(refused > 1900)
}

@Test func aFileWithBytesChangedNeverTraps() throws {
  let good = try FileIO.read(fixtures + "everything.toml", limit: 1 << 20)
  var generator = Lcg(state: 2)
  let signs = Array("[]{}=.,\"'\n#09-e\\\u{0}".utf8)
  var refused = 0
  for _ in 0..<1000 {
    var bytes = good
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let at = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0...2, using: &generator) {
      case 0: bytes[at] = signs.randomElement(using: &generator) ?? 0
      case 1: bytes.remove(at: at)
      default: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: at)
      }
    }
    let result = loadBytes(bytes)
    if result.configuration == nil {
      refused += 1
      #expect(!result.findings.isEmpty)
      #expect(result.findings.allSatisfy { $0.line >= 1 })
    }
  }
  #expect(refused > 100)
}
