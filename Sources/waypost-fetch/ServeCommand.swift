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
  private var isEnding = false

  /// Rounds of the loop between two looks at the network.
  private static let mostRounds = 64

  /// Runs it. To be called before any thread starts.
  ///
  /// - Returns: The exit code.
  static func run(_ options: ServeOptions) -> Int32 {
    let manager = ServiceManager.fromEnvironment()
    signal(SIGPIPE, SIG_IGN)
    guard let loop = try? EventLoop() else {
      ServeLog.write(.error, "the system has no descriptors left")
      return ExitCode.software
    }
    guard let fetcher = NetworkFetcher(userAgent: options.userAgent) else {
      ServeLog.write(
        .error, "libcurl cannot be loaded; install libcurl4t64 (Debian 12: libcurl4)")
      return ExitCode.unavailable
    }
    return ServeCommand(options, loop, fetcher, manager).run()
  }

  private init(
    _ options: ServeOptions, _ loop: EventLoop, _ fetcher: NetworkFetcher,
    _ manager: ServiceManager
  ) {
    self.options = options
    self.loop = loop
    self.fetcher = fetcher
    self.manager = manager
    service = SourceService(
      folder: options.folder, loop: loop, fetcher: fetcher,
      log: { ServeLog.write($0, $1) })
  }

  private func run() -> Int32 {
    do {
      try loop.signals([SIGTERM, SIGINT, SIGHUP]) { [unowned self] number in
        if number == SIGHUP { reload() } else { isEnding = true }
      }
    } catch {
      ServeLog.write(.error, "\(error)")
      return ExitCode.software
    }
    // Under /run/user when run by hand; for the service, systemd creates the folder.
    guard mkdir(options.folder, 0o750) == 0 || errno == EEXIST else {
      ServeLog.write(
        .error, "\(options.folder): cannot be made: \(SystemError.text()); --sockets names another")
      return ExitCode.unavailable
    }
    guard let configuration = load() else { return ExitCode.configuration }
    service.serve(configuration.sources)
    ServeLog.write(.info, "\(service.count) http(s) sources are served in \(options.folder)")
    manager.ready()
    var isBusy = false
    while !isEnding {
      guard fetcher.run(beside: loop.descriptor, mayWait: !isBusy) else {
        ServeLog.write(.error, "libcurl gave up")
        service.end()
        return ExitCode.software
      }
      isBusy = runLoop()
    }
    manager.stopping()
    service.end()
    return ExitCode.ok
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
      return ServeLog.write(.error, "the new configuration is refused; the old one stays")
    }
    service.serve(configuration.sources)
    ServeLog.write(.info, "\(service.count) http(s) sources are served after a reload")
  }

  /// The configuration; nil if it has errors, which are logged. waypostd reports the warnings.
  private func load() -> Configuration? {
    let files =
      options.configFiles.isEmpty ? ConfigurationLoader.defaultFiles() : options.configFiles
    let result = ConfigurationLoader().load(files: files)
    for finding in result.findings where finding.severity == .error {
      ServeLog.write(.error, "\(finding)")
    }
    return result.configuration
  }
}

/// Lines on standard error; with their priority if that is the journal (sd-daemon(3)).
enum ServeLog {
  private static let isJournal: Bool = {
    var info = stat()
    guard let stream = getenv("JOURNAL_STREAM"), fstat(STDERR_FILENO, &info) == 0 else {
      return false
    }
    return String(cString: stream) == "\(info.st_dev):\(info.st_ino)"
  }()

  static func write(_ level: LogLevel, _ text: String) {
    let text = String(
      decoding: text.utf8.prefix(2000).map { $0 < 0x20 || $0 == 0x7f ? UInt8(ascii: " ") : $0 },
      as: UTF8.self)
    let start = isJournal ? "<\(level.priority)>" : "waypost-fetch: \(level.name): "
    let bytes = Array("\(start)\(text)\n".utf8)
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
