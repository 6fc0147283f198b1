import Platform

/// A pack on the list of `TrialList`.
struct PackTrial {
  enum Standing: String {
    /// It is being opened, or was opened a moment ago.
    case trying
    /// To be opened last and alone.
    case waiting
    /// Not to be opened.
    case refused
  }

  var standing: Standing
  /// How often the program crashed over it.
  var deaths = 0
  /// The state of its file when it was recorded.
  var stamp = ""
  /// When it was open, on the monotonic clock; nil: it is being opened.
  var opened: UInt64?
}

/// The text of `TrialList`'s file: a line with the title, the boot and the count of processes that
/// the kernel killed for lack of memory, then a line for each pack. `CrashMark` appends its line
/// when the program crashes.
///
/// A pack is blamed only if the program crashed, or if the kernel killed a process for lack of
/// memory meanwhile. SIGKILL from outside and a power cut blame nobody.
enum TrialFile {
  /// The most packs recorded; others are not.
  static let maxCount = 64

  private static let title = "waypost openings 2"
  /// Crashes beyond this number are not counted.
  private static let mostDeaths = 1000

  /// The circumstances of a start.
  struct Circumstances {
    /// Identifies the boot; empty: it is not known, and nobody is blamed.
    var boot: String
    /// How many processes the kernel killed for lack of memory since the boot; nil: unknown.
    var memoryKills: Int?

    /// Those of this process. Reads two files of /proc.
    static var present: Circumstances {
      let boot = text("/proc/sys/kernel/random/boot_id", limit: 256)
      // proc(5): a line "oom_kill N", since Linux 4.13.
      let kills = text("/proc/vmstat", limit: 1 << 16).split(separator: "\n")
        .first { $0.hasPrefix("oom_kill ") }
      return Circumstances(
        boot: String(boot.prefix { !$0.isWhitespace }),
        memoryKills: kills.flatMap { Int($0.dropFirst("oom_kill ".count)) })
    }

    private static func text(_ path: String, limit: Int) -> String {
      String(decoding: (try? FileIO.read(path, limit: limit)) ?? [], as: UTF8.self)
    }
  }

  static func text(_ trials: [String: PackTrial], _ present: Circumstances) -> String {
    let boot = present.boot.isEmpty ? "-" : present.boot
    var text = "\(title) \(boot) \(present.memoryKills ?? -1)\n"
    for (path, trial) in trials where !path.utf8.contains(lineEnd) {
      text += "\(trial.standing) \(trial.deaths) \(trial.stamp) \(path)\n"
    }
    return text
  }

  /// The packs as this start has to treat them, from the file that the process before it left.
  static func trials(of bytes: [UInt8], _ present: Circumstances) -> [String: PackTrial] {
    let lines = bytes.split(separator: lineEnd)
    guard let head = lines.first.map({ parts(of: $0, upTo: 6) }), head.count == 5,
      head[..<3].joined(separator: " ") == title
    else { return [:] }
    let isSameBoot = !present.boot.isEmpty && head[3] == present.boot
    let killsBefore = Int(head[4]) ?? -1
    let isMemoryKill = killsBefore >= 0 && (present.memoryKills ?? 0) > killsBefore
    let hasCrashed = lines.contains { $0.elementsEqual(CrashMark.line.utf8) }
    let isBlamed = isSameBoot && (isMemoryKill || hasCrashed)
    var found: [String: PackTrial] = [:]
    var tried: [String] = []
    for line in lines.dropFirst().prefix(maxCount) {
      let words = parts(of: line, upTo: 4)
      guard words.count == 4, let standing = PackTrial.Standing(rawValue: words[0]),
        let deaths = Int(words[1]), (0...mostDeaths).contains(deaths)
      else { continue }
      let path = words[3]
      var trial = PackTrial(standing: standing, deaths: deaths, stamp: words[2])
      switch standing {
      case .trying:
        // One that did crash the program in this boot stays a suspect until it proves good.
        guard isBlamed || isSameBoot && deaths > 0 else { continue }
        tried.append(path)
      case .waiting: break
      case .refused:
        // Tried once more in each boot.
        if !isSameBoot { (trial.standing, trial.deaths) = (.waiting, 1) }
      }
      found[path] = trial
    }
    for path in tried {
      let deaths = min((found[path]?.deaths ?? 0) + (isBlamed ? 1 : 0), mostDeaths)
      found[path]?.deaths = deaths
      // A suspect that was opened alone is to blame, for this boot.
      let isAlone = isBlamed && tried.count == 1
      found[path]?.standing = deaths > 1 && isAlone ? .refused : .waiting
    }
    return found
  }

  private static let lineEnd = UInt8(ascii: "\n")

  /// The first words of a line; the last of `count` has the rest of it. Lines and words are split
  /// as bytes: a carriage return at the end of a path would be one character with the line's end.
  private static func parts(of line: ArraySlice<UInt8>, upTo count: Int) -> [String] {
    line.split(separator: UInt8(ascii: " "), maxSplits: count - 1)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
