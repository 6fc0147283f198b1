import Foundation
import TestSupport
import Testing

/// Whether the compiler optimised: without, there are allocations that nobody wrote.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

/// A frame in which every tile is there allocates nothing and locks nothing. `frame-check` counts,
/// with the C library's and the Swift runtime's functions replaced in it.
@Suite(.enabled(if: isOptimised, "skipped: run by `make test` in an optimised build"))
struct SteadyFrameTests {
  struct Line {
    var name: String
    var allocations = -1
    var locks = -1
    var retains = -1
  }

  private func lines() throws -> [Line] {
    let outcome = try Program.built("frame-check").run([])
    try #require(outcome.status == 0, "\(outcome.text)")
    return outcome.text.split(separator: "\n").map { text in
      let words = text.split(separator: " ")
      var line = Line(name: words.prefix { $0 != "allocations" }.joined(separator: " "))
      for (key, value) in zip(words, words.dropFirst()) {
        switch key {
        case "allocations": line.allocations = Int(value) ?? -1
        case "locks": line.locks = Int(value) ?? -1
        case "retains": line.retains = Int(value) ?? -1
        default: break
        }
      }
      return line
    }
  }

  @Test func aSteadyFrameAllocatesAndLocksNothing() throws {
    let all = try lines()
    let frames = all.filter { line in
      ["plan ", "draw ", "bands "].contains { line.name.hasPrefix($0) }
    }
    #expect(frames.count == 16)
    for line in frames {
      #expect(line.allocations == 0, "\(line)")
      #expect(line.locks == 0, "\(line)")
    }
    // Drawing holds on to a few dozen things, however many tiles there are: 39 as Swift 6.0
    // compiles it for tests, none in the release.
    for line in frames where line.name.hasPrefix("draw ") {
      #expect((0...48).contains(line.retains), "\(line)")
    }
    // Each of the 12 bands of two threads holds on to as much.
    for line in frames where line.name.hasPrefix("bands ") {
      #expect((0...12 * 32).contains(line.retains), "\(line)")
    }
    for kind in ["draw panned", "draw zoomed"] {
      let whole = try #require(frames.first { $0.name == kind })
      let small = try #require(frames.first { $0.name == kind + "-small" })
      #expect(abs(whole.retains - small.retains) <= 2, "\(whole) \(small)")
    }
    // What is allocated and retained is seen: ten objects were made and retained on purpose.
    let probe = try #require(all.first { $0.name == "probe" })
    #expect(probe.allocations >= 10)
    #expect(probe.retains >= 10)
  }
}
