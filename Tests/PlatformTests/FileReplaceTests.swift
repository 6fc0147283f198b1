import Glibc
import TestSupport
import Testing

@testable import Platform

/// A file is replaced in one step: a power cut leaves the old one or the new one.
@Suite struct FileReplaceTests {
  @Test func whoHasTheOldFileOpenKeepsItWhole() throws {
    var template = Array("/tmp/waypost-replace-XXXXXX".utf8CString)
    #expect(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = folder + "/state.json"
    defer {
      unlink(path)
      rmdir(folder)
    }
    try FileIO.replace(path, with: Array("the old state".utf8))
    let old = open(path, O_RDONLY)
    defer { close(old) }
    var before = stat()
    #expect(fstat(old, &before) == 0)

    try FileIO.replace(path, with: Array("new".utf8))
    #expect(try FileIO.read(path, limit: 100) == Array("new".utf8))
    // Written in place, the old file's bytes would be gone.
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(old, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "the old state")
    var after = stat()
    #expect(stat(path, &after) == 0)
    #expect(after.st_ino != before.st_ino)
    // Nothing is left beside it.
    #expect(access(path + ".new", F_OK) != 0)
  }

  @Test func aFIFOInTheNewFilesPlaceIsRefusedWithoutWaiting() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old", to: "state.json")
    let fifo = path + ".new"
    try #require(mkfifo(fifo, 0o600) == 0)
    // Nil: nobody answered yet.
    let answer = Gate<String?>(nil)
    #expect(
      startThread(named: "replace") {
        var text = "replaced"
        do throws(FileError) {
          try FileIO.replace(path, with: [1], isSynced: false)
        } catch {
          text = error.description
        }
        answer.locked { $0 = text }
      })
    for _ in 0..<10_000 where answer.locked({ $0 == nil }) { usleep(1000) }
    let text = answer.locked { $0 }
    #expect(text?.contains("/state.json.new: ") == true, "\(text ?? "it waits")")
    // One that waits is let go.
    let reader = open(fifo, O_RDONLY | O_NONBLOCK)
    // With a reader there is nothing to wait for, and it is refused all the same.
    #expect(throws: FileError.self) { try FileIO.replace(path, with: [1], isSynced: false) }
    close(reader)
    let left = try FileIO.read(path, limit: 10)
    #expect(left == Array("old".utf8))
  }

  @Test(arguments: [(EIO, true), (ENOSPC, true), (EINVAL, false), (ENOTSUP, false), (0, false)])
  func onlyAFolderThatIsNotWrittenIsAFault(_ code: Int32, _ isFault: Bool) {
    let fault = FileIO.folderFault(code, of: "/x/state.json")
    #expect((fault != nil) == isFault)
    if let fault { #expect(fault.description.hasPrefix("/x/state.json: its folder cannot be")) }
  }
}
