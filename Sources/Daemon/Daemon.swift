import CLinux
import Configuration
import Control
import Displays
import EventLoop
import Glibc
import Kiosk
import Pixels
import Platform
import Words

/// `waypostd`: from the command line to the exit status.
public final class Daemon {
  // sysexits.h
  private static let usage: Int32 = 64
  private static let unavailable: Int32 = 69
  private static let systemError: Int32 = 71
  private static let cannotCreate: Int32 = 73
  private static let badConfiguration: Int32 = 78

  let options: DaemonOptions
  let log: Logger
  let loader = ConfigurationLoader()
  /// Why no copy of the present configuration is kept; nil: one is.
  var copyError: FileError?
  /// The configuration that the start read and that has no copy yet.
  var uncopied: (texts: [ConfigurationText], configuration: Configuration)?

  private init(_ options: DaemonOptions) {
    self.options = options
    log = Logger(level: options.logLevel, name: "waypostd")
  }

  /// Runs the program with `arguments` (without its name) and returns its exit status.
  public static func run(_ arguments: [String]) -> Int32 {
    switch DaemonOptions.parse(arguments) {
    case .help:
      print(DaemonOptions.help)
      return 0
    case .version:
      print("waypostd \(Release.version)")
      return 0
    case .usage(let message):
      complain(message)
      return usage
    case .run(let options):
      if options.givesBackConsole {
        if Console.giveBack() { return 0 }
        complain(
          "waypostd: --give-back-console: standard input and /dev/tty are not virtual terminals")
        return unavailable
      }
      return Daemon(options).run()
    }
  }

  private static func complain(_ line: String) { say(line, to: 2) }

