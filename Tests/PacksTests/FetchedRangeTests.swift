import Foundation
import Platform
import TestSupport
import Testing

@testable import Packs

/// How `FetchedRangeReader` talks to waypost-fetch, and to a program that says something else.
struct FetchedRangeTests {
  /// The reader of a program that is a shell script.
  private func reader(
    _ script: String, _ folder: TemporaryFolder, isWanted: @escaping () -> Bool = { true }
  ) throws -> FetchedRangeReader {
    let path = try FetchScript.write(script, folder)
    return try FetchScript.start {
      try FetchedRangeReader(
        address: "https://example.org/a.pmtiles", program: .init(path: path, contact: "me"),
        isWanted: isWanted)
    }
  }

  @Test func theProgramIsToldTheAddressAndAsked() throws {
    let folder = try TemporaryFolder()
    let reader = try reader(
      """
      read -r line
      echo "$@ $line" > "$(dirname "$0")/asked"
      printf 'bytes 5 3 1000 ETag "1"\\nabc'
      read -r line
      """, folder)
    reader.begin(RangeRequest(number: 5, offset: 10, count: 3))
    let answer = reader.next()
    let content = try answer.result.get()
    #expect(answer.number == 5 && content.bytes == Array("abc".utf8))
    #expect(content.archive == ArchiveState(size: 1000, identity: "ETag \"1\""))
    let asked = try String(contentsOfFile: folder["asked"], encoding: .utf8)
    #expect(asked == "ranges --contact me https://example.org/a.pmtiles get 5 10 3\n")
  }

  @Test(arguments: [
    "read line; exit 3", "read line; echo nonsense; read line",
    // Another number, more bytes than were asked for, and none.
    "read line; echo 'bytes 6 3 1000 x'; read line", "read line; echo 'bytes 5 4 9 x'; read line",
    "read line; echo 'bytes 5 3 1000 x'; exit", "read line; head -c 10000 /dev/zero; read line",
  ])
  func aProgramThatEndsOrLiesIsAFault(_ script: String) throws {
    let folder = try TemporaryFolder()
    let reader = try reader(script, folder)
    reader.begin(RangeRequest(number: 5, offset: 10, count: 3))
    let answer = reader.next()
    #expect(answer.number == 5)
    guard case .failure(let fault) = answer.result else {
      Issue.record("bytes came")
      return
    }
    #expect(!fault.canRetry && fault.reason.contains("waypost-fetch"))
    // And nothing more comes of it.
    reader.begin(RangeRequest(number: 6, offset: 10, count: 3))
    let next = reader.next()
    #expect(next.number == 6)
  }

  @Test func aSilentProgramIsLeftWhenNobodyWantsTheWorkAnyMore() throws {
    let folder = try TemporaryFolder()
    var looks = 0
    let reader = try reader("read line\nread line\n", folder) {
      looks += 1
      return looks < 3
    }
    reader.begin(RangeRequest(number: 1, offset: 0, count: 1))
    _ = reader.next()
    #expect(reader.wasStopped && looks == 3)
  }

  @Test func secretsOfAnAddressAreNotShown() throws {
    let shown = [
      "https://me:pass@example.org:8443/a@b/map.pmtiles?token=1#x":
        "https://example.org:8443/a@b/map.pmtiles",
      "http://example.org/map.pmtiles": "http://example.org/map.pmtiles",
      "https://a@b@example.org?key=1": "https://example.org",
    ]
    for (address, wanted) in shown { #expect(ShownAddress.of(address) == wanted) }
    let folder = try TemporaryFolder()
    let path = try folder.write("#!/bin/sh\nread line\n", to: "fetch")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let reader = try? FetchedRangeReader(
      address: "https://me:pass@example.org/a.pmtiles?token=1", program: .init(path: path))
    #expect(reader?.name ?? "https://example.org/a.pmtiles" == "https://example.org/a.pmtiles")
    let journal = try ExtractJournal(path: folder["journal"], source: "a")
    var status = stat()
    #expect(stat(folder["journal"], &status) == 0 && status.st_mode & 0o077 == 0)
    withExtendedLifetime(journal) {}
  }

  @Test(.enabled(if: !Emulation.isOn, "skipped under emulation: a start never fails there"))
  func aMissingProgramIsNamed() {
    let error = packError {
      try FetchedRangeReader(
        address: "https://example.org/a", program: .init(path: "/nonexistent/waypost-fetch"))
    }
    #expect(error?.description.contains("/nonexistent/waypost-fetch") == true)
    #expect(error?.reason.contains("install it beside waypost") == true)
  }
}
