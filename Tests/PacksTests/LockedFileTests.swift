import Glibc
import TestSupport
import Testing

@testable import Packs

struct LockedFileTests {
  @Test func aClosedFileIsFreeThoughAnotherDescriptorOfItIsOpen() throws {
    let folder = try TemporaryFolder()
    guard case .open(let first) = LockedFile.open(folder["file"], mode: 0o600) else {
      Issue.record("cannot be opened")
      return
    }
    // What a process that is being started has until it becomes another program.
    let copy = dup(first)
    defer { close(copy) }
    guard case .taken = LockedFile.open(folder["file"], mode: 0o600) else {
      Issue.record("is not locked")
      return
    }
    LockedFile.close(first)
    guard case .open(let second) = LockedFile.open(folder["file"], mode: 0o600) else {
      Issue.record("is still locked")
      return
    }
    LockedFile.close(second)
  }
}
