import Foundation
import Glibc
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Limits that several media share, and more changes than the kernel keeps notices of.
@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct MediaLimitTests: MediaCase {
  /// Puts `count` packs on `medium`, called `prefix` and a number.
  private func fill(
    _ folder: TemporaryFolder, _ medium: String, _ prefix: String, count: Int
  ) throws {
    let first = "\(prefix)0.pmtiles"
    try prepare(folder, first, on: medium)
    for number in 1..<count {
      try FileManager.default.copyItem(
        atPath: folder["drawer/\(medium)/\(first)"],
        toPath: folder["drawer/\(medium)/\(prefix)\(number).pmtiles"])
    }
  }

  @Test func severalMediaShareOneLimitAndWhatIsTakenStays() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    var configuration = bench.kiosk.configuration
    try FileManager.default.createDirectory(
      atPath: folder["more"], withIntermediateDirectories: true)
    configuration.media.watch = [folder["media"], folder["more"]]
    bench.kiosk.apply(configuration)
    quiet(bench)
    let count = MediaSearch.mostPacks - 10
    try fill(folder, "stick", "s", count: count)
    // Its names and its path come before those of the other.
    try fill(folder, "card", "a", count: count)
    try plug(folder)
    #expect(bench.run { bench.kiosk.sourceCount(of: .medium) == count })
    quiet(bench)
    #expect(trouble(bench) == nil)
    #expect(rename(folder["drawer/card"], folder["more/card"]) == 0)
    #expect(bench.run { bench.kiosk.sourceCount(of: .medium) == MediaSearch.mostPacks })
    quiet(bench)
    #expect(trouble(bench)?.contains("64 packs") == true)
    #expect(names(bench).filter { $0.hasPrefix("s") }.count == count)
    pull(folder)
    #expect(bench.run { bench.kiosk.sourceCount(of: .medium) == count && trouble(bench) == nil })
    #expect(names(bench).filter { $0.hasPrefix("a") }.count == count)
  }

  /// How many notices the kernel keeps for one reader; nil: unknown.
  private var mostNotices: Int? {
    let path = "/proc/sys/fs/inotify/max_queued_events"
    return (try? String(contentsOfFile: path, encoding: .utf8))
      .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  @Test func whatComesWhenNoticesAreLostIsFound() throws {
    guard let most = mostNotices, most <= 100_000 else { return }
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try FileManager.default.createDirectory(
      atPath: folder["media/card"], withIntermediateDirectories: true)
    #expect(bench.run { !bench.kiosk.media.isQuiet })
    quiet(bench)
    // Nobody reads meanwhile. Two names, so that no notice is like the one before it.
    let links = [folder["media/card/a.tmp"], folder["media/card/b.tmp"]]
    var made = 0
    for number in 0..<most / 2 + 100 {
      let link = links[number % 2]
      if symlink("nowhere", link) == 0, unlink(link) == 0 { made += 1 }
    }
    #expect(made == most / 2 + 100)
    // The notices of this are lost.
    #expect(rename(folder["drawer/stick/topo.pmtiles"], folder["media/card/topo.pmtiles"]) == 0)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    quiet(bench)
    // What comes later is heard of again.
    #expect(unlink(folder["media/card/topo.pmtiles"]) == 0)
    #expect(bench.run { names(bench) == ["own"] })
  }
}
