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

  @Test func aListingTellsTheSameNamesOneByOne() throws {
    let listing = try Directory.Listing(of: folder.path)
    var names: [String] = []
    while let name = try listing.next() { names.append(name) }
    let all = try Directory.names(in: folder.path)
    #expect(names == all)
    #expect(try listing.next() == nil)
  }

  @Test func aDirectoryThatCannotBeReadToItsEndIsAnError() throws {
    let listing = try Directory.Listing(of: folder.path)
    // Its descriptor becomes one of a file: the kernel refuses to list that.
    let real = try #require(realpath(folder.path, nil))
    defer { free(real) }
    let own = try Directory.names(in: "/proc/self/fd").compactMap { Int32($0) }.filter {
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\($0)", &target, target.count)
      return count > 0
        && String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
          == String(cString: real)
    }
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let descriptor = try #require(own.first)
    #expect(dup2(file, descriptor) == descriptor)
    #expect(throws: SystemError("readdir", code: ENOTDIR, on: folder.path)) {
      try listing.next()
    }
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
