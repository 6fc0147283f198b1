import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct FileIOTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aFileIsReadUpToItsLimit() throws {
    let path = try folder.write("abc", to: "a")
    #expect(try FileIO.read(path, limit: 3) == Array("abc".utf8))
    #expect(throws: FileError.self) { try FileIO.read(path, limit: 2) }
  }

  @Test func aFIFOIsRefusedWithoutWaitingForAWriter() throws {
    let path = "\(folder.path)/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: FileError(file: path, reason: "not a file; a regular file is needed")) {
      try FileIO.read(path, limit: 10)
    }
    // Nobody had it open either: a writer that does not wait finds no reader.
    let writer = open(path, O_WRONLY | O_NONBLOCK)
    #expect(writer < 0 && errno == ENXIO)
  }

  @Test(.enabled(if: PathTrust.isEnforced, "this kernel has no openat2"))
  func aFileIsReadBeneathItsRootsAlone() throws {
    mkdir(folder["root"], 0o700)
    try folder.write("secret", to: "secret")
    let path = try folder.write("abc", to: "root/a")
    let trust = PathTrust.beneath([folder["root"]])
    let text = try FileIO.read(path, limit: 10, trust: trust)
    #expect(text == Array("abc".utf8))
    symlink("../secret", folder["root/link"])
    let reason = "cannot be opened: leads out of \(folder["root"]), where it must lie"
    #expect(throws: FileError(file: folder["root/link"], reason: reason)) {
      try FileIO.read(folder["root/link"], limit: 10, trust: trust)
    }
  }

  @Test func foldersAndMissingFilesAreToldApartAndOnlyTheseMayPass() {
    let directory = folder.path
    #expect(throws: FileError(file: directory, reason: "not a file; a regular file is needed")) {
      try FileIO.read(directory, limit: 10)
    }
    let absent = "\(directory)/absent"
    #expect(
      throws: FileError(
        file: absent, reason: "cannot be opened: No such file or directory", isTransient: true)
    ) {
      try FileIO.read(absent, limit: 10)
    }
  }
}
