/// Why a part of an archive is not available.
enum ArchiveFault: Error {
  /// The archive has changed since it was opened.
  case changed
  /// What is wrong with it.
  case damaged(String)
  /// What the server said instead.
  case answered(FetchOutcome)
  /// The server was not asked.
  case refused(HostQueue.RefusalError)
}

/// Reads parts of a file on a server, when it is their turn.
final class ArchiveReader {
  let address: String
  private let headers: [String]
  private let queueOf: (String) -> HostQueue

  init(_ address: String, headers: [String], queueOf: @escaping (String) -> HostQueue) {
    (self.address, self.headers, self.queueOf) = (address, headers, queueOf)
  }

  /// Reads `count` bytes at `offset`, or those up to the file's end.
  ///
  /// - Parameters:
  ///   - offset: The first byte.
  ///   - count: How many, 1 or more.
  ///   - version: The file that they have to be of; nil: any.
  ///   - isBehind: Nobody waits for them.
  ///   - done: Gets as many bytes as the file has there.
  func read(
    at offset: UInt64, _ count: Int, of version: ArchiveVersion?, isBehind: Bool = false,
    _ done: @escaping (Result<FetchOutcome.Part, ArchiveFault>) -> Void
  ) {
    var question = FetchQuestion(address: address, headers: headers)
    question.range = offset...(offset + UInt64(count) - 1)
    queueOf(address).ask(question, isBehind: isBehind) { result in
      switch result {
      case .failure(let error): done(.failure(.refused(error)))
      case .success(.part(let part)):
        done(ArchiveReader.checked(part, at: offset, count, of: version))
      // The file ends before what was asked for, so it is another one.
      case .success(.refused(416, _)) where version != nil: done(.failure(.changed))
      case .success(let outcome): done(.failure(.answered(outcome)))
      }
    }
  }

  private static func checked(
    _ part: FetchOutcome.Part, at offset: UInt64, _ count: Int, of version: ArchiveVersion?
  ) -> Result<FetchOutcome.Part, ArchiveFault> {
    if let version, version != ArchiveVersion(part) { return .failure(.changed) }
    guard offset < part.size, part.bytes.count == Int(min(UInt64(count), part.size - offset)) else {
      return .failure(.answered(.broken("sends less than it was asked for")))
    }
    return .success(part)
  }
}

/// What a server says with each part of a file to tell one state of it from another.
struct ArchiveVersion: Equatable {
  var size: UInt64
  /// The ETag or the date of the last change; empty if the server says neither.
  var tag: String

  init(_ part: FetchOutcome.Part) { (size, tag) = (part.size, part.identity) }
}
