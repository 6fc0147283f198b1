import Foundation
import TestSupport
import Testing

/// What the Makefile, the scripts beside it and the documents promise.
struct RepositoryTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private func shell(
    _ line: String, environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program(path: "/bin/bash").run(
      ["-c", "cd '\(RepositoryTests.root)' && \(line)"], environment: environment)
  }

  /// The files below a folder, with their paths in it.
  private func files(in folder: String) -> Set<String> {
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return Set(
      names.filter {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: "\(folder)/\($0)", isDirectory: &isFolder)
          && !isFolder.boolValue
      })
  }

  @Test func whatIsInstalledIsUninstalledAlsoWithASpaceInTheDestination() throws {
    let folder = try TemporaryFolder()
    let stage = folder.path + "/a stage"
    let bin = folder.path + "/the programs"
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    for name in ["waypostd", "waypost", "waypost-fetch"] {
      try FileManager.default.copyItem(atPath: "/bin/true", toPath: "\(bin)/\(name)")
    }
    let variables = ["DESTDIR": stage, "BIN": bin, "PREFIX": "/opt/way post"]
    let make = "make --no-print-directory DESTDIR=\"$DESTDIR\" BIN=\"$BIN\" PREFIX=\"$PREFIX\""
    let installed = try shell("\(make) install", environment: variables)
    #expect(installed.status == 0, "\(installed.errors)")
    let laidOut = files(in: stage)
    for name in [
      "bin/waypostd", "bin/waypost", "bin/waypost-fetch", "share/man/man1/waypost-fetch.1",
      "lib/systemd/system/waypostd.service", "lib/systemd/system/waypost-fetch.service",
      "lib/systemd/system/waypostd.socket", "lib/systemd/system-preset/50-waypost.preset",
      "lib/tmpfiles.d/waypost.conf", "lib/systemd/system/waypost-media@.service",
      "lib/waypost/mount-medium", "lib/waypost/before-start",
      "lib/sysusers.d/waypost.conf", "lib/udev/rules.d/70-waypost.rules",
      "lib/udev/rules.d/71-waypost-media.rules",
      "share/man/man8/waypostd.8", "share/waypost/board/raspberry-pi/waypost.toml",
      "share/waypost/early.conf",
    ] {
      #expect(laidOut.contains("opt/way post/\(name)"))
    }
    for unit in ["waypostd", "waypost-fetch"] {
      let path = "\(stage)/opt/way post/lib/systemd/system/\(unit).service"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\nExecStart=/opt/way post/bin/\(unit) "))
      #expect(text.contains("\nExecStartPre=-+/opt/way post/lib/waypost/before-start \(unit)\n"))
      #expect(!text.contains("=/usr/bin/waypost") && !text.contains("/usr/lib/waypost"))
    }
    let media = "\(stage)/opt/way post/lib/systemd/system/waypost-media@.service"
    let unit = try String(contentsOfFile: media, encoding: .utf8)
    #expect(unit.contains("\nExecStart=/opt/way post/lib/waypost/mount-medium mount %I"))
    #expect(!unit.contains("=/usr/lib/waypost"))
    // Nothing beside the destination: a space does not make two of it.
    let made = files(in: folder.path).map { $0.prefix { $0 != "/" } }
    #expect(Set(made) == ["a stage", "the programs"])

    // What others put there stays.
    let theirs = stage + "/opt/way post/share/waypost/theirs"
    try "x".write(toFile: theirs, atomically: true, encoding: .utf8)
    let uninstalled = try shell("\(make) uninstall", environment: variables)
    #expect(uninstalled.status == 0, "\(uninstalled.errors)")
    #expect(files(in: stage) == ["opt/way post/share/waypost/theirs"])
  }

  @Test func noUnitIsGivenUpHoweverOftenItEnds() throws {
    for unit in ["waypostd", "waypost-fetch", "waypost-media@"] {
      let path = "\(RepositoryTests.root)/systemd/\(unit).service"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let head = text.components(separatedBy: "\n[Service]").first ?? ""
      #expect(head.contains("\nStartLimitIntervalSec=0\n"), "\(unit)")
    }
    let path = "\(RepositoryTests.root)/systemd/waypostd.socket"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("\nTriggerLimitIntervalSec=0\n"))
  }

  @Test func programsAreStartedAgainWithinATenthOfASecondAndInALoopAfterOneMore() throws {
    for unit in ["waypostd", "waypost-fetch"] {
      let path = "\(RepositoryTests.root)/systemd/\(unit).service"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\nRestartSec=100ms\n"), "\(unit)")
      // They would count the restarts of a year as those of a loop.
      #expect(!text.contains("\nRestartSteps="), "\(unit)")
      #expect(text.contains("\nExecStartPre=-+/usr/lib/waypost/before-start \(unit)\n"))
    }
  }

  @Test func aMediumIsTriedAgainAfterSecondsAndAProgramThatHangsIsNoticedWithinMinutes() throws {
    for (unit, lines) in [
      ("waypostd", ["WatchdogSec=60", "NotifyAccess=main", "LimitCORE=0"]),
      ("waypost-fetch", ["WatchdogSec=120", "NotifyAccess=main", "LimitCORE=0"]),
      ("waypost-media@", ["TimeoutSec=30", "RestartSec=5s", "RestartSteps=6"]),
    ] {
      let path = "\(RepositoryTests.root)/systemd/\(unit).service"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for line in lines { #expect(text.contains("\n\(line)\n"), "\(unit): \(line)") }
    }
  }

  @Test func theTestRunnersEndRepeatsWhatFailedAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let runner = folder.path + "/runner"
    let lines = [
      "✔ Test passes() passed after 0.1 seconds.",
      "✘ Suite Some failed after 1 seconds with 1 issue.",
      "✘ Test fails(_:) recorded an issue at A.swift:3:5: Expectation failed: 1 == 2",
      "↳ one is not two",
      "◇ Test other() started.",
      "↳ of something that did not fail",
      "waypostd: error: no such display (a log of a program under test)",
      "➜ Test skipped() skipped: \"needs the data set\"",
      "/src/B.swift:9: error: Old.testIt : XCTAssertEqual failed",
      "✘ Test run with 3 tests failed after 1 seconds with 1 issue.",
    ]
    let text = lines.joined(separator: "\n")
    try "#!/bin/sh\ncat <<'END'\n\(text)\nEND\nexit ${STATUS:-1}\n"
      .write(toFile: runner, atomically: true, encoding: .utf8)
    let outcome = try shell("Tests/run sh '\(runner)'")
    #expect(outcome.status == 1)
    #expect(outcome.text.hasPrefix(text))
    let end = outcome.text.dropFirst(text.count).split(separator: "\n").dropFirst()
    #expect(end.map(String.init) == [lines[2], lines[3], lines[8]])

    let passed = try shell("Tests/run sh '\(runner)'", environment: ["STATUS": "0"])
    #expect(passed.status == 0)
    #expect(passed.text == text + "\n")
  }

  @Test func theReadmeIsShortAndNamesTheTwoCommands() throws {
    let readme = try String(contentsOfFile: RepositoryTests.root + "/README.md", encoding: .utf8)
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    #expect(readme.contains("    make run "))
    #expect(readme.contains("    make test "))
    // Programs are typed as `make build` leaves them.
    for line in readme.split(separator: "\n") where line.hasPrefix("    ") {
      let word = line.split(separator: " ").first ?? ""
      #expect(word != "waypost" && word != "waypostd", "\(line)")
    }
  }

  @Test func linksOfTheDocumentsLeadToFiles() throws {
    let listed = try shell(
      "find . -name '*.md' -not -path './.*' -not -path '*/data/*' -not -path './Tests/Fixtures/*'")
    let documents = listed.text.split(separator: "\n").map(String.init)
    #expect(documents.count > 8)
    for document in documents {
      let path = RepositoryTests.root + "/" + document
      let folder = (path as NSString).deletingLastPathComponent
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for part in text.components(separatedBy: "](").dropFirst() {
        let target = String(part.prefix { $0 != ")" && $0 != "#" && $0 != "\n" })
        if target.isEmpty || target.contains("://") || target.contains(" ") { continue }
        let place = folder + "/" + target
        #expect(FileManager.default.fileExists(atPath: place), "\(document): \(target)")
      }
    }
  }

  @Test func mutateListsTheSameFaultsForTheSameSeedAndTouchesNothing() throws {
    let file = "Sources/MapGeometry/TileID.swift"
    let path = RepositoryTests.root + "/" + file
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    func faults(_ seed: Int) throws -> [String] {
      let outcome = try shell("Tests/mutate --list --count 8 --seed \(seed) \(file)")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.text.split(separator: "\n").map { String($0) }
    }
    let first = try faults(1)
    #expect(first.count == 1 + 8 * 3, "\(first)")
    #expect(first[0].hasSuffix("; seed 1"))
    for fault in 0..<8 {
      #expect(first[1 + fault * 3].hasPrefix("\(file):"))
      // What the line is, and what it becomes.
      let (old, new) = (first[2 + fault * 3], first[3 + fault * 3])
      #expect(old.hasPrefix("    - ") && new.hasPrefix("    + "))
      #expect(old.dropFirst(6) != new.dropFirst(6))
    }
    let (again, other) = (try faults(1), try faults(2))
    #expect(again == first)
    #expect(other.dropFirst() != first.dropFirst())
    let after = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(after == before)
  }

  /// With a `swift` that notices one fault, overlooks another and hangs with a third.
  @Test func mutateTellsFaultsThatAreNoticedSurviveOrHangAndPutsTheFileBack() throws {
    let folder = try TemporaryFolder()
    for name in ["Tests", "Sources", "bin"] { #expect(mkdir(folder[name], 0o755) == 0) }
    let source = "let a = 1 < 2\nlet b = true\nlet c = max(1, 2)\n"
    try folder.write(source, to: "Sources/a.swift")
    try folder.writeProgram(
      """
      #!/bin/sh
      [ "$1" = build ] && exit 0
      case $(cat Sources/a.swift) in
      *false*) exec sleep 60 ;;
      *min*) exit 0 ;;
      *"1 < 2"*) exit 0 ;;
      esac
      exit 1
      """, to: "bin/swift")
    let script = try String(contentsOfFile: RepositoryTests.root + "/Tests/mutate", encoding: .utf8)
    try folder.write(script, to: "Tests/mutate")
    let outcome = try shell(
      "PATH='\(folder["bin"])':$PATH python3 '\(folder["Tests/mutate"])' --seed 1 --timeout 10"
        + " '\(folder["Sources/a.swift"])'")
    #expect(outcome.status == 1, "\(outcome.errors)")
    let lines = outcome.text.split(separator: "\n").map(String.init)
    #expect(lines.last == "3 noticed, 2 survived, 1 hung")
    #expect(lines.contains { $0.hasPrefix("HUNG") && $0.contains("true becomes false") })
    #expect(lines.contains { $0.hasPrefix("SURVIVED") && $0.contains("the larger becomes") })
    #expect(try String(contentsOfFile: folder["Sources/a.swift"], encoding: .utf8) == source)
  }

  /// A variable that is cleared while another thread reads the environment ends the program, and
  /// one that is cleared too late reaches the programs and libraries that it was not meant for.
  @Test func theDaemonTakesItsEnvironmentBeforeItsFirstThread() throws {
    func code(of file: String) throws -> [String] {
      try String(contentsOfFile: RepositoryTests.root + "/Sources/" + file, encoding: .utf8)
        .split(separator: "\n").map { $0.drop(while: \.isWhitespace) }
        .filter { !$0.hasPrefix("//") }.map { String($0) }
    }
    // Nothing runs before `Daemon.run`, and that parses the command line.
    #expect(
      try code(of: "waypostd/main.swift").last
        == "exit(Daemon.run(Array(CommandLine.arguments.dropFirst())))")
    #expect(try code(of: "waypostd/main.swift").filter { !$0.hasPrefix("import ") }.count == 1)
    let daemon = try code(of: "Daemon/Daemon.swift")
    let start = try #require(daemon.firstIndex(of: "private func run() -> Int32 {"))
    #expect(
      Array(daemon[(start + 1)..<(start + 3)]) == [
        "waypost_share_heaps()", "let environment = Environment()",
      ])
    let taken = try #require(
      daemon.firstIndex(of: "services = ServiceManager.fromEnvironment()"))
    #expect(
      Array(daemon[(taken + 1)..<(taken + 4)]) == [
        "_ = PassedDescriptors.ofThisProcess",
        "screens = ScreenVariables.fromEnvironment()",
        "pressure = MemoryPressure.Request.fromEnvironment()",
      ])
  }

  /// `Tests/lint` sees what it is to see.
  @Test func lintTellsUndocumentedThrowsLongCommentsLongFilesAndTimeLimits() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "é", count: 101)
    let files = [
      "Tests/sources.swift-format": "{ \"version\": 1 }\n",
      "Sources/M/A.swift": """
      /// Reads it.
      public func read(
        _ body: () throws -> Int
      ) throws -> Int { 1 }
      /// Runs it.
      public func run(_ body: () throws -> Int) -> Int { 1 }
      /// Reads it.
      ///
      /// - Throws: always.
      public func fine() throws {}
      // \(long)
      """,
      "Sources/M/B.swift": String(repeating: "// A line.\n", count: 401),
      "board/parts/steps.py": String(repeating: "# A line.\n", count: 401),
      "Tests/soak/day": String(repeating: "# A line.\n", count: 401),
      "Tests/MTests/D.swift": "@Test(.enabled(if: true), .timeLimit(.minutes(5))) func a() {}\n",
      "Tests/MTests/C.swift": "// \(long)\n" + String(repeating: "// A line.\n", count: 400),
    ]
    for (name, text) in files {
      let path = folder.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let outcome = try shell("cp Tests/lint '\(folder.path)/Tests' && '\(folder.path)/Tests/lint'")
    #expect(outcome.status == 1)
    for finding in [
      "Sources/M/A.swift:2: throws without `- Throws:`",
      "Sources/M/A.swift:11: a comment of more than 100 columns",
      "Sources/M/B.swift:401: 401 lines; a file is one idea of at most 400",
      "Tests/MTests/C.swift:1: a comment of more than 100 columns",
      "Tests/MTests/C.swift:401: 401 lines; a file is one idea of at most 400",
      "board/parts/steps.py:401: 401 lines; a file is one idea of at most 400",
      "Tests/soak/day:401: 401 lines; a file is one idea of at most 400",
      "Tests/MTests/D.swift:1: a time limit of a test: `Tests/run` has one for all",
    ] {
      #expect(outcome.errors.contains(finding), "\(outcome.errors)")
    }
    #expect(outcome.errors.components(separatedBy: "throws without").count == 2)
  }
}
