/// Joins pieces of an archive into few requests, at a price: the bytes between two pieces are read
/// for nothing.
///
/// Gaps are closed from the smallest up. No other choice at the same price leaves fewer requests. A
/// request takes 12 bytes of memory.
package struct JoinedSpans: Sendable {
  /// Bytes that are wanted.
  package struct Piece: Equatable, Sendable {
    package var offset: UInt64
    package var length: UInt32

    package init(offset: UInt64, length: UInt32) {
      self.offset = offset
      self.length = length
    }

    package var end: UInt64 { offset + UInt64(length) }
  }

  /// One request.
  package struct Joined: Equatable, Sendable {
    package var span: ByteSpan
    /// The indices of the pieces in it.
    package var pieces: Range<Int>
  }

  /// The requests, ascending.
  package struct Spans: RandomAccessCollection, Sendable {
    fileprivate var places: [ContentPlace] = []
    /// The first piece of each.
    fileprivate var firsts: [UInt32] = []
    fileprivate var pieces = 0

    package var startIndex: Int { 0 }
    package var endIndex: Int { places.count }
    package subscript(index: Int) -> Joined {
      let (place, next) = (places[index], index + 1)
      return Joined(
        span: ByteSpan(offset: place.offset, count: place.length),
        pieces: Int(firsts[index])..<(next < firsts.count ? Int(firsts[next]) : pieces))
    }
  }

  /// The requests, ascending.
  package private(set) var spans = Spans()
  /// Requests there would be if none had a limit of bytes.
  package private(set) var unlimited = 0
  /// Bytes of all requests.
  package private(set) var bytes: UInt64 = 0

  /// - Parameters:
  ///   - pieces: ascending by offset; they may overlap. They end below 1 TiB.
  ///   - overfetch: the price, as a part of the pieces' bytes: 0.05 are 5 %.
  ///   - limit: bytes of a request, at most 16 MiB; one piece may have more, up to as many.
  package init<Pieces: RandomAccessCollection<Piece>>(
    _ pieces: Pieces, overfetch: Double, limit: Int
  ) where Pieces.Index == Int {
    let isJoined = JoinedSpans.closedGaps(pieces, overfetch: overfetch)
    var first = 0
    var start: UInt64 = 0
    var end: UInt64 = 0
    for (index, piece) in pieces.enumerated() {
      if index == 0 { start = piece.offset }
      if index > first {
        let isNear = isJoined[index]
        if !isNear { unlimited += 1 }
        let total = max(end, piece.end) - start
        if !isNear || total > UInt64(limit) {
          add(first, start..<end)
          (first, start, end) = (index, piece.offset, piece.end)
          continue
        }
      }
      end = max(end, piece.end)
    }
    if !pieces.isEmpty {
      unlimited += 1
      add(first, start..<end)
    }
    spans.pieces = pieces.count
  }

  private mutating func add(_ first: Int, _ span: Range<UInt64>) {
    spans.places.append(ContentPlace(offset: span.lowerBound, length: span.count))
    spans.firsts.append(UInt32(first))
    bytes += UInt64(span.count)
  }

  /// For each piece whether it is read together with the one before.
  private static func closedGaps(
    _ pieces: some RandomAccessCollection<Piece>, overfetch: Double
  ) -> [Bool] {
    var isJoined = [Bool](repeating: false, count: pieces.count)
    var sizes: [UInt32] = []
    var wanted: UInt64 = 0
    var end: UInt64 = 0
    for (index, piece) in pieces.enumerated() {
      wanted += max(end, piece.end) - max(end, piece.offset)
      if index > 0 {
        if piece.offset <= end {
          isJoined[index] = true
        } else {
          sizes.append(size(piece.offset - end))
        }
      }
      end = max(end, piece.end)
    }
    // The gaps that the price pays for: all that are smaller than `largest`, and the first few of
    // that size.
    sizes.sort()
    var budget = Double(wanted) * max(overfetch, 0)
    var (largest, few): (UInt32, Int) = (0, 0)
    for size in sizes where size < .max {
      budget -= Double(size)
      if budget < 0 { break }
      if size > largest { (largest, few) = (size, 0) }
      few += 1
    }
    sizes = []
    end = 0
    for (index, piece) in pieces.enumerated() {
      if index > 0, piece.offset > end {
        let size = size(piece.offset - end)
        if size < largest {
          isJoined[index] = true
        } else if size == largest, few > 0 {
          isJoined[index] = true
          few -= 1
        }
      }
      end = max(end, piece.end)
    }
    return isJoined
  }

  /// Gaps of 4 GiB and more are not closed, whatever the price.
  private static func size(_ gap: UInt64) -> UInt32 { UInt32(clamping: gap) }
}
