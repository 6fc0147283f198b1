import Control
import Foundation
import TestSupport
import Testing

/// The socket's file, and a socket that the service manager passes.
@Suite struct DaemonSocketTests {
  @Test func aSocketThatADeadDaemonLeftIsReplaced() throws {
    let daemon = try DaemonProcess()
    #expect(daemon.end(SIGKILL) == -SIGKILL)
    #expect(access(daemon.socket, F_OK) == 0)
    try daemon.restart()
    #expect(try daemon.connect().call(Status.self, NoParams()).pid == Int(daemon.pid))
  }

  @Test func aSocketThatIsServedIsLeftToItsDaemon() throws {
    let daemon = try DaemonProcess()
    let other = try DaemonProcess.start(daemon.folder).outcome()
    #expect(other.status == 73)
    #expect(other.errors.contains(daemon.socket))
    #expect(other.errors.contains("\(daemon.pid)"))
    #expect(try daemon.connect().call(Status.self, NoParams()).pid == Int(daemon.pid))
  }

  @Test func aFileThatIsNoSocketIsNotTouched() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles),
      to: "waypost.toml")
    try folder.write("precious\n", to: "s")
    let outcome = try DaemonProcess.start(folder).outcome()
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains(folder["s"]))
    #expect(try String(contentsOfFile: folder["s"], encoding: .utf8) == "precious\n")
  }

  @Test func aSocketWithoutAFolderIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write(DaemonProcess.head(folder), to: "waypost.toml")
    let outcome = try DaemonProcess.start(folder, ["--socket", folder["none/s"]]).outcome()
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains(folder["none"]))
  }

  @Test func itsModeIsAsConfigured() throws {
    let folder = try TemporaryFolder()
    let text = DaemonProcess.head(folder).replacingOccurrences(
      of: "[control]", with: "[control]\nmode = \"0640\"")
    try folder.write(text, to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    var info = stat()
    #expect(lstat(daemon.socket, &info) == 0)
    #expect(info.st_mode & S_IFMT == S_IFSOCK)
    #expect(info.st_mode & 0o777 == 0o640)
  }

  @Test func aSocketThatTheServiceManagerPassesIsServedAndStays() throws {
    let folder = try TemporaryFolder()
    let text = DaemonProcess.head(folder).replacingOccurrences(
      of: folder["s"], with: folder["unused"])
    try folder.write(text, to: "waypost.toml")
    let listener = try ControlListener(path: folder["s"])
    // Who connects before the daemon is there is served once it is.
    let early = try ControlConnection(path: folder["s"])
    let waypostd = try Program.built("waypostd").path
    let command = """
      LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES=control exec \
      '\(waypostd)' --config '\(folder["waypost.toml"])'
      """
    let daemon = try Program(path: "/bin/sh").start(["-c", command], descriptor: listener.fd)
    #expect(try early.call(Status.self, NoParams(), timeout: 300).pid == Int(daemon.pid))
    #expect(access(folder["unused"], F_OK) != 0)
    // The journal names the socket that is served, not the one that is configured.
    #expect(waitUntil { daemon.log.contains("serving \(folder["s"])") })
    kill(daemon.pid, SIGTERM)
    #expect(daemon.outcome().status == 0)
    #expect(access(folder["s"], F_OK) == 0)
  }

  @Test func anUnknownGroupIsAConfigurationError() throws {
    let folder = try TemporaryFolder()
    let text = DaemonProcess.head(folder).replacingOccurrences(
      of: "[control]", with: "[control]\ngroup = \"no-such-group\"")
    try folder.write(text, to: "waypost.toml")
    let refused = try DaemonProcess.start(folder).outcome()
    #expect(refused.status == 78)
    #expect(refused.errors.contains("no-such-group"))
    let checked = try DaemonProcess.start(folder, ["--check-config"]).outcome()
    #expect(checked.status == 78)
    #expect(checked.text.contains("\(folder["waypost.toml"]):9: error: control.group: "))
    // Kept going, it serves whom it can and says what is wrong.
    let daemon = try DaemonProcess(folder, ["--keep-going"])
    let health = try daemon.connect().health("control")
    #expect(health?.state == "error")
    #expect(health?.detail?.contains("no-such-group") == true)
    #expect(waitUntil { daemon.program.log.contains(" control: control.group: ") })
  }

  @Test func withKeepGoingTheMapIsShownWithoutASocketAndThatIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let socket = folder["none/s"]
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles),
      to: "waypost.toml")
    let program = try DaemonProcess.start(folder, ["--keep-going", "--socket", socket])
    #expect(waitUntil { program.log.contains("control: \(socket): the folder ") })
    try #require(mkdir(folder["none"], 0o700) == 0)
    #expect(waitUntil { (try? ControlConnection(path: socket).call("version")) != nil })
    let client = try ControlConnection(path: socket)
    try client.settled()
    #expect(try client.health("control") == nil)
    kill(program.pid, SIGTERM)
    #expect(program.outcome().status == 0)
  }

  @Test func withKeepGoingASocketThatAnotherProgramHoldsUpIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      DaemonProcess.head(folder) + DaemonProcess.source("osm", DaemonProcess.tiles),
      to: "waypost.toml")
    let held = open(folder["s.lock"], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(flock(held, LOCK_EX) == 0)
    let program = try DaemonProcess.start(folder, ["--keep-going"])
    #expect(waitUntil { program.log.contains("control: \(folder["s"]): ") })
    close(held)
    #expect(waitUntil { (try? ControlConnection(path: folder["s"]).call("version")) != nil })
    kill(program.pid, SIGTERM)
    #expect(program.outcome().status == 0)
  }

  @Test func withKeepGoingASocketThatIsServedIsStillLeftToItsDaemon() throws {
    let daemon = try DaemonProcess()
    let other = try DaemonProcess.start(daemon.folder, ["--keep-going"]).outcome()
    #expect(other.status == 73)
  }

  @Test func aDemoInARuntimeFolderThatIsGoneSaysSo() throws {
    let outcome = try Program.built("waypostd").run(
      ["--demo"], environment: ["XDG_RUNTIME_DIR": "/nonexistent/run"])
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("/nonexistent/run/waypost"))
    #expect(outcome.errors.contains("XDG_RUNTIME_DIR"))
  }

  @Test func theLimitsOfClientsAreInTheStatistics() throws {
    let folder = try TemporaryFolder()
    let head = DaemonProcess.head(folder).replacingOccurrences(
      of: "[control]", with: "[control]\nmax_clients = 5")
    try folder.write(head + DaemonProcess.source("osm", DaemonProcess.tiles), to: "waypost.toml")
    let daemon = try DaemonProcess(folder)
    let clients = try [daemon.connect(), daemon.connect()]
    defer { withExtendedLifetime(clients) {} }
    let figures = try clients[0].call(Stats.self, NoParams()).clients
    #expect(figures.count == 2)
    #expect(figures.limit == 5)
    #expect(figures.trustedLimit == 7)
    #expect(figures.unreadLimit == 16 << 20)
  }

  @Test func clientsThatGoLeaveNoWorkBehind() throws {
    let daemon = try DaemonProcess()
    let line = #"{"jsonrpc":"2.0","id":1,"method":"screenshot"}"# + "\n"
    let client = try daemon.connect()
    try client.settled()
    let before = try client.call(Stats.self, NoParams()).wakeups
    for _ in 0..<20 {
      let client = LineSocket(daemon.socket)
      client.send(String(repeating: line, count: 500))
      client.hangUp()
    }
    var looks = 0
    #expect(
      waitUntil {
        looks += 1
        return (try? client.call(Stats.self, NoParams()).memory("screenshot")) == 0
      })
    // Each of the 10,000 screenshots, if it were made, would wake the loop once.
    let wakeups = try client.call(Stats.self, NoParams()).wakeups - before
    #expect(wakeups < 1000 + 4 * looks, "\(wakeups) after \(looks) looks")
    #expect(daemon.end() == 0)
  }

  @Test func descriptorsWithoutASocketAreRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write(DaemonProcess.head(folder), to: "waypost.toml")
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(null) }
    let waypostd = try Program.built("waypostd").path
    let command = """
      LISTEN_PID=$$ LISTEN_FDS=1 exec \
      '\(waypostd)' --config '\(folder["waypost.toml"])'
      """
    let daemon = try Program(path: "/bin/sh").start(["-c", command], descriptor: null)
    let outcome = daemon.outcome()
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("LISTEN_FDS"))
  }
}
