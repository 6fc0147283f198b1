/// A parser of outside bytes, as the fuzzers and the tests of their corpora call it.
///
/// An input may be refused in any way that the parser has, and is otherwise used as the programs
/// use it. It must not trap, read or write beyond its memory, take longer than `seconds`, or take
/// more memory than `mebibytes`. Beyond that, `run` throws where a result breaks a promise.
struct FuzzTarget: Sendable {
  /// What `TARGETS` and the folder of the corpus below `Tests/Fixtures/fuzz` call it.
  let name: String
  /// Where the parser and this entry point are, below the package's folder. What was reached is
  /// void when any of it changes.
  let code: [String]
  /// The longest input that is tried, in bytes.
  let longest: Int
  /// The most memory that one input may take, in MiB: what the parser's own limits allow.
  let mebibytes: Int
  /// The most time that one input may take. It is generous: the sanitizer makes code several times
  /// slower, and the machine may be busy.
  let seconds: Int
  /// Handles one input.
  let run: @Sendable (UnsafeRawBufferPointer) throws -> Void

  init(
    _ name: String, of code: [String], longest: Int = 4096, mebibytes: Int = 32, seconds: Int = 10,
    file: String = #fileID, _ run: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) {
    self.name = name
    let own = file.split(separator: "/").last ?? ""
    self.code = code.map { "Sources/\($0)" } + ["Tests/fuzz/Targets/\(own)"]
    self.longest = longest
    self.mebibytes = mebibytes
    self.seconds = seconds
    self.run = run
  }

  /// All of them.
  static let all: [FuzzTarget] =
    [
      pictures, packs, packFiles, vectors, painting, mapFiles, features, lines, journals, copies,
      texts,
    ].flatMap { $0 }
}

/// A promise that a parser did not keep.
struct BrokenPromise: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless `isKept`.
func promise(_ isKept: Bool, _ what: @autoclosure () -> String) throws {
  if !isKept { throw BrokenPromise(description: what()) }
}
