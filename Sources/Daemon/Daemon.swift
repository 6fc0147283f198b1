import CLinux
import Configuration
import Control
import Displays
import EventLoop
import Glibc
import Kiosk
import Pixels
import Platform

/// `waypostd`: from the command line to the exit status.
public final class Daemon {
  // sysexits.h
  private static let usage: Int32 = 64
  private static let unavailable: Int32 = 69
  private static let systemError: Int32 = 71
  private static let cannotCreate: Int32 = 73
  private static let badConfiguration: Int32 = 78

  private let options: DaemonOptions
  private let log: Logger
  private let loader = ConfigurationLoader()
  private var texts: [ConfigurationText] = []
  /// The HUD's.
  private var fonts: [String] = []

  private init(_ options: DaemonOptions) {
    self.options = options
    log = Logger(level: options.logLevel)
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
          "waypostd: --give-back-console: standard input and /dev/tty are no virtual terminal")
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

  private var files: [String] {
    options.configFiles.isEmpty ? ConfigurationLoader.defaultFiles() : options.configFiles
  }

  private func run() -> Int32 {
    waypost_share_heaps()
    if options.checkConfig { return ConfigCheck(files: files).run() }
    guard let (configuration, trouble) = start() else { return Daemon.badConfiguration }
    fonts = configuration.hud.fonts
    var giveBack: () -> Void = {}
    do {
      let loop = try EventLoop()
      // Signals are blocked before any thread starts, so that only the loop gets them.
      var kiosk: Kiosk?
      var service: ControlService?
      try loop.signals([SIGTERM, SIGINT, SIGHUP]) { [unowned loop, self] number in
        if number == SIGHUP, let kiosk {
          do throws(ControlError) { _ = try reload(kiosk) } catch {
            log.error("the configuration was not taken over: \(error.message)")
          }
        } else {
          loop.stop()
        }
      }
      signal(SIGPIPE, SIG_IGN)
      Console.blockSignals()
      let services = ServiceManager.fromEnvironment()
      let screens = Screens(loop: loop, services: services, isDemo: options.demo)
      let made = try Kiosk(
        configuration: configuration, loop: loop,
        makeScreen: { configuration, _ in screens.open(configuration.display) },
        font: { [unowned self] in Bundled.text(fonts) })
      kiosk = made
      giveBack = {
        made.close()
        screens.close()
      }
      made.onLog = { [log] in log.log($0, $1) }
      made.restoreState()
      if let trouble {
        made.setNotice(trouble)
        made.reportHealth("configuration", .error, trouble)
      }
      let control = ControlService(kiosk: made, version: Release.version) {
        [self] () throws(ControlError) -> [String] in
        try reload(made)
      }
      service = control
      try control.serve(on: listener(configuration))
      made.openInputs()
      made.openPosition()
      if options.demo { greet(configuration, made) }
      log.info("serving \(configuration.control.socket)")
      var status: Int32 = 0
      let deadline = loop.timer { [self] in
        guard let trouble = screens.trouble else { return }
        log.error("no display within \(Daemon.displayPatience) s: \(trouble)")
        status = Daemon.unavailable
        loop.stop()
      }
      if !options.keepGoing, screens.trouble != nil {
        deadline.arm(after: UInt64(Daemon.displayPatience) * 1_000_000_000)
      }
      services.ready()
      services.feedWatchdog(on: loop)
      // Reading the configuration, opening devices and much else will not be needed again. What is being
      // answered and drawn now is not to be fetched back for that.
      let tidy = loop.timer { waypost_release_code() }
      made.settle(timeout: 60) { _ in tidy.arm(after: 1_000_000_000) }
      loop.run()
      services.stopping()
      service?.close()
      made.saveState()
      giveBack()
      return status
    } catch let error as ListenError {
      giveBack()
      log.error("control socket: \(error)")
      return Daemon.cannotCreate
    } catch {
      giveBack()
      log.error("\(error)")
      return Daemon.systemError
    }
  }

  // MARK: Configuration

  /// The configuration to start with, and what is wrong with the one that was asked for; nil when
  /// there is no going on.
  private func start() -> (Configuration, trouble: String?)? {
    if options.demo && options.configFiles.isEmpty {
      return (adjusted(Bundled.configuration), nil)
    }
    let result = loader.load(files: files)
    for finding in result.findings { tell(finding) }
    texts = result.texts
    if let configuration = result.configuration {
      keep(result.texts, configuration)
      return (adjusted(configuration), nil)
    }
    guard options.keepGoing else { return nil }
    let first = result.findings.first { $0.severity == .error }
    let reason = first.map(\.description) ?? "the configuration cannot be read"
    for path in copies(of: result.texts) {
      do throws(FileError) {
        let old = loader.load(texts: try ConfigurationStore(path: path).load())
        if let configuration = old.configuration {
          log.warning("running on the last good configuration")
          return (
            adjusted(configuration), "\(reason) – showing the last good configuration"
          )
        }
      } catch {
        log.debug("last good configuration: \(error)")
      }
    }
    log.warning("running on the bundled map")
    var configuration = Bundled.configuration
    // Whoever looks after the kiosk finds it where it always was.
    if let socket = written("socket", in: "control", of: result.texts).last {
      configuration.control.socket = socket
    }
    return (adjusted(configuration), "\(reason) – showing the bundled map")
  }

