import MapGeometry
import Testing

@testable import Displays

private func box(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
  PixelRect(x: x, y: y, width: width, height: height)
}

@Test func aBufferOfTheLastFrameNeedsThisFramesDamageAlone() {
  var history = DamageHistory()
  history.record([box(0, 0, 10, 10)])
  history.record([box(20, 20, 5, 5)])
  let found1 = history.redraw(age: 1)
  #expect(found1 == [box(20, 20, 5, 5)])
}

@Test func anOlderBufferNeedsWhatChangedSince() {
  var history = DamageHistory()
  history.record([box(0, 0, 10, 10)])
  history.record([box(20, 20, 5, 5)])
  history.record([box(40, 0, 1, 1)])
  let found2 = history.redraw(age: 2)
  #expect(found2 == [box(40, 0, 1, 1), box(20, 20, 5, 5)])
  let found3 = history.redraw(age: 3)
  #expect(found3 == [box(40, 0, 1, 1), box(20, 20, 5, 5), box(0, 0, 10, 10)])
}

@Test func whatIsNotKnownIsEverything() {
  var history = DamageHistory()
  let found4 = history.redraw(age: 1)
  #expect(found4 == nil)
  history.record([box(0, 0, 10, 10)])
  let found5 = history.redraw(age: 0)
  #expect(found5 == nil)
  let found6 = history.redraw(age: -1)
  #expect(found6 == nil)
  let found7 = history.redraw(age: 2)
  #expect(found7 == nil)
  for _ in 0..<10 { history.record([]) }
  let found8 = history.redraw(age: DamageHistory.capacity)
  #expect(found8 == [])
  let found9 = history.redraw(age: DamageHistory.capacity + 1)
  #expect(found9 == nil)
  history.reset()
  let found10 = history.redraw(age: 1)
  #expect(found10 == nil)
}

@Test func whatLiesInAnotherIsDrawnOnce() {
  var history = DamageHistory()
  history.record([box(5, 5, 2, 2), box(50, 50, 2, 2)])
  history.record([box(0, 0, 20, 20)])
  let found11 = history.redraw(age: 2)
  #expect(found11 == [box(0, 0, 20, 20), box(50, 50, 2, 2)])
  history.record([box(1, 1, 1, 1)])
  let found12 = history.redraw(age: 2)
  #expect(found12 == [box(0, 0, 20, 20)])
}

@Test func manyRectanglesBecomeOne() {
  var history = DamageHistory()
  history.record((0...DamageHistory.maxRects).map { box($0 * 10, 3, 5, 5) })
  let found13 = history.redraw(age: 1)
  #expect(found13 == [box(0, 3, DamageHistory.maxRects * 10 + 5, 5)])
}

/// Drawing what `redraw` says into buffers taken in any order gives what drawing everything gives.
@Test func partialRedrawsOfAnyBufferAddUpToTheFrame() {
  var random = SystemRandomNumberGenerator()
  var wanted = [Int](repeating: 0, count: 32 * 32)
  var buffers = Array(repeating: [Int](repeating: -1, count: 32 * 32), count: 6)
  var presented = [Int](repeating: 0, count: 6)
  var history = DamageHistory()
  for frame in 1...500 {
    let damage = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      box(
        Int.random(in: 0..<24, using: &random), Int.random(in: 0..<24, using: &random),
        Int.random(in: 0...8, using: &random), Int.random(in: 0...8, using: &random))
    }
    func fill(_ pixels: inout [Int], _ rect: PixelRect, _ value: (Int) -> Int) {
      for y in rect.y..<rect.maxY {
        for x in rect.x..<rect.maxX { pixels[y * 32 + x] = value(y * 32 + x) }
      }
    }
    for rect in damage { fill(&wanted, rect) { _ in frame } }
    history.record(damage)
    let index = Int.random(in: 0..<6, using: &random)
    let age = presented[index] == 0 ? 0 : frame - presented[index]
    for rect in history.redraw(age: age) ?? [box(0, 0, 32, 32)] {
      fill(&buffers[index], rect) { wanted[$0] }
    }
    presented[index] = frame
    #expect(buffers[index] == wanted)
  }
}
