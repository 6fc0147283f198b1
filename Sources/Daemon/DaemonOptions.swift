import Configuration
import Platform

/// The command line of `waypostd`.
///
/// Read by hand: swift-argument-parser would bring FoundationEssentials into the daemon (3 MB more
/// of memory of its own), and glibc's getopt_long keeps its place in global variables. The habits
/// of getopt_long are kept: `--key VALUE` and `--key=VALUE`, unambiguous beginnings of names, `--`.
public struct DaemonOptions: Sendable, Equatable {
  /// Configuration files in the order given; empty: the default files.
  public var configFiles: [String] = []
  /// `--check-config`: check the configuration and end.
  public var checkConfig = false
  /// `--demo`: show the bundled maps and read no configuration.
  public var demo = false
  /// `--keep-going`: go on with a bad configuration or without a display.
  public var keepGoing = false
  /// `--display`: the backend; nil: the configuration's.
  public var display: Configuration.Display.Backend?
  /// `--socket`: the control socket's path; nil: the configuration's.
  public var socket: String?
  /// The least important lines to log.
  public var logLevel = LogLevel.info

  /// The options of an empty command line.
  public init() {}

  /// `--give-back-console`: nothing but that.
  public var givesBackConsole = false

  /// What the command line asks for.
  public enum Result: Sendable, Equatable {
    case run(DaemonOptions)
    /// `--help`: print `DaemonOptions.help` on stdout, exit 0.
    case help
    /// `--version`: print it on stdout, exit 0.
    case version
    /// Print the line on stderr, exit 64 (EX_USAGE). It says what would be right.
    case usage(String)
  }

  private static let names = [
    "config", "check-config", "demo", "keep-going", "display", "socket", "log-level",
    "give-back-console", "version", "help",
  ]
  private static let takingValue: Set<String> = ["config", "display", "socket", "log-level"]

  /// Reads `arguments`, without the program's name.
  public static func parse(_ arguments: [String]) -> Result {
    var options = DaemonOptions()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "-h" { return .help }
      if argument == "--", rest.isEmpty { break }
      guard argument.hasPrefix("--"), argument != "--" else {
        let culprit = argument == "--" ? rest.first ?? "" : argument
        return .usage(
          "waypostd: \(culprit.quoted): options only, such as --config FILE; see --help")
      }
      let parts = argument.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let word = String(parts[0])
      let candidates = names.filter { $0 == word || $0.hasPrefix(word) }
      guard let name = candidates.first(where: { $0 == word }) ?? candidates.first,
        !word.isEmpty, candidates.count == 1 || candidates.contains(word)
      else {
        let hint =
          candidates.count > 1
          ? "one of " + candidates.map { "--\($0)" }.joined(separator: ", ")
          : NearestName.closest(to: word, in: names).map { "the nearest option is --\($0)" } ?? ""
        return .usage("waypostd: unknown option \("--\(word)".quoted): \(hint); see --help")
      }
      var value = parts.count == 2 ? String(parts[1]) : nil
      if takingValue.contains(name) {
        if value == nil { value = rest.popFirst() }
      } else if value != nil {
        return .usage("waypostd: --\(name) takes no value")
      }
      if let result = options.set(name, value) { return result }
    }
    if options.demo, !options.configFiles.isEmpty {
      return .usage(
        "waypostd: --demo shows the bundled maps and takes no --config; leave one of them out")
    }
    return .run(options)
  }

  /// Sets one option; a result where the command line ends here.
  private mutating func set(_ name: String, _ value: String?) -> Result? {
    switch name {
    case "help": return .help
    case "version": return .version
    case "check-config": checkConfig = true
    case "demo": demo = true
    case "keep-going": keepGoing = true
    case "give-back-console": givesBackConsole = true
    case "config":
      guard let value, !value.isEmpty else { return .usage("waypostd: --config needs a FILE") }
      configFiles.append(value)
    case "socket":
      guard let value, !value.isEmpty else { return .usage("waypostd: --socket needs a PATH") }
      guard value.utf8.count < 108 else {
        return .usage("waypostd: --socket: the path has \(value.utf8.count) bytes, at most 107 fit")
      }
      socket = value
    case "display":
      guard let backend = value.flatMap(Configuration.Display.Backend.init(rawValue:)) else {
        return oneOf(name, value, Configuration.Display.Backend.allCases.map(\.rawValue))
      }
      display = backend
    default:
      guard let level = value.flatMap(LogLevel.init(name:)) else {
        return oneOf(name, value, LogLevel.allCases.map(\.name))
      }
      logLevel = level
    }
    return nil
  }

  private func oneOf(_ name: String, _ value: String?, _ words: [String]) -> Result {
    let all = words.joined(separator: ", ")
    guard let value else { return .usage("waypostd: --\(name) needs one of \(all)") }
    return .usage("waypostd: --\(name) \(value.quoted): one of \(all)")
  }

  /// The text of `--help`.
  public static let help = """
    waypostd: shows maps on a display, steered over a control socket.

    usage: waypostd [--config FILE]... [--check-config] [--demo] [--keep-going]
                    [--display auto|drm|fbdev|headless] [--socket PATH]
                    [--log-level debug|info|notice|warning|error] [--give-back-console]
                    [--version] [--help]

      --config FILE      read FILE; given several times, later files win key by key.
                         Without: /etc/waypost/waypost.toml, then /etc/waypost/conf.d/*.toml
      --check-config     read everything, open every source, print one line per finding,
                         and exit 0 (good) or 78
      --demo             the bundled maps, and a socket under $XDG_RUNTIME_DIR
      --keep-going       a bad configuration or a missing display does not end the program
      --display BACKEND  instead of display.backend
      --socket PATH      instead of control.socket
      --log-level LEVEL  the least important lines to log (info)
      --give-back-console
                         put the terminal that a stopped daemon left for its successor
                         back to text; for the service manager
      --version          print the version
      --help             print this

    examples:
      waypostd --demo
      waypostd --config waypost.toml --check-config
      waypostd --config waypost.toml --display headless --socket /tmp/waypost.sock

    SIGHUP reads the configuration again; SIGTERM and SIGINT save the state and end.
    More: waypostd(8), waypost.toml(5), waypost(1).

    """
}
