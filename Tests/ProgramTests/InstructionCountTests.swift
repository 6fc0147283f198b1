import Foundation
import TestSupport
import Testing

/// board/instructions/compare, with counts that nobody counted.
@Suite struct InstructionCountTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("board/instructions/compare").path
  private static let known = "world-z4 labels 1000000\nperth-z12 plain 2000000\n"

  private func compare(_ counted: String, _ reason: String = "") throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    let files = [
      try folder.write(Self.known, to: "counts"), try folder.write(counted, to: "counted"),
    ]
    return try withExtendedLifetime(folder) {
      try Program(path: "/bin/bash").run([Self.script] + files + [reason])
    }
  }

  @Test func aCountThatGrewByMoreThanATenthFails() throws {
    let same = try compare("world-z4 labels 1000000\nperth-z12 plain 2190000\n")
    #expect(same.status == 0, "\(same.text)")
    let grown = try compare("world-z4 labels 1000000\nperth-z12 plain 2210000\n")
    #expect(grown.status == 1 && grown.text.contains("MORE THAN 10 %"), "\(grown.text)")
  }

  @Test(arguments: ["world-z4 labels 1000000\n", "world-z4 labels 1000000\nperth-z12 plain \n"])
  func aCountThatIsMissingFails(_ counted: String) throws {
    let outcome = try compare(counted)
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("perth-z12 plain    NOT COUNTED"), "\(outcome.text)")
  }

  @Test func withoutTheDataWhatIsNotCountedIsListedWithTheReason() throws {
    let outcome = try compare("world-z4 labels 1000000\n", "there is no data")
    #expect(outcome.status == 0)
    #expect(
      outcome.text.contains("perth-z12 plain    not counted: there is no data"),
      "\(outcome.text)")
    let none = try compare("", "there is no data")
    #expect(none.status == 1)
  }

  @Test func aCountThatIsNotKnownFails() throws {
    let outcome = try compare(Self.known + "rome-z1 plain 5\n")
    #expect(outcome.status == 1 && outcome.text.contains("not known before"))
  }
}
