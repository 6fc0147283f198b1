import Glibc
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// The list of openings while it cannot be written where it belongs.
struct OpeningsFileTests {
  let folder: TemporaryFolder
  let pack: String
  let file: OpeningsFile

  init() throws {
    folder = try TemporaryFolder()
    pack = try folder.write("pack", to: "a.mbtiles")
    file = OpeningsFile(folder["list"], spare: folder["spare"])
  }

  private func start() -> TrialList {
    TrialList(file, time: 0, circumstances: { .init(boot: "boot", memoryKills: 0) })
  }

  private func crash(_ name: String) throws {
    let before = try FileIO.read(folder[name], limit: 1 << 16)
    try folder.write(String(decoding: before, as: UTF8.self) + CrashMark.line + "\n", to: name)
  }

  private func isThere(_ name: String) -> Bool { access(folder[name], F_OK) == 0 }

  @Test func theSpareIsUsedWhileTheFileCannotBeWritten() throws {
    // A folder of that name cannot be replaced, not even by root.
    mkdir(folder["list"], 0o700)
    try start().begin([pack])
    #expect(isThere("spare"))
    try crash("spare")
    let second = start()
    #expect(second.figures == .init(suspects: [pack]))
    try second.begin([pack])
    try crash("spare")
    let third = start()
    #expect(third.figures == .init(refused: [pack]))
    #expect(throws: SourceError.self) { try third.begin([pack]) }
    // It can be written again.
    rmdir(folder["list"])
    let other = try folder.write("other", to: "b.mbtiles")
    try third.begin([other])
    #expect(isThere("list") && !isThere("spare"))
    #expect(start().figures == .init(refused: [pack]))
  }

  @Test func aListThatCannotBeRemovedIsOverridden() throws {
    let now = TrialFile.Circumstances(boot: "boot", memoryKills: 0)
    let left = TrialFile.text([pack: PackTrial(standing: .waiting, deaths: 1, stamp: "s")], now)
    try folder.write(left, to: "list")
    let list = start()
    #expect(list.figures == .init(suspects: [pack]))
    try list.begin([pack])
    list.opened([pack])
    // From here on, as on a read-only disk.
    unlink(folder["list"])
    mkdir(folder["list"], 0o700)
    list.sweep()
    #expect(isThere("spare"))
    #expect(start().figures == .init())
  }

  @Test func withoutTroubleThereIsNoSpare() throws {
    let list = start()
    try list.begin([pack])
    #expect(isThere("list") && !isThere("spare"))
    list.opened([pack])
    list.sweep()
    #expect(!isThere("list") && !isThere("spare"))
  }

  @Test func thereIsNoSpareWhereOthersCanWrite() throws {
    let (state, socket) = (folder["state.json"], folder["s"])
    let spare = try #require(OpeningsFile(besideState: state, socket: socket).spare)
    #expect(spare.hasPrefix(socket + "."))
    // Another state has another list.
    #expect(OpeningsFile(besideState: state + "2", socket: socket).spare != spare)
    for mode: mode_t in [0o1777, 0o770] {
      chmod(folder.path, mode)
      #expect(OpeningsFile(besideState: state, socket: socket).spare == nil)
    }
    chmod(folder.path, 0o755)
    #expect(OpeningsFile(besideState: state, socket: socket).spare == spare)
    #expect(OpeningsFile(besideState: nil, socket: socket).path == socket + ".openings")
  }

  @Test func whatIsOpenedAgainAndAgainIsOnTrialOnce() throws {
    let list = TrialList(
      file, time: 50_000_000, circumstances: { .init(boot: "boot", memoryKills: 0) })
    for _ in 0..<20 {
      try list.begin([pack], isOnce: true)
      list.opened([pack])
      usleep(10_000)
    }
    list.sweep()
    #expect(list.figures == .init())
  }

  @Test func aTextThatCrashedTheProgramIsRefusedUntilItChanges() throws {
    let text = TrialList.Text(ofOverlay: "overlay hazards", "{}")
    for _ in 0..<2 {
      try start().begin([], text: text)
      try crash("list")
    }
    let list = start()
    #expect(list.figures == .init(refused: ["overlay hazards"]))
    #expect {
      try list.begin([], text: text)
    } throws: {
      ($0 as? SourceError)?.description.contains("crashed 2 times") == true
    }
    // It is not taken for a file that is gone.
    list.sweep()
    #expect(list.wanted == list.figures)
    try list.begin([], text: TrialList.Text(ofOverlay: "overlay hazards", "{ }"))
    #expect(list.figures == .init())
  }
}
