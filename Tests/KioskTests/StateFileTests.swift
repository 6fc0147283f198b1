import Configuration
import Control
import EventLoop
import Foundation
import Platform
import TestSupport
import Testing

@testable import Kiosk

/// The state's file outlasts damage: it is noticed, set aside and named, and the file before it is
/// read instead.
@Suite struct StateFileTests {
  private let folder: TemporaryFolder
  private let outbox = Outbox()
  private let old = SavedState(lat: 1, lon: 2, zoom: 3, bearing: 4, source: "a")
  private var new: SavedState {
    var state = old
    state.zoom = 5
    return state
  }

  init() throws { folder = try TemporaryFolder() }

  /// A store as the next start has it.
  private func store() throws -> StateStore {
    var settings = Configuration().state
    settings.path = folder["state.json"]
    return StateStore(settings, loop: try EventLoop(), outbox: outbox)
  }

  private func save(_ states: SavedState...) throws {
    let store = try store()
    for state in states {
      store.save(state)
      store.finish()
    }
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func bytes(_ name: String = "state.json") throws -> [UInt8] {
    try FileIO.read(folder[name], limit: SavedState.maxBytes)
  }

  @Test func theStateBeforeTheLastIsKeptBesideIt() throws {
    try save(old)
    let before = try bytes()
    #expect(try names == ["state.json"])
    try save(new)
    #expect(try names == ["state.json", "state.json.previous"])
    #expect(try bytes("state.json.previous") == before)
    // A third one, and a restart between writing the previous file's name and the file.
    try save(old)
    #expect(link(folder["state.json"], folder["state.json.previous.new"]) == 0)
    try save(new)
    #expect(try names == ["state.json", "state.json.previous"])
    #expect(StateFile.state(of: try bytes("state.json.previous")) == old)
    #expect(try store().load() == new)
  }

  @Test func eachByteThatIsAnotherIsNoticed() throws {
    let whole = StateFile.sealed(new.json.text)
    #expect(StateFile.state(of: whole) == new)
    for index in whole.indices {
      for bit in [UInt8(1), 2, 32, 128] {
        var bytes = whole
        bytes[index] ^= bit
        #expect(StateFile.state(of: bytes) == nil, "byte \(index)")
      }
      #expect(StateFile.state(of: Array(whole[..<index])) == nil, "cut at \(index)")
    }
    #expect(StateFile.state(of: whole + [0]) == nil)
  }

  /// What may be there in the file's place.
  enum Damage: CaseIterable { case zeros, empty, cut, json, large }

  private func damage(_ damage: Damage) throws {
    let path = folder["state.json"]
    switch damage {
    case .zeros: try Data(count: 4096).write(to: URL(fileURLWithPath: path))
    case .empty: try folder.write("", to: "state.json")
    case .cut: #expect(truncate(path, 40) == 0)
    case .json: try folder.write("{\"lat\":91}", to: "state.json")
    case .large: #expect(truncate(path, off_t(SavedState.maxBytes) + 1) == 0)
    }
  }

  @Test(arguments: Damage.allCases)
  func aDamagedFileIsSetAsideAndNamedAndTheOneBeforeItRead(_ damage: Damage) throws {
    try save(old, new)
    try self.damage(damage)
    let present = try Data(contentsOf: URL(fileURLWithPath: folder["state.json"]))
    let next = try store()
    #expect(next.load() == old)
    let notes = outbox.takeNotes()
    let detail = try #require(notes.last?.detail)
    #expect(notes.last?.what == "state")
    #expect(detail.hasPrefix(folder["state.json"] + ": damaged"), "\(detail)")
    #expect(detail.contains("/state.json.damaged; "), "\(detail)")
    #expect(detail.hasSuffix("the view begins with the state before it"), "\(detail)")
    let aside = try Data(contentsOf: URL(fileURLWithPath: folder["state.json.damaged"]))
    #expect(aside == present)
    // The good one before it stays until the next is written, although it is the one now shown.
    next.save(old)
    next.finish()
    #expect(StateFile.state(of: try bytes()) == old)
    #expect(StateFile.state(of: try bytes("state.json.previous")) == old)
  }

  @Test func theStateBeforeADamagedOneIsFoundAgainWithoutAWrite() throws {
    try save(old, new)
    try damage(.cut)
    #expect(try store().load() == old)
    _ = outbox.takeNotes()
    // As after a power cut before anything changed.
    #expect(try store().load() == old)
    #expect(outbox.takeNotes().allSatisfy { $0.detail == nil })
    // The next write keeps it as the one before.
    let next = try store()
    #expect(next.load() == old)
    next.save(new)
    next.finish()
    #expect(StateFile.state(of: try bytes()) == new)
    #expect(StateFile.state(of: try bytes("state.json.previous")) == old)
  }

  @Test func withBothFilesDamagedTheViewIsTheConfigurations() throws {
    try save(old, new)
    try folder.write("x", to: "state.json")
    try folder.write("y", to: "state.json.previous")
    #expect(try store().load() == nil)
    let detail = outbox.takeNotes().last?.detail
    #expect(detail?.hasSuffix("the view begins as it is configured") == true, "\(detail ?? "")")
    // Later damage takes the place of what was set aside: there is one such file at most.
    try save(new)
    try folder.write("z", to: "state.json")
    #expect(try store().load() == nil)
    #expect(try bytes("state.json.damaged") == Array("z".utf8))
  }

  @Test func aFileOfAnEarlierVersionIsRead() throws {
    try folder.write(old.json.text + "\n", to: "state.json")
    #expect(try store().load() == old)
    #expect(outbox.takeNotes().isEmpty)
  }

  @Test func aStateThatWasRemovedIsNotReplacedByTheOneBeforeIt() throws {
    try save(old, new)
    #expect(unlink(folder["state.json"]) == 0)
    var lines: [String] = []
    outbox.onLog = { lines.append("\($0.name): \($1)") }
    #expect(try store().load() == nil)
    #expect(outbox.takeNotes().allSatisfy { $0.detail == nil })
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("warning: state: \(folder["state.json"]) is missing") == true)
    #expect(lines.first?.contains(folder["state.json.previous"]) == true, "\(lines)")
  }