  /// Writes at once, whether or not a terminal reads.
  private static func say(_ text: String, to descriptor: Int32 = 1) {
    let bytes = Array((text + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  var files: [String] {
    options.configFiles.isEmpty ? ConfigurationLoader.defaultFiles() : options.configFiles
  }

  /// What the environment has for this process.
  private struct Environment {
    let services: ServiceManager
    let screens: ScreenVariables
    let pressure: MemoryPressure.Request

    /// Reads the environment, and clears the variables meant for this process: before any thread
    /// starts.
    init() {
      services = ServiceManager.fromEnvironment()
      _ = PassedDescriptors.ofThisProcess
      screens = ScreenVariables.fromEnvironment()
      pressure = MemoryPressure.Request.fromEnvironment()
    }
  }

  private func run() -> Int32 {
    waypost_share_heaps()
    let environment = Environment()
    if options.checkConfig { return ConfigCheck(files: files).run() }
    guard let (configuration, trouble) = start() else { return Daemon.badConfiguration }
    do {
      return try serve(configuration, trouble, environment)
    } catch let error as ListenError {
      log.error("control socket: \(error)")
      if case .unknownGroup = error { return Daemon.badConfiguration }
      return Daemon.cannotCreate
    } catch {
      log.error("\(error)")
      return Daemon.systemError
    }
  }

  /// Opens everything and runs the loop until a signal ends it, or the wait for a display.
  ///
  /// - Parameters:
  ///   - configuration: The configuration to run on.
  ///   - trouble: What is wrong with the requested one; nil: this is it.
  ///   - environment: What was in the environment.
  /// - Returns: The exit status.
  /// - Throws: `ListenError` if it cannot listen, or `SystemError`.
  private func serve(
    _ configuration: Configuration, _ trouble: String?, _ environment: Environment
  ) throws -> Int32 {
    let services = environment.services
    let loop = try EventLoop()
    var reload: Reload?
    try handleSignals(on: loop) { reload }
    let screens = Screens(
      loop: loop, services: services, isDemo: options.demo, variables: environment.screens)
    let openings = OpeningsFile(
      besideState: configuration.state.path, socket: configuration.control.socket)
    // The spare list overrides the other while it exists.
    CrashMark.install([openings.spare, openings.path].compactMap { $0 })
    let kiosk = try Kiosk(
      configuration: configuration, loop: loop,
      makeScreen: { configuration, _ in screens.open(configuration.display) },
      openings: openings,
      font: { Bundled.text($0) })
    defer {
      kiosk.close()
      screens.close()
    }
    let reloads = reloads(of: kiosk)
    reload = reloading(reloads)
    prepare(kiosk, trouble)
    keepCopy(with: reloads, kiosk)
    let control = ControlService(kiosk: kiosk, log: log) { reload?($0) }
    let socket = ControlSocket(control, configuration.control, options, kiosk, log)
    try socket.open()
    kiosk.openInputs()
    kiosk.openPosition()
    kiosk.watchMemory(environment.pressure)
    if options.demo { greet(configuration, kiosk) }
    var status: Int32 = 0
    limitWait(for: screens, on: loop) { status = Daemon.unavailable }
    services.ready()
    services.feedWatchdog(on: loop)
    tidyAfterStart(kiosk, on: loop)
    loop.run()
    services.stopping()
    socket.close()
    // It logs what is wrong with the state.
    withExtendedLifetime(socket) { kiosk.saveState() }
    return status
  }

  /// Has the configuration read again, and tells the result.
  private typealias Reload = (@escaping ConfigurationReloads.Done) -> Void

  /// SIGHUP reads the configuration again, once `reload` gives a way to; other signals end the
  /// loop. Signals are blocked before any thread starts, so that only the loop gets them.
  private func handleSignals(on loop: EventLoop, reload: @escaping () -> Reload?) throws {
    try loop.signals([SIGTERM, SIGINT, SIGHUP]) { [unowned loop, self] number in
      guard number == SIGHUP, let reload = reload() else { return loop.stop() }
      reload { [log] outcome in
        guard case .failure(let error) = outcome else { return }
        log.error("the configuration was not reloaded: \(error.message)")
      }
    }
    signal(SIGPIPE, SIG_IGN)
    Console.blockSignals()
  }

  private func reloading(_ reloads: ConfigurationReloads) -> Reload {
    // A demo has no files to read again.
    let isFixed = options.demo
    return { isFixed ? $0(.success([])) : reloads.reload($0) }
  }

  /// Restores what was shown, and shows what is wrong with the configuration.
  private func prepare(_ kiosk: Kiosk, _ trouble: String?) {
    kiosk.onLog = { [log] in log.log($0, $1) }
    if options.demo { kiosk.coverScreenWithWorld() }
    kiosk.restoreState()
    if let trouble {
      kiosk.tell(.settingsNeedService)
      kiosk.reportHealth("configuration", .error, trouble)
    }
  }

  /// Ends the loop if there is no display in time, unless the daemon keeps going without one.
  /// `giveUp` is called before.
  private func limitWait(
    for screens: Screens, on loop: EventLoop, _ giveUp: @escaping () -> Void
  ) {
    guard !options.keepGoing, screens.trouble != nil else { return }
    let deadline = loop.timer { [unowned loop, self] in
      guard let trouble = screens.trouble else { return }
      log.error("no display within \(Daemon.displayPatience) s: \(trouble)")
      giveUp()
      loop.stop()
    }
    deadline.arm(after: UInt64(Daemon.displayPatience) * 1_000_000_000)
  }

  /// Code that only the start needs (configuration, opening devices) can go. Waits until the first
  /// picture is drawn and new packs have proved safe to open, so that it is not paged in again.
  private func tidyAfterStart(_ kiosk: Kiosk, on loop: EventLoop) {
    let tidy = loop.timer { [weak kiosk] in kiosk?.giveMemoryBack() }
    kiosk.settle(timeout: 60) { _ in tidy.arm(after: Daemon.startTime) }
  }

  // MARK: Display

  /// How long to wait for a display at the start, in seconds, without `--keep-going`.
  private static let displayPatience = 10
  /// How long after the first picture the start is over, in nanoseconds.
  private static let startTime: UInt64 = 5_000_000_000

  private func greet(_ configuration: Configuration, _ kiosk: Kiosk) {
    let display = kiosk.screen.display
    let size = display.viewSize
    let place =
      kiosk.screen.isConnected ? "on \(display.device ?? display.kind)" : "without a screen"
    let program = Daemon.companion(of: CommandLine.arguments.first ?? "")
    let shell = program.contains("/") && !program.hasPrefix("/") ? ", from this folder," : ""
    Daemon.say(
      """
      Waypost shows its bundled world map, \(size.width)x\(size.height), \(place).
      In another shell\(shell) try:
        \(program) screenshot map.png     what a screen would show now
        \(program) zoom in                also: pan left, goto -33.92 18.42 5, rotate 30
        \(program) source next            the second map, in the same view
        \(program) --help
      Ctrl-C ends it.
      """)
  }

  /// How `waypost` is called where this program was called as `name`: it lies beside it.
  static func companion(of name: String) -> String {
    guard let slash = name.lastIndex(of: "/") else { return "waypost" }
    return name[...slash] + "waypost"
  }
}
