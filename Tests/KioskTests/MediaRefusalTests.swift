import EventLoop
import Foundation
import MapGeometry
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Packs that are not whole are not taken, and media that hang hold up no others.
@Suite(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
struct MediaRefusalTests: MediaCase {
  @Test(arguments: PackFormat.allCases, [0.0, 0.02, 0.5, 0.99])
  func whatIsBeingCopiedIsTakenOnceItIsClosed(_ format: PackFormat, _ part: Double) throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder, "topo.\(format)")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder["drawer/stick/topo.\(format)"]))
    try FileManager.default.createDirectory(
      atPath: folder["media/card"], withIntermediateDirectories: true)
    #expect(bench.run { !bench.kiosk.media.isQuiet })
    quiet(bench)
    let path = folder["media/card/copy.\(format)"]
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    try #require(file >= 0)
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    let half = Int(Double(whole.count) * part)
    try handle.write(contentsOf: whole.prefix(half))
    #expect(bench.run { !bench.kiosk.media.isQuiet })
    quiet(bench)
    // Another pack has the folder searched meanwhile.
    try prepare(folder, "other.\(format)", on: "other")
    let other = "other.\(format)"
    #expect(rename(folder["drawer/other/" + other], folder["media/card/" + other]) == 0)
    #expect(bench.run { names(bench) == ["own", "other"] })
    quiet(bench)
    #expect(names(bench) == ["own", "other"])
    #expect(trouble(bench) == nil)
    try handle.write(contentsOf: whole.dropFirst(half))
    try handle.close()
    #expect(bench.run { names(bench).contains("copy") })
    quiet(bench)
    #expect(bench.kiosk.health.entries.isEmpty)
  }

  /// A folder and the files in it may be copied faster than the folder can be watched.
  @Test func whatTurnsOutToBeWrittenIsNoTroubleAnyMore() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder["drawer/stick/topo.pmtiles"]))
    try whole.prefix(200).write(to: URL(fileURLWithPath: folder["drawer/stick/topo.pmtiles"]))
    let file = open(folder["drawer/stick/topo.pmtiles"], O_WRONLY | O_APPEND | O_CLOEXEC)
    try #require(file >= 0)
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    try plug(folder)
    #expect(bench.run { trouble(bench) != nil })
    try handle.write(contentsOf: whole.dropFirst(200).dropLast(9))
    #expect(bench.run { trouble(bench) == nil })
    quiet(bench)
    #expect(names(bench) == ["own"])
    try handle.write(contentsOf: whole.suffix(9))
    quiet(bench)
    #expect(names(bench) == ["own"])
    try handle.close()
    #expect(bench.run { names(bench) == ["own", "topo"] })
  }

  @Test(arguments: PackFormat.allCases)
  func whatWasCutOffIsNamedOnceAndTakenWhenItIsWhole(_ format: PackFormat) throws {
    let folder = try TemporaryFolder()
    try prepare(folder, "topo.\(format)")
    let path = folder["drawer/stick/topo.\(format)"]
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    try whole.dropLast(whole.count / 3).write(to: URL(fileURLWithPath: path))
    let bench = try bench(folder)
    var news: [String] = []
    bench.kiosk.onEvent = { event in
      if case .health = event, let text = trouble(bench), text != news.last { news.append(text) }
    }
    try plug(folder)
    #expect(bench.run { trouble(bench) != nil })
    let told = try #require(trouble(bench))
    #expect(told.contains("media/stick/topo.\(format): is not whole"))
    try prepare(folder, "other.pmtiles", on: "card")
    try plug(folder, "card")
    #expect(bench.run { names(bench) == ["own", "other"] })
    quiet(bench)
    #expect(news == [told])
    let new = folder["whole"]
    try whole.write(to: URL(fileURLWithPath: new))
    #expect(rename(new, folder["media/stick/topo.\(format)"]) == 0)
    #expect(bench.run { names(bench) == ["own", "other", "topo"] })
    quiet(bench)
    #expect(trouble(bench) == nil)
  }

  @Test func refusedFilesOfAMediumThatComesAndGoesAreLoggedOnce() throws {
    let folder = try TemporaryFolder()
    for number in 0..<5 {
      try prepare(folder, "topo\(number).pmtiles")
      let path = folder["drawer/stick/topo\(number).pmtiles"]
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try whole.dropLast(whole.count / 3).write(to: URL(fileURLWithPath: path))
    }
    let bench = try bench(folder)
    var lines: [String] = []
    bench.kiosk.onLog = { if $1.hasPrefix("media: ") { lines.append($1) } }
    for _ in 0..<3 {
      try plug(folder)
      #expect(bench.run { trouble(bench)?.contains("and 2 more") == true })
      quiet(bench)
      pull(folder)
      #expect(bench.run { trouble(bench) == nil })
      quiet(bench)
    }
    // The health has the first three.
    #expect(lines.count == 2, "\(lines)")
  }

  @Test func aMediumOfManyRefusedFilesDoesNotFillTheLog() throws {
    let folder = try TemporaryFolder()
    let most = MediaFinder.mostLogged
    try prepare(folder, "topo.pmtiles")
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder["drawer/stick/topo.pmtiles"]))
    let part = whole.dropLast(whole.count / 3)
    // With the first three, which the health has, and `topo` itself.
    for number in 0..<(most + 7) {
      try part.write(to: URL(fileURLWithPath: folder["drawer/stick/part\(100 + number).pmtiles"]))
    }
    try part.write(to: URL(fileURLWithPath: folder["drawer/stick/topo.pmtiles"]))
    let bench = try bench(folder)
    var lines: [String] = []
    bench.kiosk.onLog = { if $1.hasPrefix("media: ") { lines.append($1) } }
    for _ in 0..<2 {
      try plug(folder)
      #expect(bench.run { trouble(bench)?.contains("and \(most + 5) more") == true })
      quiet(bench)
      pull(folder)
      #expect(bench.run { trouble(bench) == nil })
      quiet(bench)
    }
    #expect(lines.count == most, "\(lines.count)")
  }

  /// Its header is right, and its directory is not.
  @Test func aWholeFileThatIsNoPackIsRefusedAndNoSource() throws {
    let folder = try TemporaryFolder()
    try prepare(folder)
    let path = folder["drawer/stick/topo.pmtiles"]
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for i in 127..<300 { bytes[i] = 0xff }
    try bytes.write(to: URL(fileURLWithPath: path))
    let bench = try bench(folder)
    let events = record(bench)
    try plug(folder)
    #expect(bench.run { trouble(bench)?.contains("topo.pmtiles") == true })
    quiet(bench)
    #expect(names(bench) == ["own"])
    #expect(events() == [])
    // Not tried again while it stays as it is.
    try prepare(folder, "other.pmtiles", on: "card")
    try plug(folder, "card")
    #expect(bench.run { names(bench) == ["own", "other"] })
    quiet(bench)
    #expect(names(bench) == ["own", "other"])
    try prepare(folder, "topo.pmtiles", on: "new")
    #expect(rename(folder["drawer/new/topo.pmtiles"], folder["media/stick/topo.pmtiles"]) == 0)
    #expect(bench.run { names(bench) == ["own", "other", "topo"] && trouble(bench) == nil })
  }

  @Test func aNameThatIsNoTextIsTold() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    let bytes: [CChar] = Array((folder["drawer/stick/"] + "a").utf8CString.dropLast()) + [-1]
    let name = bytes + Array(".pmtiles".utf8CString)
    #expect(rename(folder["drawer/stick/topo.pmtiles"], name) == 0)
    try plug(folder)
    #expect(bench.run { trouble(bench)?.contains("its name is not UTF-8") == true })
    quiet(bench)
    #expect(names(bench) == ["own"])
  }

  @Test func manyNamesThatAreNoTextAreToldWithinTheLimit() throws {
    let folder = try TemporaryFolder()
    for number in 0..<MediaSearch.mostPacks + 10 {
      let bytes: [CChar] = Array((folder.path + "/\(number)").utf8CString.dropLast()) + [-1]
      let file = open(bytes + Array(".pmtiles".utf8CString), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
      try #require(file >= 0)
      close(file)
    }
    let search = MediaSearch(place: folder.path, root: folder.path)
    let outcome = search.run(known: [:], written: [], created: [], notices: MediaNotices())
    #expect(outcome.findings.count == MediaSearch.mostPacks)
    #expect(outcome.isLimited)
  }

  @Test func aMediumThatHangsHoldsUpNoOther() throws {
    let folder = try TemporaryFolder()
    let isLetGo = Gate(false)
    let slow = folder["slow"]
    try prepare(folder, "slow.pmtiles", on: "slow")
    #expect(rename(folder["drawer/slow"], slow) == 0)
    let bench = try bench(folder)
    bench.kiosk.media.touch = { place in
      let end = EventLoop.now() + 20_000_000_000
      while place == slow, !isLetGo.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
    }
    var configuration = bench.kiosk.configuration
    configuration.media.watch = [slow, folder["media"]]
    bench.kiosk.apply(configuration)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    #expect(bench.kiosk.use("topo"))
    try bench.settle()
    #expect(colors(bench) == [blue])
    #expect(!isLetGo.locked { $0 } && !bench.kiosk.media.isQuiet)
    isLetGo.locked { $0 = true }
    #expect(bench.run { names(bench) == ["own", "topo", "slow"] })
  }

  @Test func aMediumThatTakesLongForATileHoldsUpItsOwnTilesOnly() throws {
    let folder = try TemporaryFolder()
    let bench = try bench(folder)
    try prepare(folder)
    try plug(folder)
    #expect(bench.run { names(bench) == ["own", "topo"] })
    quiet(bench)
    let hold = Hold()
    hold.hold { _ in true }
    let entry = try #require(bench.kiosk.entry("topo"))
    let spec = entry.spec
    bench.kiosk.pipeline.loader.setSource(entry.index, name: "topo") {
      do throws(SourceError) {
        return .success(HeldSource(try spec.open(), hold))
      } catch {
        return .failure(error)
      }
    }
    #expect(bench.kiosk.use("topo"))
    bench.drain()
    #expect(bench.kiosk.use("own"))
    try bench.show(GeoPoint(lat: 20, lon: 20), 4)
    #expect(colors(bench) == [red])
    // It may even go while a read of it hangs.
    pull(folder)
    #expect(bench.run { names(bench) == ["own"] })
    hold.release()
  }

  /// inotify tells nothing of a mount.
  @Test(.enabled(if: canMount(), "skipped: only root may mount a folder, and not everywhere"))
  func aMediumThatIsMountedAndUnmountedComesAndGoes() throws {
    let folder = try TemporaryFolder()
    #expect(mkdir(folder["media"], 0o755) == 0 && mkdir(folder["media/point"], 0o755) == 0)
    try prepare(folder)
    let bench = try bench(folder)
    func mount() {
      #expect(runProgram("mount", "--bind", folder["drawer/stick"], folder["media/point"]))
    }
    mount()
    #expect(bench.run { names(bench) == ["own", "topo"] })
    #expect(bench.kiosk.use("topo"))
    try bench.settle()
    #expect(colors(bench) == [blue])
    // Its files are open: only a lazy unmount is possible, as where a stick is pulled.
    #expect(runProgram("umount", "--lazy", folder["media/point"]))
    #expect(bench.run { colors(bench) == [red] && names(bench) == ["own"] })
    mount()
    defer { _ = runProgram("umount", "--lazy", folder["media/point"]) }
    #expect(bench.run { colors(bench) == [blue] })
  }
}
