/// What is wrong with the input devices, in one line for `status.health`.
struct DeviceProblems {
  enum Problem: Equatable {
    /// This process may not open it.
    case forbidden
    case other(String)

    var text: String {
      switch self {
      case .forbidden: "permission denied: add waypostd's user to the group input"
      case .other(let text): text
      }
    }
  }

  /// Devices, keys and different troubles named at most.
  private static let named = 4

  /// By the number in the device's name.
  var devices: [Int: Problem] = [:]
  /// Names of keys that do not come up.
  var stuckKeys: [String] = []
  /// About all of them.
  var general: [String] = []

  /// Nil: all is well.
  var text: String? {
    var parts = general
    // Many devices mostly have one trouble.
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
