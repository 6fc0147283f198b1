import RangeWire
import TestSupport
import Testing

/// The lines between a program and waypost-fetch. Neither side trusts the other one's.
struct RangeWireTests {
  @Test func questionsAndRepliesComeBackAsTheyWere() {
    let question = RangeQuestion(number: 7, offset: 1 << 40, count: 16384)
    #expect(question.line == "get 7 1099511627776 16384\n")
    #expect(RangeQuestion(line: String(question.line.dropLast())) == question)
    let replies: [RangeReply] = [
      .bytes(number: 1, count: 0, size: 9, identity: ""),
      .bytes(number: 2, count: 5, size: 1 << 50, identity: "ETag \"a b\""),
      .fault(number: 3, canRetry: true, seconds: 30, reason: "is busy"),
      .fault(number: 4, canRetry: false, seconds: 0, reason: ""),
    ]
    for reply in replies {
      #expect(RangeReply(line: String(reply.line.dropLast())) == reply)
    }
    // One line, whatever a server said.
    let long = RangeReply.fault(
      number: 1, canRetry: false, seconds: 0,
      reason: "a\r\nbytes 1 2 3 " + String(repeating: "é", count: 5000))
    #expect(long.line.filter { $0.isNewline }.count == 1)
    #expect(long.line.utf8.count < RangeQuestion.longestLine)
  }

  @Test(arguments: [
    "", "get", "get 1 2", "get 1 2 3 4", "get 1 2 0", "get 1 -2 3", "get 1 2 67108865", "put 1 2 3",
    "get 1 18446744073709551615 1", "get  1 2 3",
  ])
  func whatIsNoQuestionIsNone(_ line: String) { #expect(RangeQuestion(line: line) == nil) }

  @Test(arguments: [
    "", "bytes", "bytes 1 2 3", "bytes 1 -1 3 x", "bytes 1 67108865 3 x", "bytes x 1 3 x",
    "fault 1 perhaps 0 x", "fault 1 again -1 x", "other 1 2 3 x",
  ])
  func whatIsNoReplyIsNone(_ line: String) { #expect(RangeReply(line: line) == nil) }

  @Test func theLargestQuestionAndReplyAreRead() {
    let question = RangeQuestion(
      number: .max, offset: .max - UInt64(RangeQuestion.mostBytes), count: RangeQuestion.mostBytes)
    #expect(RangeQuestion(line: String(question.line.dropLast())) == question)
    let reply = RangeReply.bytes(
      number: .min, count: RangeQuestion.mostBytes, size: .max, identity: "")
    #expect(RangeReply(line: String(reply.line.dropLast())) == reply)
  }

  /// Numbers as other programs write them: with signs, blanks, other digits, and too large.
  @Test(arguments: [
    "0x1", "1e3", "1.0", " 1", "--1", "+-1", "\u{661}", "9223372036854775808",
    "99999999999999999999", "nan", "1\0", "1\r", "",
  ])
  func whatIsNoNumberIsRefusedInEveryPlace(_ number: String) {
    for line in ["get \(number) 2 3", "get 1 \(number) 3", "get 1 2 \(number)"]
    where line != "get 1 9223372036854775808 3" {
      #expect(RangeQuestion(line: line) == nil, "\(line)")
    }
    for line in ["bytes \(number) 2 3 x", "bytes 1 \(number) 3 x", "fault 1 again \(number) x"] {
      #expect(RangeReply(line: line) == nil, "\(line)")
    }
  }

  @Test func aLineThatWasDamagedIsRefusedOrKeepsItsLimits() {
    var numbers = SeededNumbers(7)
    let lines = [
      "get 7 1099511627776 16384", "bytes 2 5 1125899906842624 ETag \"a b\"",
      "fault 3 again 30 is busy",
    ]
    for round in 0..<6000 {
      var bytes = Array(lines[round % lines.count].utf8)
      for _ in 0...numbers.next(0..<3) {
        let place = numbers.next(0..<bytes.count)
        switch numbers.next(0..<3) {
        case 0: bytes[place] = UInt8(numbers.next(0..<256))
        case 1: bytes.insert(bytes[numbers.next(0..<bytes.count)], at: place)
        default: bytes.remove(at: place)
        }
      }
      let line = String(decoding: bytes, as: UTF8.self)
      if let question = RangeQuestion(line: line) {
        #expect((1...RangeQuestion.mostBytes).contains(question.count), "\(line)")
        let end = question.offset.addingReportingOverflow(UInt64(question.count))
        #expect(!end.overflow, "\(line)")
      }
      switch RangeReply(line: line) {
      case .bytes(_, let count, _, _):
        #expect((0...RangeQuestion.mostBytes).contains(count), "\(line)")
      case .fault(_, _, let seconds, _): #expect(seconds >= 0, "\(line)")
      case nil: break
      }
    }
  }
}
