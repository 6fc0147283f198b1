import Foundation
import TestSupport
import Testing

/// How `make fuzz STILL=...` counts, with a program that only says what libFuzzer would.
@Suite struct FuzzDriveTests {
  /// Finds a new line of the parser at the end of its first run, and in all others nothing, for a
  /// second of processor time, but an edge that the compiler made.
  private static let fuzzer = """
    #!/usr/bin/env python3
    import os, sys, time
    def work(seconds):
        end = time.process_time() + seconds
        while time.process_time() < end: pass
    if sys.argv[1] == "--list": sys.exit(print("toy 10 10 10 Sources/Parser"))
    work(0.3)
    print("#5\\tINITED cov: 3 ft: 4 corp: 1/1b", flush=True)
    work(1.05)
    with open(sys.argv[0] + ".runs", "a+") as file:
        file.write("x")
        runs = file.tell()
    others = ["$s6Parser /<compiler-generated>", "$s6Parser /usr/lib/swift/shims/LibcShims.h:107",
              "$sSa6append6ParserV_Tg5 /Sources/Parser/a.swift",
              "$s6Parser /Sources/Parser/SQLiteWatchdog.swift:1:5", "$s8Platform /Sources/Platform/Gate.swift:54:2"]
    place = "$sSS6ParserE /Sources/Parser/a.swift:1:5" if runs == 1 else others[runs % 5]
    if runs < 7: print("\\tNEW_PC: 0x1 in " + place, flush=True)
    print("#6\\tNEW    cov: 4 ft: 5 corp: 2/2b", flush=True)
    print("stat::number_of_executed_units: 7", flush=True)
    """

  private struct Place {
    let folder: TemporaryFolder

    init(_ fuzzer: String = FuzzDriveTests.fuzzer) throws {
      folder = try TemporaryFolder()
      let files = FileManager.default
      for name in ["Tests/fuzz", "Sources/Parser", "scratch"] {
        try files.createDirectory(atPath: folder[name], withIntermediateDirectories: true)
      }
      let drive = URL(filePath: TestData.fixtures + "/../fuzz/drive").standardized.path
      try folder.writeProgram(
        String(contentsOfFile: drive, encoding: .utf8), to: "Tests/fuzz/drive")
      for name in ["made", "ledger.py"] {
        try files.copyItem(
          atPath: TestData.fixtures + "/../fuzz/" + name, toPath: folder["Tests/fuzz/" + name])
      }
      try folder.write("let a = 1\n", to: "Sources/Parser/a.swift")
      try folder.writeProgram(fuzzer, to: "fuzz")
    }

    func run(_ options: String...) throws -> Program.Outcome { try run(options) }

    func run(_ options: [String]) throws -> Program.Outcome {
      try Program(path: folder["Tests/fuzz/drive"]).run(
        options + ["--build", folder["fuzz"], folder["scratch"]])
    }

    /// Fuzzes until nothing was new in two seconds. Returns a line for each run.
    func fuzz() throws -> [Substring] {
      let outcome = try run("--still", "2", "1")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.text.split(separator: "\n")
    }

    /// Quiet seconds, seconds and inputs of the ledger.
    func reached() throws -> [Int] {
      let text = try String(contentsOfFile: folder["Tests/fuzz/reached"], encoding: .utf8)
      let line = text.split(separator: "\n").first { $0.hasPrefix("toy ") } ?? ""
      return line.split(separator: " ").dropFirst().prefix(3).compactMap { Int($0) }
    }
  }

  @Test func onlyTimeSinceTheLastNewEdgeCountsAndItAddsUpOverRuns() throws {
    let place = try Place()
    let runs = try place.fuzz()
    // Were the compiler's edges counted, the first six would be in vain.
    #expect((3..<6).contains(runs.count))
    #expect(runs.first?.contains("4 edges") == true && runs.first?.hasSuffix("for 0 s") == true)
    let reached = try place.reached()
    #expect(reached.count == 3 && reached.last == 7 * runs.count)
    // Neither the first run counts nor the time in which known inputs were tried.
    #expect(reached.first ?? 0 >= 2 && reached[1] > reached[0] + 1, "\(reached)")
    // It is still: another run has nothing to do.
    #expect(try place.fuzz().isEmpty)
  }

  @Test(arguments: ["time.sleep(1.5)", "while True: pass"], [["1"], ["--vary", "50"]])
  func anInputThatWasSlowFailsOnlyIfItIsThatAloneByTheProcessorsTime(
    _ work: String, _ arguments: [String]
  ) throws {
    let place = try Place(
      """
      #!/usr/bin/env python3
      import os, sys, time
      if sys.argv[1] == "--list": sys.exit(print("toy 10 10 1 Sources/Parser"))
      if os.path.exists(sys.argv[-1]) and not os.path.isdir(sys.argv[-1]):
          \(work)
          sys.exit()
      found = sys.argv[0] + "-timeout-1"
      open(found, "w")
      print("#5\\tINITED cov: 3 ft: 4 corp: 1/1b")
      print("Test unit written to", found)
      sys.exit(70)
      """)
    let outcome = try place.run(arguments)
    #expect((outcome.status == 0) == work.contains("sleep"), "\(outcome.text)\(outcome.errors)")
    #expect(outcome.text.contains("FAILED") != work.contains("sleep"), "\(outcome.text)")
  }

