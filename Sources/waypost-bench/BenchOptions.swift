import CBench
import Glibc

/// The options of the command line.
struct BenchOptions {
  /// The groups of figures, in the order in which they are measured.
  static let groups = [
    "frames", "overlays", "decode", "lookup", "switch", "input", "daemon", "smooth", "growth",
    "packs", "vector",
  ]

  static let help = """
    usage: waypost-bench [--json | --markdown] [--quick] [--rounds N] [--data DIR] [--waypostd FILE] [GROUP...]

    Measures, each figure in turn with its reference, and says which goals are met.
    GROUP: \(groups.joined(separator: ", ")); all of them without one.
      --markdown        a table of Markdown at the end
      --json            one object instead of a table
      --quick           fewer rounds, and 10 s at rest instead of 60
      --rounds N        how often each is measured (41)
      --data DIR        the data set of real tiles (WAYPOST_TEST_DATA, else ../shared/data)
      --waypostd FILE   the daemon to start (the one beside this program)
    """

  var asJSON = false
  var asMarkdown = false
  var isQuick = false
  var rounds = 41
  var data: String?
  var waypostd = ""
  var chosen: [String] = []
  /// What this program does as a child of itself; the arguments follow.
  var childMode: String?
  var childArguments: [String] = []

  static func parse(_ arguments: [String]) -> BenchOptions {
    var options = BenchOptions()
    options.waypostd = beside("waypostd")
    var left = arguments[...]
    func value(_ name: String) -> String {
      guard let value = left.popFirst() else { stop("\(name) needs a value") }
      return value
    }
    while let word = left.popFirst() {
      switch word {
      case "--json": options.asJSON = true
      case "--markdown": options.asMarkdown = true
      case "--quick":
        options.isQuick = true
        options.rounds = 11
      case "--rounds":
        guard let rounds = Int(value(word)), (3...10000).contains(rounds) else {
          stop("--rounds: a number from 3 to 10000")
        }
        options.rounds = rounds
      case "--data": options.data = value(word)
      case "--waypostd": options.waypostd = value(word)
      case "--help":
        print(help)
        exit(0)
      case "--child":
        options.childMode = value(word)
        options.childArguments = Array(left)
        return options
      default:
        guard groups.contains(word) else {
          Report.note("\"\(word)\" is nothing to measure")
          print(help)
          exit(64)
        }
        options.chosen.append(word)
      }
    }
    return options
  }

  func wants(_ group: String) -> Bool { chosen.isEmpty || chosen.contains(group) }

  /// The path of a program in this program's folder.
  static func beside(_ name: String) -> String {
    folder + "/" + name
  }

  /// The path of this program.
  static let own: String = {
    var path = [UInt8](repeating: 0, count: 4096)
    let count = path.withUnsafeMutableBytes { buffer in
      buffer.bindMemory(to: CChar.self).baseAddress.map {
        readlink("/proc/self/exe", $0, buffer.count)
      } ?? 0
    }
    return count > 0
      ? String(decoding: path[..<count], as: UTF8.self) : CommandLine.arguments[0]
  }()

  private static let folder = own.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast().joined(separator: "/")

  /// The processor's name and the number of cores.
  static var machine: String {
    let lines = Files.text("/proc/cpuinfo").split(separator: "\n")
    let model = lines.first { $0.hasPrefix("model name") || $0.hasPrefix("Model") }
    let name = model?.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? "unknown"
    return "\(bench_processors()) x \(name)"
  }
}
