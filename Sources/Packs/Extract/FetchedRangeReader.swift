import RangeWire

/// An archive on an http or https server. This program has no network code: waypost-fetch reads
/// for it, started for one archive, and asked over its standard input and output.
package final class FetchedRangeReader: RangeReader {
  /// How the archive is fetched.
  package struct Program: Sendable {
    /// waypost-fetch: a path, or a name that `PATH` leads to.
    package var path: String
    /// For the User-Agent: how the one who fetches can be reached; nil: not said.
    package var contact: String?

    package init(path: String, contact: String? = nil) {
      (self.path, self.contact) = (path, contact)
    }
  }

  package let name: String
  package let window = 4
  /// Whether `isWanted` said no.
  package var wasStopped: Bool { child.wasStopped }

  private let child: FetchChild
  private var underWay: [Int: RangeRequest] = [:]
  /// The program has ended, or said what is no reply.
  private var failure: String?

  /// Starts `program` for the archive at `address`.
  ///
  /// - Parameters:
  ///   - address: http or https.
  ///   - program: what fetches.
  ///   - isWanted: is asked now and then while nothing comes; false ends the work.
  /// - Throws: `PackError` if the program cannot be started.
  package init(
    address: String, program: Program, isWanted: @escaping () -> Bool = { true }
  ) throws(PackError) {
    name = ShownAddress.of(address)
    var words = ["ranges"]
    if let contact = program.contact { words += ["--contact", contact] }
    child = try FetchChild(
      path: program.path, words: words + [address], longestLine: RangeQuestion.longestLine,
      isWanted: isWanted)
  }

  package func begin(_ request: RangeRequest) {
    underWay[request.number] = request
    guard request.count <= RangeQuestion.mostBytes else { return }
    let question = RangeQuestion(
      number: request.number, offset: request.offset, count: request.count)
    do throws(FetchChild.Ended) {
      try child.say(question.line)
    } catch {
      failure = failure ?? error.reason
    }
  }

  package func next() -> RangeAnswer {
    for request in underWay.values where request.count > RangeQuestion.mostBytes {
      return fault(request.number, "is asked for \(request.count) bytes at once: too many")
    }
    if failure == nil {
      do throws(FetchChild.Ended) {
        try child.checkIsWanted()
        return try answer()
      } catch {
        failure = error.reason
      }
    }
    return fault(underWay.keys.first ?? -1, failure ?? "")
  }

  private func fault(_ number: Int, _ reason: String) -> RangeAnswer {
    underWay[number] = nil
    return RangeAnswer(number: number, result: .failure(RangeFault(reason, canRetry: false)))
  }

  private func answer() throws(FetchChild.Ended) -> RangeAnswer {
    let line = try child.line() ?? ""
    switch RangeReply(line: line) {
    case .bytes(let number, let count, let size, let identity)?:
      guard let request = underWay[number], count <= request.count else { break }
      let bytes = try child.take(count)
      underWay[number] = nil
      let archive = ArchiveState(size: size, identity: identity)
      return RangeAnswer(
        number: number, result: .success(.init(bytes: bytes, archive: archive)))
    case .fault(let number, let canRetry, let seconds, let reason)?:
      guard underWay.removeValue(forKey: number) != nil else { break }
      return RangeAnswer(
        number: number,
        result: .failure(
          RangeFault(
            reason, canRetry: canRetry, retryAfter: seconds > 0 ? Double(seconds) : nil)))
    case nil: break
    }
    throw FetchChild.nonsense(line)
  }
}
