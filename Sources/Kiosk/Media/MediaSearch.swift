import Glibc
import Platform
import TileSources

/// A look for packs in one place: a watched folder, or a medium that is mounted below it. It takes
/// as long as the medium needs, so it is never made on the loop.
struct MediaSearch: Sendable {
  /// How many folders below the place a pack may lie in.
  static let depth = 3
  /// The most packs of all places together.
  static let mostPacks = 64
  /// The most folders that are looked into, and watched, in one place.
  static let mostFolders = 256
  /// The most names that are looked at in one place.
  static let mostNames = 20_000

  /// The result for a file that has the name of a pack.
  enum Verdict: Equatable, Sendable {
    case whole
    /// It is no pack, or not whole. The text says why, without the file's name.
    case refused(String)
    /// It is still being written.
    case unfinished
  }

  /// A file that is called like a pack, as it was when it was looked at.
  struct Finding: Sendable {
    var stamp: FileStamp
    /// The stamp of the journal beside it.
    var journal: FileStamp
    var verdict: Verdict
  }

  /// What was found.
  struct Outcome: Sendable {
    /// The place with links resolved; nil: it is not there.
    var real: String?
    /// By path.
    var findings: [String: Finding] = [:]
    /// The watched folders, by the kernel's number of the watch.
    var folders: [Int32: String] = [:]
    /// There is more in it than is looked at.
    var isLimited = false

    /// Looks at a file that is called like a pack, unless there are too many.
    fileprivate mutating func add(_ path: String, _ finding: () -> Finding) {
      guard findings.count < MediaSearch.mostPacks else {
        isLimited = true
        return
      }
      findings[path] = finding()
    }
  }

  /// Where to look.
  let place: String
  /// The watched folder that it lies in.
  let root: String
  /// Called on the searching thread before a place is touched; tests have it hang.
  var touch: @Sendable (String) -> Void = { _ in }

  /// Whether a file of this name may be a pack. Names that begin with a dot or a dollar sign belong
  /// to systems: temporary files, attributes, waste.
  static func isPack(_ name: String) -> Bool {
    let lower = name.lowercased()
    return (lower.hasSuffix(".mbtiles") || lower.hasSuffix(".pmtiles")) && !isHidden(name)
  }

  static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") || name.hasPrefix("$") }

  /// Looks for packs.
  ///
  /// - Parameters:
  ///   - known: What was found last.
  ///   - written: Files that a program writes to at present.
  ///   - created: Files that appeared, and were not closed yet by who made them.
  ///   - notices: Watches the folders that are looked into.
  /// - Returns: What is there now.
  func run(
    known: [String: Finding], written: Set<String>, created: Set<String>, notices: MediaNotices
  ) -> Outcome {
    touch(place)
    var outcome = Outcome()
    outcome.real = FileIO.resolved(place)
    if outcome.real == nil {
      watchAbove(notices, &outcome)
      // It may have been made before that.
      outcome.real = FileIO.resolved(place)
    }
    // Other media are searched on their own.
    let others = Set(Mounts().mounts(below: outcome.real ?? place).map(\.point))
    var folders: [(path: String, depth: Int)] = [(outcome.real ?? place, 0)]
    var names = 0
    while let (folder, depth) = folders.popLast() {
      guard outcome.folders.count < MediaSearch.mostFolders else {
        outcome.isLimited = true
        break
      }
      // Watched first, so that what changes during the look is heard of.
      let number = notices.watch(folder)
      if number >= 0 { outcome.folders[number] = folder }
      guard let listing = try? Directory.Listing(of: folder) else { continue }
      while let name = (try? listing.next()) ?? nil {
        names += 1
        if names > MediaSearch.mostNames {
          outcome.isLimited = true
          break
        }
        if MediaSearch.isHidden(name) { continue }
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        if others.contains(path) { continue }
        switch kind(of: path) {
        case S_IFDIR?:
          if depth < MediaSearch.depth { folders.append((path, depth + 1)) }
        case S_IFREG? where MediaSearch.isPack(name):
          outcome.add(path) {
            finding(
              path, known[path], isWritten: written.contains(path),
              isCreated: created.contains(path))
          }
        // Listed, and yet not there under that name.
        case nil where MediaSearch.isPack(name) && name.contains("\u{FFFD}"):
          outcome.add(path) {
            Finding(
              stamp: FileStamp([]), journal: FileStamp([]),
              verdict: .refused("its name is not UTF-8; rename it"))
          }
        default: break
        }
      }
    }
    notices.keep(Set(outcome.folders.keys))
    return outcome
  }

  /// The type of the file itself, a link not followed; nil: it is not there.
  private func kind(of path: String) -> mode_t? {
    var info = stat()
    return lstat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
  }

  private func finding(
    _ path: String, _ known: Finding?, isWritten: Bool, isCreated: Bool
  ) -> Finding {
    let (stamp, journal) = (FileStamp([path]), FileStamp([path + "-journal"]))
    if let known {
      switch known.verdict {
      // The source itself notices writes to a pack that it has opened.
      case .whole where !stamp.isReplaced(since: known.stamp): return known
      case .refused where stamp == known.stamp && journal == known.journal && !isWritten:
        return known
      default: break
      }
    }
    var finding = Finding(stamp: stamp, journal: journal, verdict: .whole)
    if isWritten {
      finding.verdict = .unfinished
      return finding
    }
    do throws(PackFault) {
      try PackWholeness.check(path: path, trust: .beneath([root]))
    } catch {
      // Transient errors, such as a lack of descriptors, are left to the source, which tries again.
      if !error.isTransient {
        finding.verdict = isCreated ? .unfinished : .refused(error.reason)
      }
    }
    return finding
  }

  /// Watches the nearest folder above the place that is there.
  private func watchAbove(_ notices: MediaNotices, _ outcome: inout Outcome) {
    var path = place
    while path != "/" {
      path = Paths.directory(of: path)
      let number = notices.watch(path)
      if number >= 0 {
        outcome.folders[number] = path
        return
      }
    }
  }
}
