/// The problems of all input devices, as one line for `status.health`.
struct DeviceProblems {
  enum Problem: Equatable {
    /// Permission denied.
    case forbidden
    case other(String)

    var text: String {
      switch self {
      case .forbidden: "permission denied: add waypostd's user to the group input"
      case .other(let text): text
      }
    }
  }

  /// The most devices, keys and different problems to name.
  private static let named = 4

  /// Problems by the number in the device's name.
  var devices: [Int: Problem] = [:]
  /// The names of keys that are down for too long.
  var stuckKeys: [String] = []
  /// Problems that concern all devices.
  var general: [String] = []

  /// All problems in one line; nil: there are none.
  var text: String? {
    var parts = general
    // Many devices usually share one problem.
    var told: [Problem] = []
    for (_, problem) in devices.sorted(by: { $0.key < $1.key }) where !told.contains(problem) {
      guard told.count < Self.named else { break }
      told.append(problem)
      let files = devices.filter { $0.value == problem }.keys.sorted().map(Self.file)
      parts.append("\(Self.list(files)): \(problem.text)")
    }
    if !stuckKeys.isEmpty {
      parts.append("\(Self.list(stuckKeys)): down for 60 s, taken for stuck until it comes up")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private static func file(_ number: Int) -> String { "/dev/input/event\(number)" }

  private static func list(_ words: [String]) -> String {
    let rest = words.count - named
    return words.prefix(named).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
