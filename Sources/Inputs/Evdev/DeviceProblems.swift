/// What is wrong with the input devices, in one line for `status.health`.
struct DeviceProblems {
  enum Problem: Equatable {
    /// This process may not open it.
    case forbidden
    case other(String)
  }

  /// Devices and keys named in a line at most.
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
    let forbidden = devices.filter { $0.value == .forbidden }.keys.sorted()
    if !forbidden.isEmpty {
      let files = Self.list(forbidden.map { "/dev/input/event\($0)" })
      parts.append("\(files): permission denied: add waypostd's user to the group input")
    }
    let others = devices.sorted { $0.key < $1.key }.compactMap { number, problem in
      if case .other(let text) = problem { return "/dev/input/event\(number): \(text)" }
      return String?.none
    }
    if !others.isEmpty { parts.append(Self.list(others)) }
    if !stuckKeys.isEmpty {
      parts.append("\(Self.list(stuckKeys)): down for 60 s, taken for stuck until it comes up")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private static func list(_ words: [String]) -> String {
    let rest = words.count - named
    return words.prefix(named).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
