import Pixels
import TestSupport

extension SeededNumbers {
  /// Premultiplied pixels, among them runs that are clear and runs that are opaque.
  mutating func premultiplied(_ count: Int) -> [UInt32] {
    var pixels: [UInt32] = []
    while pixels.count < count {
      let kind = next() % 3
      for _ in 0..<Int.random(in: 1...11, using: &self) {
        let alpha = kind == 0 ? 0 : kind == 1 ? 255 : UInt32.random(in: 0...255, using: &self)
        var word = alpha << 24
        for shift in [0, 8, 16] where alpha > 0 {
          word |= UInt32.random(in: 0...alpha, using: &self) << UInt32(shift)
        }
        pixels.append(word)
      }
    }
    return Array(pixels.prefix(count))
  }
}

/// The four channels of a word: blue, green, red, alpha.
func channels(_ word: UInt32) -> [Int] { [0, 8, 16, 24].map { Int(word >> UInt32($0) & 255) } }

func word(_ channels: [Int]) -> UInt32 {
  channels.enumerated().reduce(0) { $0 | UInt32($1.element) << UInt32(8 * $1.offset) }
}

/// Maps the channels of several words to one.
func perChannel(_ words: [UInt32], _ body: ([Int]) -> Int) -> UInt32 {
  let all = words.map(channels)
  return word((0..<4).map { channel in body(all.map { $0[channel] }) })
}

/// The largest difference of any channel.
func largestDifference(_ a: [UInt32], _ b: [UInt32]) -> Int {
  zip(a, b).map { pair in
    zip(channels(pair.0), channels(pair.1)).map { abs($0 - $1) }.max() ?? 0
  }.max() ?? 0
}

/// Runs a kernel on a destination with guard words around it, `offset` words into its memory so
/// that it is not aligned; fails by returning nil when a word beside the row was touched.
func written(
  _ count: Int, offset: Int = 1, over: [UInt32]? = nil,
  _ kernel: (UnsafeMutablePointer<UInt32>) -> Void
) -> [UInt32]? {
  let sentinel: UInt32 = 0xdead_beef
  var memory = [UInt32](repeating: sentinel, count: count + offset + 9)
  if let over { memory.replaceSubrange(offset..<offset + count, with: over) }
  memory.withUnsafeMutableBufferPointer { kernel($0.baseAddress! + offset) }
  let outside = memory[..<offset] + memory[(offset + count)...]
  guard outside.allSatisfy({ $0 == sentinel }) else { return nil }
  return Array(memory[offset..<offset + count])
}

/// Row lengths around every vector's edge.
let counts = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 255, 256, 257]
