import Foundation
import TestSupport
import Testing

/// A short part of what `make soak` does, so that its drivers stay usable.
@Suite(.enabled(if: !isEmulated, "skipped under emulation: processes are too slow"))
struct SoakTests {
  private static let folder =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().path + "/soak"

  private func run(_ driver: String, _ arguments: String...) throws -> Program.Outcome {
    let waypostd = try Program.built("waypostd").path
    // The fixtures are enough.
    return try Program(path: "\(SoakTests.folder)/\(driver)").run(
      arguments + [waypostd], environment: ["WAYPOST_TEST_DATA": "/nonexistent"])
  }

  @Test func aDayOfAKioskLeavesNothingBehindAndGetsAllItsAnswers() throws {
    let outcome = try run("soak", "--actions", "3000", "--batch", "200")
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    #expect(outcome.text.contains("violations           0"), "\(outcome.text)")
  }

  @Test func answersThatComeTooLateAreAskedForAgainWithinALimit() throws {
    let outcome = try Program(path: "/usr/bin/env").run(
      ["python3", "-m", "doctest", "\(SoakTests.folder)/lateness.py"])
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }

  @Test func answersAndFramesDuringAFaultAreComparedWithThoseBeforeIt() throws {
    let outcome = try Program(path: "/usr/bin/env").run(
      ["python3", "-m", "doctest", "\(SoakTests.folder)/pacing.py"])
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }

  @Test func aKilledDaemonBeginsWithTheStateLastWritten() throws {
    let outcome = try run("kills", "--kills", "3", "--jobs", "1", "--any-age")
    #expect(outcome.text.contains("3 of 3"), "\(outcome.text)\(outcome.errors)")
    #expect(outcome.text.contains("violations               0"), "\(outcome.errors)")
  }

  @Test func aFaultIsToldAndHoldsUpNobodyElse() throws {
    // `make soak` also compares the pace with that before each fault.
    let outcome = try run("faults", "--any-pace")
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }
}
