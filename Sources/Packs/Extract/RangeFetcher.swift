import Glibc

/// A stretch of an archive.
package struct ByteSpan: Equatable, Sendable {
  package var offset: UInt64
  package var count: Int

  package init(offset: UInt64, count: Int) {
    self.offset = offset
    self.count = count
  }

  /// The byte after the last one.
  package var end: UInt64 { offset + UInt64(count) }
}

/// What was asked of an archive.
package struct RangeTraffic: Equatable, Sendable {
  /// Requests, those that were repeated included.
  package var requests = 0
  /// Bytes that came in answers that were taken.
  package var bytes: UInt64 = 0
  /// Requests that had to be repeated.
  package var repeated = 0
}

/// Reads stretches of an archive with several requests under way: checks the answers, asks again
/// where that may help, and stops where the archive is not the same any more.
package final class RangeFetcher {
  private let reader: any RangeReader
  private let pause: (Double) -> Void
  private let onRetry: (String) -> Void
  /// The archive as the first answer said; all others have to be of the same.
  package private(set) var archive: ArchiveState?
  /// An answer was of another archive than the first.
  package private(set) var isReplaced = false
  /// The last request's number: no two of a fetcher have the same.
  private var number = 0
  /// What it took so far.
  package private(set) var traffic = RangeTraffic()

  /// How often the same bytes are requested: usually, and before the archive has answered at all.
  static let attempts = 8
  static let firstAttempts = 3
  /// The most answers to requests that were never made; a reader with more is broken.
  private static let strays = 100
  /// Seconds of the longest pause, whatever the other side asks for.
  private static let longestPause = 300.0

  /// - Parameters:
  ///   - reader: the archive.
  ///   - onRetry: hears why a request is repeated, and when.
  ///   - pause: waits so many seconds.
  package init(
    _ reader: any RangeReader, onRetry: @escaping (String) -> Void = { _ in },
    pause: @escaping (Double) -> Void = { usleep(UInt32(min(max($0, 0), 300) * 1e6)) }
  ) {
    self.reader = reader
    self.onRetry = onRetry
    self.pause = pause
  }

  /// What messages name.
  package var name: String { reader.name }

  /// Reads all `spans`, in any order.
  ///
  /// - Parameters:
  ///   - spans: none of them empty.
  ///   - each: gets the index of a span and its bytes: fewer only where the archive ends.
  /// - Throws: `PackError` if bytes are unavailable or the archive changed; what `each` throws.
  package func fetch(
    _ spans: some RandomAccessCollection<ByteSpan>,
    each: (Int, [UInt8]) throws(PackError) -> Void
  ) throws(PackError) {
    var pending: [(index: Int, attempt: Int)] = []
    var underWay: [Int: (index: Int, attempt: Int)] = [:]
    var next = 0
    var strays = 0
    let window = max(reader.window, 1)
    func span(_ index: Int) -> ByteSpan { spans[spans.index(spans.startIndex, offsetBy: index)] }

    while next < spans.count || !pending.isEmpty || !underWay.isEmpty {
      while underWay.count < window, next < spans.count || !pending.isEmpty {
        let task = pending.popLast() ?? (next, 1)
        if task.index == next, task.attempt == 1 { next += 1 }
        number += 1
        underWay[number] = task
        let wanted = span(task.index)
        traffic.requests += 1
        reader.begin(RangeRequest(number: number, offset: wanted.offset, count: wanted.count))
      }
      let answer = reader.next()
      guard let task = underWay.removeValue(forKey: answer.number) else {
        strays += 1
        guard strays <= RangeFetcher.strays else {
          throw failure("was answered with bytes that were not requested")
        }
        continue
      }
      let bytes: [UInt8]
      do throws(RangeFault) {
        bytes = try check(answer, span(task.index))
      } catch {
        let attempts = archive == nil ? RangeFetcher.firstAttempts : RangeFetcher.attempts
        guard error.canRetry, task.attempt < attempts else {
          throw failure(
            error.canRetry ? "\(error.reason); tried \(task.attempt) times" : error.reason)
        }
        traffic.repeated += 1
        let usual = min(0.25 * Double(1 << task.attempt), 30)
        let seconds = min(max(error.retryAfter ?? usual, 0), RangeFetcher.longestPause)
        let text = seconds < 1 ? "\(seconds)" : "\(Int(seconds.rounded()))"
        onRetry("\(error.reason); asked again in \(text) s")
        pause(seconds)
        pending.append((task.index, task.attempt + 1))
        continue
      }
      traffic.bytes += UInt64(bytes.count)
      try each(task.index, bytes)
    }
  }

  /// One stretch.
  ///
  /// - Throws: `PackError` if it cannot be had.
  package func fetch(_ span: ByteSpan) throws(PackError) -> [UInt8] {
    var result: [UInt8] = []
    try fetch([span]) { (_, bytes) throws(PackError) in result = bytes }
    return result
  }

  private func failure(_ reason: String) -> PackError {
    PackError(file: reader.name, reason: reason)
  }

  /// The bytes of an answer that is one to `span`.
  private func check(_ answer: RangeAnswer, _ span: ByteSpan) throws(RangeFault) -> [UInt8] {
    let content = try answer.result.get()
    if let archive, content.archive != archive {
      isReplaced = true
      throw RangeFault(
        "was replaced by another while it was read (\(archive.difference(to: content.archive))): "
          + "the same command begins from the start", canRetry: false)
    }
    let size = content.archive.size
    guard span.offset < size else {
      throw RangeFault("ends at byte \(size), before byte \(span.offset)", canRetry: false)
    }
    let wanted = Int(min(UInt64(span.count), size - span.offset))
    guard content.bytes.count == wanted else {
      throw RangeFault(
        "gave \(content.bytes.count) bytes instead of \(wanted) from byte \(span.offset) on",
        canRetry: true)
    }
    archive = content.archive
    return content.bytes
  }
}
