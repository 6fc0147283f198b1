import Glibc
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
}
