import EventLoop
import Foundation
import Platform
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// A pack over which the program crashed is opened last and alone at the next start, and named.
@Suite struct PackTrialsTests {
  let folder: TemporaryFolder
  let file: String
  let (a, b): (String, String)

  init() throws {
    folder = try TemporaryFolder()
    file = folder["state.json.openings"]
    a = try folder.write("a", to: "a.mbtiles")
    b = try folder.write("b", to: "b b.mbtiles")
  }

  /// The list of another start; the one before was never closed.
  func start(
    time: UInt64 = 0, boot: String = "boot", memoryKills: Int? = 0
  ) -> TrialList {
    TrialList(
      OpeningsFile(file), time: time, circumstances: { .init(boot: boot, memoryKills: memoryKills) }
    )
  }

  /// The list of another start, after a crash.
  func startAfterCrash(time: UInt64 = 0, boot: String = "boot") throws -> TrialList {
    try crash()
    return start(time: time, boot: boot)
  }

  /// Leaves the mark of a crash.
  func crash() throws {
    let before = try FileIO.read(file, limit: 1 << 16)
    try folder.write(
      String(decoding: before, as: UTF8.self) + CrashMark.line + "\n", to: "state.json.openings")
  }

  var isThere: Bool { access(file, F_OK) == 0 }

  @Test func whatWasBeingOpenedWhenTheProgramDiedIsSuspect() throws {
    let first = start()
    try first.begin([a])
    #expect(first.figures == .init())
    let second = try startAfterCrash()
    #expect(second.figures == .init(suspects: [a]))
    // Ended before it opened anything, the list is as it was.
    #expect(start().figures == .init(suspects: [a]))
  }

  @Test func aNameThatEndsInACarriageReturnIsASuspectLikeAnyOther() throws {
    let c = try folder.write("c", to: "c\r")
    try start().begin([c])
    #expect(try startAfterCrash().figures == .init(suspects: [c]))
  }

  @Test func whereTheBootIsUnknownTheListIsKept() {
    let now = TrialFile.Circumstances(boot: "", memoryKills: nil)
    let suspect = ["/a": PackTrial(standing: .waiting, deaths: 1, stamp: "1/2/3")]
    let read = TrialFile.trials(of: Array(TrialFile.text(suspect, now).utf8), now)
    #expect(read["/a"]?.standing == .waiting)
  }

  @Test func aSuspectWithTheMostCrashesStaysOne() {
    let now = TrialFile.Circumstances(boot: "boot", memoryKills: 0)
    let text = "waypost openings 2 boot 0\ntrying 1000 s /a\ntrying 0 s /b\ncrashed\n"
    let found = TrialFile.trials(of: Array(text.utf8), now)
    #expect(found["/a"]?.deaths == 1000)
    let again = TrialFile.trials(of: Array(TrialFile.text(found, now).utf8), now)
    #expect(Set(again.keys) == ["/a", "/b"])
  }

  @Test func sigkillFromOutsideAccusesNobody() throws {
    for _ in 0..<10 {
      let list = start()
      #expect(list.figures == .init())
      try list.begin([a])
    }
  }

  @Test func theKernelsKillForLackOfMemoryDoes() throws {
    try start(memoryKills: 4).begin([a])
    #expect(start(memoryKills: nil).figures == .init())
    #expect(start(memoryKills: 4).figures == .init())
    #expect(start(memoryKills: 5).figures == .init(suspects: [a]))
  }

  @Test func aSuspectThatWasKilledFromOutsideStaysOne() throws {
    try start().begin([a])
    let second = try startAfterCrash()
    for list in [second, start(), start()] {
      #expect(list.figures == .init(suspects: [a]))
      try list.begin([a])
    }
    let last = try startAfterCrash()
    #expect(last.figures == .init(refused: [a]))
  }

  @Test func theTrialOfAPackEndsWhenItsTimeIsOver() throws {
    let list = start(time: 500_000_000_000)
    #expect(list.figures.trialEnd == nil)
    try list.begin([a, b])
    #expect(list.figures.trialEnd == nil)
    let before = EventLoop.now()
    list.opened([a])
    let after = EventLoop.now()
    list.opened([b])
    let end = try #require(list.figures.trialEnd)
    #expect(end >= before + list.time)
    #expect(end <= after + list.time)
  }

  @Test func whatWasReadWellForAWhileIsNot() throws {
    let first = start()
    try first.begin([a, b])
    first.opened([a])
    #expect(try startAfterCrash().figures.suspects == [a, b])
    first.sweep()
    #expect(try startAfterCrash().figures.suspects == [b])
    first.failed([b])
    #expect(!isThere)
    let slow = start(time: 900_000_000_000)
    try slow.begin([a])
    slow.opened([a])
    slow.sweep()
    #expect(try startAfterCrash().figures.suspects == [a])
  }