  @Test(arguments: [false, true])
  func madeInputsThatReachSomethingNewAreAddedAndThoseThatFailAreNamed(_ isFailing: Bool) throws {
    let place = try Place(
      """
      #!/usr/bin/env python3
      import os, shutil, sys
      if sys.argv[1] == "--list": sys.exit(print("toy 40 10 1 Sources/Parser"))
      known, *_, made = [a for a in sys.argv if os.path.isdir(a)]
      prefix = next(a for a in sys.argv if a.startswith("-artifact_prefix=")).partition("=")[2]
      files = [os.path.join(made, name) for name in sorted(os.listdir(made))]
      if not files or any(not 0 < os.path.getsize(f) <= 40 for f in files): sys.exit(1)
      shutil.copy(files[0], known)
      open(prefix.replace("toy", "other") + "crash-1", "w")
      if \(isFailing ? "True" : "False"):
          shutil.copy(files[-1], prefix + "crash-1")
          print("Test unit written to", prefix + "crash-1")
      """)
    let outcome = try place.run("--vary", "50")
    #expect((outcome.status == 0) != isFailing, "\(outcome.errors)")
    #expect(outcome.text.contains("1 grown inputs"), "\(outcome.text)")
    #expect(outcome.text.contains("FAILED: ") == isFailing)
    #expect(outcome.text.contains("/scratch/found/toy-crash-1") == isFailing)
    #expect(!outcome.text.contains("other-crash"), "\(outcome.text)")
  }

  @Test func noMoreMadeInputsAreTriedAtOnceThanHaveRoom() throws {
    let place = try Place(
      """
      #!/usr/bin/env python3
      import os, sys
      if sys.argv[1] == "--list": sys.exit(print("toy 40 10 1 Sources/Parser"))
      known, *_, made = [a for a in sys.argv if os.path.isdir(a)]
      count = len(os.listdir(made))
      if not 0 < count <= 20000: sys.exit(1)
      open(os.path.join(known, str(len(os.listdir(known)))), "w")
      """)
    let outcome = try place.run("--vary", "20010")
    #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    #expect(outcome.text.contains("2 grown inputs"), "\(outcome.text)")
  }

  @Test func aFuzzerThatCannotTryMadeInputsIsAFailure() throws {
    let place = try Place(
      """
      #!/usr/bin/env python3
      import sys
      sys.exit(print("toy 40 10 1 Sources/Parser") if sys.argv[1] == "--list" else 1)
      """)
    let outcome = try place.run("--vary", "50")
    #expect(outcome.status == 1 && outcome.text.contains("FAILED: "), "\(outcome.text)")
    #expect(outcome.text.contains("toy.vary.log"))
  }

  /// One of each maker.
  @Test(arguments: [
    "rpc", "state", "style", "toml", "mbtiles", "mbtiles-values", "pack-file", "pmtiles",
    "pmtiles-directory", "vector-tile", "vector-paint", "kml",
  ])
  func theSameRandomNumbersMakeTheSameInputsMostOfWhichDiffer(_ target: String) throws {
    let script = """
      import itertools, pathlib, random, sys
      sys.dont_write_bytecode = True
      sys.path.insert(0, "\(TestData.fixtures)/../fuzz")
      import made
      seeds = pathlib.Path("\(TestData.fixtures)/fuzz/\(target)")
      known = [seed.read_bytes() for seed in sorted(seeds.iterdir())]
      def inputs(): return list(itertools.islice(
          made.maker("\(target)")(random.Random(1), known, ["word"]), 200))
      all = inputs()
      print(all == inputs(), len(set(all) - set(known)) > 100)
      """
    let outcome = try Program(path: "/usr/bin/env").run(["python3", "-c", script])
    #expect(outcome.text == "True True\n", "\(outcome.text)\(outcome.errors)")
  }

  @Test func whatWasReachedIsVoidOnceTheParserChanged() throws {
    let place = try Place()
    _ = try place.fuzz()
    try place.folder.write("// A comment.\nlet a = 1\n", to: "Sources/Parser/a.swift")
    #expect(try place.fuzz().isEmpty)
    try place.folder.write("let a = 2\n", to: "Sources/Parser/a.swift")
    let runs = try place.fuzz()
    #expect(!runs.isEmpty)
    let inputs = try place.reached().last
    #expect(inputs == 7 * runs.count)
  }
}
