import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct DirectoryTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["b", "a", ".hidden", String(repeating: "n", count: 255)] {
      _ = try folder.write("", to: name)
    }
  }

  @Test func everythingButTheDirectoryItselfAndItsParentIsListed() throws {
    let names = try Directory.names(in: folder.path)
    #expect(names.sorted() == [".hidden", "a", "b", String(repeating: "n", count: 255)])
  }

  @Test func dottedNamesAreNotVisible() {
    #expect(Directory.visibleNames(in: folder.path).count == 3)
    #expect(Directory.visibleNames(in: folder.path + "/absent").isEmpty)
  }

  @Test func onlyWantedNamesCountTowardsTheLimit() throws {
    let short = try Directory.names(in: folder.path, upTo: 2) { $0.utf8.count == 1 }
    #expect(short.sorted() == ["a", "b"])
    #expect(try Directory.names(in: folder.path, upTo: 1).count == 1)
  }

  @Test func aDirectoryThatCannotBeListedIsNamed() {
    #expect(throws: SystemError("opendir", code: ENOENT, on: "\(folder.path)/absent")) {
      try Directory.names(in: "\(folder.path)/absent")
    }
    #expect(throws: SystemError("opendir", code: ENOTDIR, on: "\(folder.path)/a")) {
      try Directory.names(in: "\(folder.path)/a")
    }
  }
}
