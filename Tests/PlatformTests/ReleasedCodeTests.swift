import CLinux
import Platform
import Testing

/// Code and constants that were given back to the kernel return when they are needed; what was
/// written stays.
@Suite struct ReleasedCodeTests {
  /// In writable memory of the program, beside its constants.
  private nonisolated(unsafe) static var written: UInt64 = 1

  @Test func codeReturnsAndWhatWasWrittenStays() {
    ReleasedCodeTests.written = 0x1234_5678_9ABC_DEF0
    let text = "a text of the program"
    let before = text.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
    let bytes = waypost_release_code()
    #expect(bytes > 1 << 20)
    #expect(ReleasedCodeTests.written == 0x1234_5678_9ABC_DEF0)
    let after = text.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
    #expect(after == before)
    #expect(SystemError.text(of: 2) == "No such file or directory")
  }
}