  /// `configuration` with what the command line says instead.
  private func adjusted(_ configuration: Configuration) -> Configuration {
    var new = configuration
    if let display = options.display { new.display.backend = display }
    if options.demo, options.socket == nil, options.configFiles.isEmpty {
      new.control.socket = Bundled.demoFolder + "/control.sock"
    }
    if let socket = options.socket { new.control.socket = socket }
    // A demo leaves the keyboard to whoever tries it.
    if options.demo { new.input.grab = false }
    return new
  }

  /// Reads the configuration again; gives its warnings.
  private func reload(_ kiosk: Kiosk) throws(ControlError) -> [String] {
    if options.demo && options.configFiles.isEmpty { return [] }
    let result = loader.load(files: files)
    for finding in result.findings { tell(finding) }
    guard let configuration = result.configuration else {
      let lines = result.findings.map(\.description)
      kiosk.reportHealth(
        "configuration", .error,
        "\(lines.first ?? "cannot be read") – running on the one before")
      throw ControlError(
        code: ControlError.fileRefused,
        message: (lines.first ?? "the configuration cannot be read")
          + (lines.count > 1 ? " (and \(lines.count - 1) more)" : ""),
        data: ["findings": .array(lines.map { .string($0) })])
    }
    texts = result.texts
    keep(result.texts, configuration)
    let before = kiosk.configuration
    fonts = configuration.hud.fonts
    kiosk.apply(adjusted(configuration))
    kiosk.reportHealth("configuration", .error, nil)
    log.info("the configuration was taken over")
    var warnings = result.findings.map(\.description)
    if adjusted(configuration).control != before.control {
      warnings.append("control: what changed there takes effect at the next start")
      log.warning(warnings[warnings.count - 1])
    }
    return warnings
  }

  private func tell(_ finding: Finding) {
    finding.severity == .error ? log.error("\(finding)") : log.warning("\(finding)")
  }

  private func keep(_ texts: [ConfigurationText], _ configuration: Configuration) {
    guard let state = configuration.state.path, !texts.isEmpty else { return }
    do throws(FileError) {
      try ConfigurationStore(besideState: state).save(texts)
    } catch {
      log.info("no copy of the configuration is kept: \(error)")
    }
  }

  /// Where a copy of the last good configuration may lie: beside the state that the present texts,
  /// broken as they are, name, and beside the default one.
  private func copies(of texts: [ConfigurationText]) -> [String] {
    var states = [Configuration().state.path].compactMap { $0 }
    states += written("path", in: "state", of: texts)
    return states.reversed().map { ConfigurationStore(besideState: $0).path }
  }

  /// The paths that `texts`, which may be broken elsewhere, give for a key, in their order.
  private func written(_ key: String, in table: String, of texts: [ConfigurationText]) -> [String] {
    var found: [String] = []
    for text in texts {
      var inTable = false
      for line in text.bytes.split(separator: 10) {
        let plain = String(decoding: line, as: UTF8.self).drop(while: \.isWhitespace)
        if plain.hasPrefix("[") {
          inTable = plain.filter { !$0.isWhitespace }.hasPrefix("[\(table)]")
        }
        if inTable, plain.hasPrefix(key) {
          var value = plain.dropFirst(key.count).drop(while: \.isWhitespace)
          if value.popFirst() != "=" { continue }
          value = value.drop(while: \.isWhitespace)
          guard let quote = value.popFirst(), quote == "\"" || quote == "'" else { continue }
          value = value.prefix { $0 != quote }
          if value.isEmpty { continue }
          found.append(value.hasPrefix("/") ? String(value) : "\(text.directory)/\(value)")
        }
      }
    }
    return found
  }

  // MARK: Display and socket

  /// How long a display is awaited at the start, in seconds, unless the kiosk is to keep going.
  private static let displayPatience = 10

  private func listener(_ configuration: Configuration) throws(ListenError) -> ControlListener {
    if let inherited = try ControlListener.inherited() { return inherited }
    let c = configuration.control
    return try ControlListener(
      path: c.socket, mode: c.mode, group: c.group,
      createFolder: options.demo && options.socket == nil)
  }

  private func greet(_ configuration: Configuration, _ kiosk: Kiosk) {
    let display = kiosk.screen.display
    let size = display.viewSize
    let place =
      kiosk.screen.isConnected ? "on \(display.device ?? display.kind)" : "without a screen"
    Daemon.say(
      """
      Waypost shows its bundled world map, \(size.width)x\(size.height), \(place).
      In another shell, from this folder, try:
        .build/release/waypost screenshot map.png     what a screen would show now
        .build/release/waypost zoom in                also: pan left, goto -33.92 18.42 5, rotate 30
        .build/release/waypost source next            the second map, in the same view
        .build/release/waypost --help
      Ctrl-C ends it.
      """)
  }
}
