import Foundation
import TestSupport
import Testing

/// The seeds of the fuzzers, all inputs that have broken a parser, and what was kept of long runs,
/// through the same entry points: what was mended stays mended. A trap ends the whole test run, and
/// so fails it. One after the other, since some targets have a file of a fixed name.
@Suite(.serialized) struct FuzzCorpusTests {
  private static let seeds = TestData.fixtures + "/fuzz"
  private static let kept = TestData.fixtures + "/fuzz-grown"

  private static func inputs(of target: String, in folder: String) throws -> [String] {
    let path = folder + "/" + target
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
      path + "/" + $0
    }
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func everyCommittedInputIsReadOrRefused(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let seeds = try Self.inputs(of: name, in: Self.seeds)
    #expect(!seeds.isEmpty, "no seeds in \(Self.seeds)/\(name)")
    for input in try seeds + Self.inputs(of: name, in: Self.kept) {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: input)))
      do {
        try bytes.withUnsafeBytes(target.run)
      } catch {
        Issue.record("\(input): \(error)")
      }
    }
  }

  @Test func everyFolderBelongsToATarget() throws {
    let folders = try [Self.seeds, Self.kept].flatMap {
      try FileManager.default.contentsOfDirectory(atPath: $0)
    }
    let known = Set(FuzzTarget.all.map(\.name))
    for folder in folders where folder != "README.md" { #expect(known.contains(folder)) }
  }

  @Test func everyTargetSaysWhereItsParserIs() {
    for path in FuzzTarget.all.flatMap(\.code) {
      #expect(FileManager.default.fileExists(atPath: TestData.fixtures + "/../../" + path))
    }
  }

  @Test func anInputOfNoBytesIsReadOrRefused() throws {
    for target in FuzzTarget.all {
      do {
        try target.run(UnsafeRawBufferPointer(start: nil, count: 0))
      } catch {
        Issue.record("\(target.name): \(error)")
      }
    }
  }
}
