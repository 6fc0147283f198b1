import Configuration
import EventLoop
import Fetching
import Glibc
import Platform
import TileServing

/// `waypost-fetch serve`: the provider of http(s) sources, until it is told to end.
final class ServeCommand {
  private let options: ServeOptions
  private let loop: EventLoop
  private let fetcher: NetworkFetcher
  private let service: SourceService
  private let manager: ServiceManager
  private let log: ServeLog
  private var isServing = false
  private var isEnding = false
  /// Whether it is not to rest any longer.
  private var isRested = false

  /// How long a service that cannot serve waits before it ends, in nanoseconds.
  private static let pause: UInt64 = 30_000_000_000
  /// Rounds of the loop between two looks at the network.
  private static let mostRounds = 64

  /// Runs it. To be called before any thread starts.
  ///
  /// - Returns: The exit code.
  static func run(_ options: ServeOptions) -> Int32 {
    let manager = ServiceManager.fromEnvironment()
    let log = ServeLog()
    signal(SIGPIPE, SIG_IGN)
    guard let loop = try? EventLoop() else {
      log.write(.error, "the system has no descriptors left")
      return ExitCode.software
    }
    guard let fetcher = NetworkFetcher(userAgent: options.userAgent) else {
      log.write(.error, "libcurl cannot be loaded; install libcurl4t64 (Debian 12: libcurl4)")
      // Signals end it at once.
      rest(manager, loop)
      return ExitCode.unavailable
    }
    return ServeCommand(options, loop, fetcher, manager, log).run()
  }

  private init(
    _ options: ServeOptions, _ loop: EventLoop, _ fetcher: NetworkFetcher,
    _ manager: ServiceManager, _ log: ServeLog
  ) {
    self.options = options
    self.loop = loop
    self.fetcher = fetcher
    self.manager = manager
    self.log = log
    service = SourceService(
      folder: options.folder, loop: loop, fetcher: fetcher,
      log: { [log] in log.write($0, $1) }, problem: { [log] in log.note($0, $1) })
    let rest = MemoryRest(loop: loop)
    fetcher.onAsk = { rest.worked() }
  }

  private func run() -> Int32 {
    do {
      try loop.signals([SIGTERM, SIGINT, SIGHUP]) { [unowned self] number in
        // Before it serves, SIGHUP only ends the rest: a new start reads the configuration.
        switch (number, isServing) {
        case (SIGHUP, true): reload()
        case (SIGHUP, false): isRested = true
        default: isEnding = true
        }
      }
    } catch {
      log.write(.error, "\(error)")
      return ExitCode.software
    }
    // Under /run/user when run by hand; for the service, systemd creates the folder.
    guard mkdir(options.folder, 0o750) == 0 || errno == EEXIST else {
      log.write(
        .error, "\(options.folder): cannot be made: \(SystemError.text()); --sockets names another")
      return restAndEnd(ExitCode.unavailable)
    }
    guard let configuration = load() else {
      return restAndEnd(ExitCode.configuration)
    }
    isServing = true
    service.serve(configuration.sources)
    log.write(.info, "\(service.count) http(s) sources are served in \(options.folder)")
    manager.ready()
    manager.feedWatchdog(on: loop)
    // The loop's timers run from its next round on.
    var isBusy = true
    while !isEnding {
      guard fetcher.run(beside: loop.descriptor, mayWait: !isBusy) else {
        log.write(.error, "libcurl gave up")
        service.end()
        return restAndEnd(ExitCode.software)
      }
      isBusy = runLoop()
    }
    manager.stopping()
    service.end()
    return ExitCode.ok
  }

  /// The unit starts the program again soon after its end, for ever. So that an error that stays
  /// does not fill the log, it is half a minute, or a signal, until the program ends.
  private static func rest(
    _ manager: ServiceManager, _ loop: EventLoop, until isOver: () -> Bool = { false }
  ) {
    guard manager.socket != nil else { return }
    let end = EventLoop.now() &+ pause
    while !isOver(), case let now = EventLoop.now(), now < end { loop.runOnce(timeout: end - now) }
  }

  /// Rests.
  ///
  /// - Returns: `code`, unless it was told to end.
  private func restAndEnd(_ code: Int32) -> Int32 {
    isServing = false
    ServeCommand.rest(manager, loop) { isEnding || isRested }
    return isEnding ? ExitCode.ok : code
  }

  /// Runs the loop until it is idle, but for a limited number of rounds, so that a busy client
  /// cannot hold up the network.
  ///
  /// - Returns: Whether work is left.
  private func runLoop() -> Bool {
    for _ in 0..<ServeCommand.mostRounds where !isEnding {
      guard loop.runOnce(timeout: 0) else { return false }
    }
    return true
  }

  private func reload() {
    guard let configuration = load() else {
      return log.write(.error, "the new configuration is refused; the old one stays")
    }
    service.serve(configuration.sources)
    log.write(.info, "\(service.count) http(s) sources are served after a reload")
  }

  /// The configuration; nil if it has errors, which are logged. waypostd reports the warnings.
  private func load() -> Configuration? {
    let files =
      options.configFiles.isEmpty ? ConfigurationLoader.defaultFiles() : options.configFiles
    let result = ConfigurationLoader().load(files: files)
    for finding in result.findings where finding.severity == .error {
      log.write(.error, "\(finding)")
    }
    return result.configuration
  }
}
