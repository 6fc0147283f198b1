import RangeWire

/// The answer to a request for a tile.
package struct TileAnswer: Sendable {
  package enum Content: Sendable {
    /// Its bytes, for how many seconds they are fresh, and the server's ETag.
    case tile([UInt8], fresh: Int?, etag: String)
    /// It still has the ETag that was named.
    case same(fresh: Int?)
    /// The server has no such tile.
    case absent
    /// The tile's state is unknown; `seconds` is how long the server asks to wait, 0 if it does not
    /// say. `isAnswer`: the server did answer, so the fault may be this tile's alone.
    case fault(String, canRetry: Bool, seconds: Int, isAnswer: Bool = false)
  }

  /// The request's number.
  package var number: Int
  package var content: Content

  package init(number: Int, content: Content) {
    (self.number, self.content) = (number, content)
  }
}

/// The way to servers of tiles. It neither retries nor judges; `TileFetcher` does.
package protocol TileLink: AnyObject {
  /// How many requests may be under way at the same time, 1 or more.
  var window: Int { get }

  /// Seconds of a clock that nobody sets.
  var now: Double { get }

  /// Begins a request; at most `window` may be without an answer.
  ///
  /// - Throws: `PackError` where no request can be made any more.
  func begin(_ number: Int, url: String, etag: String?) throws(PackError)

  /// Waits for an answer, or for time to pass.
  ///
  /// - Parameter deadline: until when, as `now` counts.
  /// - Returns: nil where none came by then.
  /// - Throws: `PackError` where none will come any more; `.stopped` where the work is not wanted.
  func next(until deadline: Double) throws(PackError) -> TileAnswer?
}

/// The link that waypost-fetch is.
final class FetchedTileLink: TileLink {
  let window: Int
  private let name: String
  private let child: FetchChild
  private var underWay: Set<Int> = []

  /// - Parameters:
  ///   - job: whose headers it gets.
  ///   - program: waypost-fetch: a path, or a name that `PATH` leads to.
  ///   - isWanted: is asked now and then while nothing comes; false ends the work.
  /// - Throws: `PackError` where it cannot be started.
  init(_ job: FetchJob, program: String, isWanted: @escaping () -> Bool) throws(PackError) {
    window = job.connections
    name = job.shownURL
    var words = ["tiles", "--connections", "\(job.connections)"]
    if let contact = job.contact { words += ["--contact", contact] }
    child = try FetchChild(
      path: program, words: words, longestLine: TileQuestion.longestLine, isWanted: isWanted)
    for header in job.headers { try say(.header(header)) }
  }

  var now: Double { FetchChild.now }

  func begin(_ number: Int, url: String, etag: String?) throws(PackError) {
    try say(.get(number: number, url: url, etag: etag))
    underWay.insert(number)
  }

  func next(until deadline: Double) throws(PackError) -> TileAnswer? {
    do throws(FetchChild.Ended) {
      try child.checkIsWanted()
      guard let line = try child.line(until: deadline) else { return nil }
      guard let answer = try answer(line), underWay.remove(answer.number) != nil else {
        throw FetchChild.nonsense(line)
      }
      return answer
    } catch {
      throw failure(error)
    }
  }

  private func answer(_ line: String) throws(FetchChild.Ended) -> TileAnswer? {
    switch TileReply(line: line) {
    case .tile(let number, let count, let fresh, let etag)?:
      let bytes = try child.take(count)
      return TileAnswer(number: number, content: .tile(bytes, fresh: fresh, etag: etag))
    case .same(let number, let fresh)?:
      return TileAnswer(number: number, content: .same(fresh: fresh))
    case .none(let number)?: return TileAnswer(number: number, content: .absent)
    case .fault(let number, let canRetry, let seconds, let reason, let isAnswer)?:
      return TileAnswer(
        number: number,
        content: .fault(reason, canRetry: canRetry, seconds: seconds, isAnswer: isAnswer))
    case nil: return nil
    }
  }

  private func say(_ question: TileQuestion) throws(PackError) {
    do throws(FetchChild.Ended) {
      try child.say(question.line)
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ ended: FetchChild.Ended) -> PackError {
    child.wasStopped ? .stopped : PackError(file: name, reason: ended.reason)
  }
}
