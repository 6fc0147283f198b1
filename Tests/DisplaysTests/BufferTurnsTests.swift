import Testing

@testable import Displays

@Test func theBufferOnTheScreenIsNeverDrawnInto() {
  var turns = BufferTurns()
  for _ in 0..<10 {
    let buffer = turns.draw(of: 2)
    #expect(buffer != turns.front)
    _ = turns.endDrawing()
    turns.queue(buffer)
    turns.commit()
    turns.flip()
    #expect(turns.front == buffer)
  }
}

@Test func aFrameThatWasBegunKeepsItsBuffer() {
  var turns = BufferTurns()
  let first = turns.draw(of: 3)
  let again = turns.draw(of: 3)
  #expect(first == again)
  let ended = turns.endDrawing()
  #expect(ended == first)
  let none = turns.endDrawing()
  #expect(none == nil)
}

@Test func aThirdBufferLetsAFrameWaitWhileAnotherIsPending() {
  var turns = BufferTurns()
  turns.queue(turns.draw(of: 3))
  turns.commit()
  #expect(turns.isFull(ahead: false) && !turns.isFull(ahead: true))
  turns.queue(turns.draw(of: 3))
  #expect(turns.isFull(ahead: true))
  #expect(turns.pending != turns.queued)
}

@Test func whatIsUnderWayCountsAsShownWhereNobodyWillTell() {
  var turns = BufferTurns()
  turns.queue(turns.draw(of: 2))
  turns.commit()
  turns.settle()
  #expect(turns.front == 0 && turns.pending == nil && turns.queued == nil)
}
