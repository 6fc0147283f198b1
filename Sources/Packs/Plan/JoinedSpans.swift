/// Pieces of an archive joined to few requests, at a price: the bytes between two pieces that are
/// read for nothing.
///
/// Where gaps are closed from the smallest up, no other choice within the same price leaves fewer.
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
  package private(set) var spans: [Joined] = []
  /// Requests there would be if none had a limit of bytes.
  package private(set) var unlimited = 0
  /// Bytes of all requests.
  package private(set) var bytes: UInt64 = 0

  /// - Parameters:
  ///   - pieces: ascending by offset; they may overlap.
  ///   - overfetch: the price, as a part of the pieces' bytes: 0.05 are 5 %.
  ///   - limit: bytes of a request; one piece may have more.
  package init(_ pieces: [Piece], overfetch: Double, limit: Int) {
    let isJoined = JoinedSpans.closedGaps(pieces, overfetch: overfetch)
    var first = 0
    var end: UInt64 = 0
    for (index, piece) in pieces.enumerated() {
      if index > first {
        let isNear = isJoined[index]
        if !isNear { unlimited += 1 }
        let total = max(end, piece.end) - pieces[first].offset
        if !isNear || total > UInt64(limit) {
          add(pieces, first..<index, end)
          first = index
          end = piece.end
          continue
        }
      }
      end = max(end, piece.end)
    }
    if !pieces.isEmpty {
      unlimited += 1
      add(pieces, first..<pieces.count, end)
    }
  }

  private mutating func add(_ pieces: [Piece], _ range: Range<Int>, _ end: UInt64) {
    let start = pieces[range.lowerBound].offset
    let span = ByteSpan(offset: start, count: Int(end - start))
    bytes += UInt64(span.count)
    spans.append(Joined(span: span, pieces: range))
  }

  /// For each piece whether it is read together with the one before.
  private static func closedGaps(_ pieces: [Piece], overfetch: Double) -> [Bool] {
    var isJoined = [Bool](repeating: false, count: pieces.count)
    var gaps: [(size: UInt64, index: Int)] = []
    var wanted: UInt64 = 0
    var end: UInt64 = 0
    for (index, piece) in pieces.enumerated() {
      wanted += max(end, piece.end) - max(end, piece.offset)
      if index > 0 {
        if piece.offset <= end {
          isJoined[index] = true
        } else {
          gaps.append((piece.offset - end, index))
        }
      }
      end = max(end, piece.end)
    }
    gaps.sort { $0.size < $1.size }
    var budget = Double(wanted) * max(overfetch, 0)
    for gap in gaps {
      budget -= Double(gap.size)
      if budget < 0 { break }
      isJoined[gap.index] = true
    }
    return isJoined
  }
}
