import Foundation
import TestSupport
import Testing

/// The seeds of the fuzzers, and all inputs that have broken a parser, through the same entry
/// points: what was mended stays mended. A trap ends the whole test run, and so fails it. One after
/// the other, since some targets have a file of a fixed name.
@Suite(.serialized) struct FuzzCorpusTests {
  private static let folder = TestData.fixtures + "/fuzz"

  private static func inputs(of target: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/" + target).sorted()
  }

  @Test(arguments: FuzzTarget.all.map(\.name))
  func everyCommittedInputIsReadOrRefused(_ name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    let inputs = try Self.inputs(of: name)
    #expect(!inputs.isEmpty, "no seeds in \(Self.folder)/\(name)")
    for input in inputs {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(Self.folder)/\(name)/\(input)")))
      do {
        try bytes.withUnsafeBytes(target.run)
      } catch {
        Issue.record("\(name)/\(input): \(error)")
      }
    }
  }

  @Test func everyFolderBelongsToATarget() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    let known = Set(FuzzTarget.all.map(\.name))
    for folder in folders where folder != "README.md" { #expect(known.contains(folder)) }
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