  @Test func aFirstStartSaysNothingOfTheState() throws {
    var lines: [String] = []
    outbox.onLog = { lines.append($1) }
    #expect(try store().load() == nil)
    #expect(lines.isEmpty)
    #expect(outbox.takeNotes().isEmpty)
  }

  @Test func whatCannotBeReadIsLeftWhereItIs() throws {
    try save(old, new)
    #expect(unlink(folder["state.json"]) == 0)
    #expect(mkdir(folder["state.json"], 0o700) == 0)
    #expect(try store().load() == old)
    #expect(try names == ["state.json", "state.json.previous"])
    #expect(outbox.takeNotes().last?.detail?.contains("regular file") == true)
  }

  @Test func whatCannotBeLookedAtIsNotMissing() throws {
    try save(old, new)
    #expect(unlink(folder["state.json"]) == 0)
    // A link to itself cannot be followed, not even by root.
    #expect(symlink(folder["state.json"], folder["state.json"]) == 0)
    #expect(try store().load() == old)
    #expect(outbox.takeNotes().last?.detail?.contains("symbolic links") == true)
  }

  @Test func aDamagedFileIsSetAsideAlsoWhereItCannotHaveASecondName() throws {
    try save(old, new)
    try damage(.cut)
    // In the way of the link; as on a file system without links, or if another user's file.
    #expect(mkdir(folder["state.json.damaged.new"], 0o700) == 0)
    let cut = try bytes()
    let next = try store()
    #expect(next.load() == old)
    #expect(try bytes("state.json.damaged") == cut)
    #expect(outbox.takeNotes().last?.detail?.contains("state.json.damaged") == true)
    // The one before it is not back, so it is written although it is the one now shown.
    next.save(old)
    next.finish()
    #expect(StateFile.state(of: try bytes()) == old)
  }

  @Test func aFullOrReadOnlyDiskIsToldUntilAWriteSucceeds() throws {
    for reason in ["No space left on device", "Read-only file system"] {
      let isFull = Gate(true)
      let loop = try EventLoop()
      var settings = Configuration().state
      settings.path = folder["state.json"]
      let store = StateStore(settings, loop: loop, outbox: outbox) {
        (path, bytes) throws(FileError) in
        if isFull.locked({ $0 }) { throw FileError(file: path, reason: reason) }
        try StateFile.write(bytes, to: path)
      }
      store.save(new)
      store.finish()
      let note = outbox.takeNotes().last
      #expect(note?.what == "state")
      #expect(note?.detail?.contains(reason) == true, "\(note?.detail ?? "none")")
      // It is tried again, less and less often.
      #expect(store.retryTimer?.isArmed == true)
      // The same state is written again, although it did not change since.
      isFull.locked { $0 = false }
      store.save(new)
      store.finish()
      #expect(outbox.takeNotes().last?.detail == nil)
      #expect(store.retryTimer?.isArmed == false)
      #expect(StateFile.state(of: try bytes()) == new)
      #expect(unlink(folder["state.json"]) == 0)
    }
  }
}
