import Foundation
import TestSupport
import Testing

/// Whether the compiler optimised: without, there are other loads, and many more.
#if DEBUG
  private let isOptimised = false
#else
  private let isOptimised = true
#endif

private let valgrind = "/usr/bin/valgrind"

/// Memory that a display shows is never read: on real boards one read costs as much as some hundred
/// writes. valgrind's memcheck looks on while `scanout-check` draws.
@Suite(
  .serialized,
  .enabled(if: !isEmulated, "skipped under emulation: valgrind would check the emulator"),
  .enabled(if: isOptimised, "skipped: run by `make test` in an optimised build"),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: valgrind),
    "skipped: valgrind is not installed (`make test-packages` does it)"))
struct ScanoutReadTests {
  /// What memcheck found: how often, and by which functions.
  struct Findings {
    var reads = 0
    var writes = 0
    var readers: [String] = []
    /// All functions that were on the way to a write.
    var writers = ""
    var output = ""
    var frames: Int {
      output.split(separator: "\n").last { $0.hasPrefix("frames ") }
        .flatMap { Int($0.dropFirst(7)) } ?? 0
    }

    /// - Parameter xml: memcheck's report: an `<error>` for each place in the program, and how
    ///   often it came there in `<errorcounts>` (valgrind's
    ///   docs/internals/xml-output-protocol4.txt).
    init(xml: String, output: String) {
      self.output = output
      var counts: [Substring: Int] = [:]
      for part in xml.components(separatedBy: "<errorcounts>").dropFirst() {
        let known = part.components(separatedBy: "</errorcounts>")[0]
        for pair in known.components(separatedBy: "<pair>").dropFirst() {
          guard let name = Self.values("unique", in: pair).first,
            let count = Self.values("count", in: pair).first.flatMap({ Int($0) })
          else { continue }
          counts[name] = count
        }
      }
      for part in xml.components(separatedBy: "<error>").dropFirst() {
        let error = part.components(separatedBy: "</error>")[0]
        guard let kind = Self.values("kind", in: error).first,
          let name = Self.values("unique", in: error).first
        else { continue }
        // Found once at least.
        let count = max(1, counts[name] ?? 0)
        let functions = Self.values("fn", in: error).joined(separator: " < ")
        switch kind {
        case "InvalidRead":
          reads += count
          readers.append(functions)
        case "InvalidWrite":
          writes += count
          writers += functions + "\n"
        default: break
        }
      }
    }

    private static func values(_ tag: String, in xml: String) -> [Substring] {
      xml.components(separatedBy: "<\(tag)>").dropFirst().map { $0.prefix { $0 != "<" } }
    }
  }

  private func check(_ options: [String] = []) throws -> Findings {
    let folder = try TemporaryFolder()
    // Older releases of valgrind stop at debugging information that is newer than they are.
    let program = folder["scanout-check"]
    let stripped = try Program(path: "/usr/bin/strip").run([
      "--strip-debug", "-o", program, Program.built("scanout-check").path,
    ])
    try #require(stripped.status == 0, "\(stripped.errors)")
    let report = folder["report.xml"]
    let outcome = try Program(path: valgrind).run(
      [
        "--error-limit=no", "--num-callers=8", "--leak-check=no", "--xml=yes",
        "--xml-file=\(report)", program, TestData.fixtures + "/packs/sparse-folder",
      ] + options)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return Findings(xml: try String(contentsOfFile: report, encoding: .utf8), output: outcome.text)
  }

  @Test func aThousandFramesReadNothingFromTheDisplay() throws {
    let found = try check()
    #expect(found.frames >= 1000)
    #expect(found.reads == 0, "\(found.readers)")
    print("\(found.frames) frames: \(found.writes) stores to the display, \(found.reads) loads")
    // Each frame, and by every way that there is: tiles copied, mixed and copied, mixed and turned,
    // sampled straight to the display between two levels and turned.
    #expect(found.writes > 1000 * found.frames)
    for way in [
      "drawExact", "drawUnderSprites", "store", "storeRotated", "waypost_mix_lanes",
      "waypost_mix_planes565", "waypost_resample_between", "waypost_resample_between565",
      "waypost_rotate_block", "waypost_rotate_block565",
    ] {
      #expect(found.writers.contains(way), "nothing was written by \(way)")
    }
  }

  @Test func oneReadIsFound() throws {
    let found = try check(["--read-one"])
    #expect(found.reads == 1, "\(found.readers)")
    #expect(found.frames >= 4)
    #expect(found.writes > 0)
  }
}
