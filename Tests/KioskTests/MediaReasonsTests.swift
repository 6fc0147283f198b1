import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Kiosk

/// A medium that cannot be mounted is told in the health, with the reason that `mount-medium` left.
@Suite struct MediaReasonsTests {
  private let folder: TemporaryFolder
  private let loop: EventLoop
  private let outbox = Outbox()
  private let ntfs = "its file system is ntfs, but only vfat and exfat are mounted"

  init() throws {
    folder = try TemporaryFolder()
    loop = try EventLoop()
  }

  private func finder() throws -> MediaFinder {
    #expect(mkdir(folder["media"], 0o755) == 0)
    #expect(mkdir(folder["reasons"], 0o755) == 0)
    let finder = MediaFinder(loop: loop, outbox: outbox, reasonFolder: folder["reasons"])
    finder.configure([folder["media"]])
    return finder
  }

  /// Runs the loop until the health says this of media; nil: nothing is wrong.
  private func says(_ text: String?) -> Bool {
    let end = EventLoop.now() + 60_000_000_000
    while EventLoop.now() < end {
      loop.runOnce(timeout: 10_000_000)
      for note in outbox.takeNotes() where note.what == "media" && note.detail == text {
        return true
      }
    }
    return false
  }

  @Test func aReasonIsToldUntilItIsGone() throws {
    let finder = try finder()
    #expect(says(nil))
    try folder.write(ntfs + "\nmore\n", to: "reasons/sda1.reason")
    #expect(says("sda1 is not mounted: \(ntfs)"))
    #expect(unlink(folder["reasons/sda1.reason"]) == 0)
    #expect(says(nil))
    withExtendedLifetime(finder) {}
  }

  @Test func aFolderThatIsMadeAfterTheStartIsWatchedToo() throws {
    let reasons = MediaReasons(folder["run/reasons"], loop: loop) {}
    #expect(mkdir(folder["run"], 0o755) == 0)
    let late = MediaReasons(folder["run/reasons"], loop: loop) {}
    while loop.runOnce(timeout: 300_000_000) {}
    #expect(mkdir(folder["run/reasons"], 0o755) == 0)
    while loop.runOnce(timeout: 300_000_000) {}
    try folder.write(ntfs, to: "run/reasons/sda1.reason")
    let end = EventLoop.now() + 60_000_000_000
    while EventLoop.now() < end, late.all.isEmpty { loop.runOnce(timeout: 10_000_000) }
    #expect(late.all == ["sda1 is not mounted: \(ntfs)"])
    // What happens beside the folder wakes nobody any more.
    while loop.runOnce(timeout: 300_000_000) {}
    try folder.write("x", to: "run/other")
    let isWoken = loop.runOnce(timeout: 300_000_000)
    #expect(!isWoken)
    withExtendedLifetime(reasons) {}
  }

  @Test func reasonsThatWereThereBeforeTheStartAreToldAndOtherFilesAreNot() throws {
    #expect(mkdir(folder["reasons"], 0o755) == 0)
    try folder.write(ntfs, to: "reasons/sda1.reason")
    try folder.write("/media/STICK", to: "reasons/sdb1")
    try folder.write("half", to: "reasons/.sdc1.reason")
    let reasons = MediaReasons(folder["reasons"], loop: loop) {}
    let end = EventLoop.now() + 60_000_000_000
    while EventLoop.now() < end, reasons.all.isEmpty { loop.runOnce(timeout: 10_000_000) }
    #expect(reasons.all == ["sda1 is not mounted: \(ntfs)"])
  }

  @Test func moreReasonsThanTheLimitAndLongOnesAreLeftOut() throws {
    #expect(mkdir(folder["reasons"], 0o755) == 0)
    for n in 0..<20 { try folder.write("reason", to: "reasons/sd\(n).reason") }
    let long = String(repeating: "x", count: MediaReasons.most.bytes + 1)
    let reasons = MediaReasons(folder["reasons"], loop: loop) {}
    let end = EventLoop.now() + 60_000_000_000
    while EventLoop.now() < end, reasons.all.isEmpty { loop.runOnce(timeout: 10_000_000) }
    #expect(reasons.all.count == MediaReasons.most.files)
    for n in 0..<20 { try folder.write(long, to: "reasons/sd\(n).reason") }
    while EventLoop.now() < end, !reasons.all.isEmpty { loop.runOnce(timeout: 10_000_000) }
    #expect(reasons.all.isEmpty)
  }
}