  @Test func aProgramThatEndsAsItShouldAccusesNobody() throws {
    let first = start()
    try first.begin([a])
    first.close()
    #expect(!isThere)
    // What comes too late is not noted.
    #expect(throws: SourceError.self) { try first.begin([b]) }
    #expect(!isThere)
  }

  @Test func neitherDoesAPowerCut() throws {
    try start().begin([a])
    let next = try startAfterCrash(boot: "next")
    #expect(next.figures == .init())
    // Where the boot is not known, it may have been one.
    try start(boot: "").begin([a])
    let unknown = try startAfterCrash(boot: "")
    #expect(unknown.figures == .init())
  }

  @Test func aSuspectWaitsUntilTheOthersProvedGoodAndIsAlone() throws {
    try start().begin([a])
    let second = try startAfterCrash()
    try second.begin([b])
    let (done, a) = (Gate(false), a)
    #expect(
      startThread(named: "suspect") {
        try? second.begin([a])
        done.locked { $0 = true }
      })
    usleep(200_000)
    #expect(!done.locked { $0 })
    second.opened([b])
    second.sweep()
    let end = EventLoop.now() + 20_000_000_000
    while !done.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
    #expect(second.figures == .init(suspects: [a]))
    second.opened([a])
    second.sweep()
    #expect(!isThere)
  }

  @Test func nobodyElseIsOpenedBesideASuspect() throws {
    try start().begin([a])
    let second = try startAfterCrash()
    try second.begin([a])
    let (done, b) = (Gate(false), b)
    #expect(
      startThread(named: "other") {
        try? second.begin([b])
        done.locked { $0 = true }
      })
    usleep(200_000)
    #expect(!done.locked { $0 })
    // It is the same pack's own turn all the while.
    try second.begin([a])
    // Were it to crash now, the suspect alone would be to blame.
    #expect(try startAfterCrash().figures.refused == [a])
    second.opened([a])
    second.sweep()
    let end = EventLoop.now() + 20_000_000_000
    while !done.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
    #expect(done.locked { $0 })
    #expect(second.figures == .init())
  }

  @Test func theSuspectGivesOthersTimeToComeFirst() throws {
    try start().begin([a])
    let begun = EventLoop.now()
    let second = try startAfterCrash(time: 300_000_000)
    try second.begin([a])
    #expect(EventLoop.now() - begun >= 300_000_000)
  }

  @Test func onePackThatKillsItAgainAloneIsRefusedUntilItsFileChangesOrTheNextBoot() throws {
    try start().begin([a])
    try startAfterCrash().begin([a])
    let third = try startAfterCrash()
    #expect(third.figures == .init(refused: [a]))
    #expect(throws: SourceError.self) { try third.begin([a]) }
    try third.begin([b])
    // It stays so in this boot.
    third.close()
    let fourth = start()
    #expect(fourth.figures == .init(refused: [a]))
    // In the next it is tried once more, last and alone.
    let next = start(boot: "next")
    #expect(next.figures == .init(suspects: [a]))
    try next.begin([a])
    let again = try startAfterCrash(boot: "next")
    #expect(again.figures == .init(refused: [a]))
    try folder.write("another", to: "a.mbtiles")
    try fourth.begin([a])
    #expect(fourth.figures.refused == [])
  }

  @Test func onlySuspectsThatAreToBeOpenedAreTold() throws {
    try start().begin([a, b])
    let second = try startAfterCrash()
    #expect(second.figures.suspects == [a, b].sorted())
    #expect(second.wanted == .init())
    try second.begin([a])
    #expect(second.wanted == .init(suspects: [a]))
    second.forget([a])
    #expect(second.wanted == .init())
    // It stays on the list.
    #expect(second.figures.suspects == [a, b].sorted())
  }

  @Test func aRefusedPackIsNotToldOnceItsFileIsGone() throws {
    try start().begin([a])
    try startAfterCrash().begin([a])
    let third = try startAfterCrash()
    #expect(throws: SourceError.self) { try third.begin([a]) }
    #expect(third.wanted == .init(refused: [a]))
    #expect(unlink(a) == 0)
    // It is tried again, since it changed.
    try third.begin([a])
    #expect(third.wanted == .init())
    #expect(third.figures == .init(refused: [a]))
  }

  @Test func suspectsThatNobodyWantsGiveWayWhenTheListIsFull() throws {
    let old = (0..<TrialFile.maxCount).map {
      ("/gone/\($0)", PackTrial(standing: .waiting, deaths: 1, stamp: "s"))
    }
    let now = TrialFile.Circumstances(boot: "boot", memoryKills: 0)
    try folder.write(
      TrialFile.text(Dictionary(uniqueKeysWithValues: old), now), to: "state.json.openings")
    let list = start()
    try list.begin([a])
    #expect(list.figures.suspects.count == TrialFile.maxCount - 1)
    #expect(try startAfterCrash().figures.suspects.contains(a))
  }

  @Test func aKillForLackOfMemoryBeforeThePackWasOpenedAccusesNobody() throws {
    let kills = Gate(4)
    let list = TrialList(OpeningsFile(file), time: 0) {
      .init(boot: "boot", memoryKills: kills.locked { $0 })
    }
    kills.locked { $0 = 5 }
    try list.begin([a])
    #expect(start(memoryKills: 5).figures == .init())
    #expect(start(memoryKills: 6).figures == .init(suspects: [a]))
  }

  @Test func aFileThatIsReadAgainAndAgainIsTriedOnce() throws {
    let count = Gate(0)
    let list = TrialList(OpeningsFile(file), time: 0, replace: { _, _ in count.locked { $0 += 1 } })
    for _ in 0..<3 {
      try list.begin([a], isOnce: true)
      list.opened([a])
      list.sweep()
    }
    #expect(count.locked { $0 } == 1)
    // A pack of the map is tried each time.
    try list.begin([a])
    #expect(count.locked { $0 } == 2)
  }

  @Test func aFileThatIsReadAgainStillWaitsBesideASuspect() throws {
    try start().begin([a])
    let second = try startAfterCrash()
    try second.begin([b], isOnce: true)
    second.opened([b])
    second.sweep()
    try second.begin([a])
    let (done, b) = (Gate(false), b)
    #expect(
      startThread(named: "other") {
        try? second.begin([b], isOnce: true)
        done.locked { $0 = true }
      })
    usleep(200_000)
    #expect(!done.locked { $0 })
    second.opened([a])
    second.sweep()
    let end = EventLoop.now() + 20_000_000_000
    while !done.locked({ $0 }), EventLoop.now() < end { usleep(1000) }
    #expect(done.locked { $0 })
    #expect(!isThere)
  }

  @Test func aFileThatFailsForEverIsNotWrittenDownForEver() throws {
    let count = Gate(0)
    let list = TrialList(OpeningsFile(file), time: 0, replace: { _, _ in count.locked { $0 += 1 } })
    for _ in 0..<20 {
      try list.begin([a])
      list.failed([a])
    }
    #expect(count.locked { $0 } == 5)
    // It can be opened, although nothing says so.
    list.opened([a])
    for _ in 0..<20 {
      try list.begin([a])
      list.failed([a])
    }
    #expect(count.locked { $0 } == 10)
    // It has changed.
    try folder.write("other", to: "a.mbtiles")
    try list.begin([a])
    #expect(count.locked { $0 } == 11)
  }

  @Test func aPackThatIsNotThereIsNotWrittenDown() throws {
    let list = TrialList(
      OpeningsFile(file), time: 0,
      replace: { path, _ in
        Issue.record("\(path) was written")
      })
    try list.begin([folder["absent.mbtiles"]])
    list.failed([folder["absent.mbtiles"]])
    #expect(!isThere)
  }

  @Test func aHangingMediumOfTheListHoldsUpNoPackForLong() throws {
    let isHeld = Gate(true)
    let list = TrialList(
      OpeningsFile(file), time: 0,
      replace: { _, _ in
        isHeld.wait { $0 ? nil : () }
      })
    try list.begin([a])
    list.opened([a])
    #expect(list.figures.trialEnd != nil)
    isHeld.lockedBroadcast { $0 = false }
  }

  @Test func ofTwoThatWereUnderWayNeitherIsRefusedForTheOther() throws {
    try start().begin([a, b])
    try startAfterCrash().begin([a, b])
    #expect(try startAfterCrash().figures == .init(suspects: [a, b].sorted()))
  }

  @Test(arguments: [
    "", "x", "crashed\n", "waypost openings 2\ntrying 0 - /a\ncrashed\n",
    "waypost openings 2 boot 0\ntrying\ntrying x y z\ntrying -1 - /a\nnone 1 - /a\ncrashed\n",
    "waypost openings 1 boot\ntrying 0 - /a\n",
    "waypost openings 3 boot 0\ntrying 0 - /a\ncrashed\n",
    "waypost openings 2 boot 0\ntrying 9223372036854775807 - /a\ncrashed\n",
  ]) func aDamagedFileAccusesNobody(text: String) throws {
    try folder.write(text, to: "state.json.openings")
    #expect(start().figures == .init())
  }
}
