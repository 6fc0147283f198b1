import Configuration
import Control
import Kiosk
import Platform

/// Which configuration the daemon runs on: the files', the last good one, or the bundled one.
extension Daemon {
  /// The configuration to start with, and what is wrong with the requested one; nil if the
  /// daemon must not start.
  func start() -> (Configuration, trouble: String?)? {
    if options.demo {
      return (adjusted(Bundled.configuration), nil)
    }
    let result = loader.load(files: files)
    // The health tells of the first error.
    let first = options.keepGoing ? Self.firstError(result) : nil
    for finding in result.findings where finding != first { tell(finding) }
    if let configuration = result.configuration {
      tell(ConfigRules(configuration: configuration).warnings(in: result.places))
      uncopied = (result.texts, configuration)
      return (adjusted(configuration), nil)
    }
    guard options.keepGoing else { return nil }
    let reason = first.map(\.description) ?? "the configuration cannot be read"
    for path in copies(of: result.texts) {
      do throws(FileError) {
        let old = loader.load(texts: try Self.copy(at: path))
        if let configuration = old.configuration {
          return (
            adjusted(configuration), "\(reason) – showing the last good configuration"
          )
        }
      } catch {
        log.debug("last good configuration: \(error)")
      }
    }
    var configuration = Bundled.configuration
    // The socket keeps its configured path, where maintainers look for it.
    if let socket = written("socket", in: "control", of: result.texts).last {
      configuration.control.socket = socket
    }
    return (adjusted(configuration), "\(reason) – showing the bundled map")
  }

  /// `configuration` with the command line's overrides.
  private func adjusted(_ configuration: Configuration) -> Configuration {
    var new = configuration
    if let display = options.display { new.display.backend = display }
    if options.demo, options.socket == nil {
      new.control.socket = Bundled.demoFolder + "/control.sock"
    }
    if let socket = options.socket { new.control.socket = socket }
    // A demo does not grab the keyboard.
    if options.demo { new.input.grab = false }
    return new
  }

  /// Reads the configuration again, beside `loop`, whenever that is asked for.
  func reloads(of kiosk: Kiosk) -> ConfigurationReloads {
    let (files, loader) = (options.configFiles, loader)
    return ConfigurationReloads(
      loop: kiosk.loop, read: { ConfigurationReloads.read(files, loader) },
      take: { [unowned self, unowned kiosk] reading throws(ControlError) in
        try take(reading, kiosk)
      })
  }

  /// Takes over a configuration that was read again; gives its warnings.
  private func take(
    _ reading: ConfigurationReloads.Reading, _ kiosk: Kiosk
  ) throws(ControlError) -> [String] {
    let result = reading.result
    let first = Self.firstError(result)
    // The health tells of the first error.
    for finding in result.findings where finding != first { tell(finding) }
    guard let configuration = result.configuration else {
      let lines = result.findings.map(\.description)
      kiosk.reportHealth(
        "configuration", .error,
        "\(first?.description ?? "cannot be read") – running on the one before")
      throw ControlError(
        code: ControlError.fileRefused,
        message: (lines.first ?? "the configuration cannot be read")
          + (lines.count > 1 ? " (and \(lines.count - 1) more)" : ""),
        data: ["findings": .array(lines.map { .string($0) })])
    }
    tell(reading.warnings)
    copyError = reading.copyError
    reportCopy(to: kiosk)
    let before = kiosk.configuration
    kiosk.apply(adjusted(configuration))
    kiosk.reportHealth("configuration", .error, nil)
    log.info("the configuration was reloaded")
    var warnings = result.findings.map(\.description)
    warnings += reading.warnings.map(\.finding.description)
    var control = before.control
    control.roots = kiosk.configuration.control.roots
    if kiosk.configuration.control != control {
      warnings.append(
        "control: what changed there takes effect at the next start, but for control.roots")
      log.warning(warnings[warnings.count - 1])
    }
    return warnings
  }

  /// The first error of a configuration that cannot be used; nil: there is none.
  private static func firstError(_ result: LoadResult) -> Finding? {
    result.configuration == nil ? result.findings.first { $0.severity == .error } : nil
  }

  private func tell(_ finding: Finding) {
    finding.severity == .error ? log.error("\(finding)") : log.warning("\(finding)")
  }

  private func tell(_ warnings: [(finding: Finding, isToldLater: Bool)]) {
    for warning in warnings where !warning.isToldLater { tell(warning.finding) }
  }

  /// How long the start waits for the medium of the copies, in seconds.
  private static let patience = 3.0

  /// Keeps a copy of the configuration that the start read. The start waits for it for a while; the
  /// health tells what became of it, also later.
  func keepCopy(with reloads: ConfigurationReloads, _ kiosk: Kiosk) {
    guard let (texts, configuration) = uncopied else { return }
    uncopied = nil
    reloads.keep(texts, configuration, within: Daemon.patience) { [unowned self, unowned kiosk] in
      copyError = $0
      reportCopy(to: kiosk)
    }
  }

  private static func copy(at path: String) throws(FileError) -> [ConfigurationText] {
    typealias Copy = Result<[ConfigurationText], FileError>
    let result = runAside(atMost: UInt64(patience * 1e9)) { () -> Copy in
      do throws(FileError) {
        return .success(try ConfigurationStore(path: path).load())
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw ConfigurationReloads.hanging(path) }
    return try result.get()
  }

  /// Reports whether a copy of the configuration is kept for the day when it is broken.
  func reportCopy(to kiosk: Kiosk) {
    kiosk.reportHealth(
      "last-good", .warning,
      copyError.map {
        "no copy of the configuration is kept: \($0); an older one would stand in for one with an "
          + "error"
      })
  }

  /// Where a copy of the last good configuration may be: beside the state file that the present
  /// texts name, even if they are broken, and beside the default one.
  private func copies(of texts: [ConfigurationText]) -> [String] {
    var states = [Configuration().state.path].compactMap { $0 }
    states += written("path", in: "state", of: texts)
    return states.reversed().map { ConfigurationStore(besideState: $0).path }
  }

  /// The paths that `texts` give for a key, in their order. The texts may be broken elsewhere.
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
}
