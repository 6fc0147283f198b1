import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// The text of a configuration file, with what is needed to read it again later.
public struct ConfigurationText: Sendable, Equatable {
  /// The file's name as findings print it.
  public var file: String
  /// The folder that relative paths in the text start from.
  public var directory: String
  /// The file's bytes, UTF-8 if the file is valid.
  public var bytes: [UInt8]

  /// Creates a text that was read from `file`, with relative paths starting from `directory`.
  public init(file: String, directory: String, bytes: [UInt8]) {
    self.file = file
    self.directory = directory
    self.bytes = bytes
  }
}

/// What came of loading: a configuration or the errors that prevent it.
public struct LoadResult: Sendable {
  /// The checked configuration; nil if a finding is an error.
  public var configuration: Configuration?
  /// What could be read although findings are errors, for checks only: a configuration with an
  /// error is used neither at the start nor after a reload. Nil if there are no errors, or if no
  /// file could be read.
  public var partial: Configuration?
  /// Errors and warnings, in the order of the files, then of the lines.
  public var findings: [Finding]
  /// The texts that were read, to be saved as the last good configuration.
  public var texts: [ConfigurationText]
  /// All files merged; nil if none could be read.
  var tree: ConfigValue?

  /// Where the parts of the configuration are in its files.
  public var places: ConfigurationPlaces {
    ConfigurationPlaces(
      tree ?? ConfigValue(.table([]), origin: .init(file: "configuration", directory: nil)))
  }
}

/// Reads, merges and checks configuration files.
public struct ConfigurationLoader: Sendable {
  /// Creates a loader.
  public init() {}

  /// The files that are read when none is named: `waypost.toml`, then `conf.d/*.toml` sorted by
  /// name, byte by byte. What does not exist is left out. What cannot be looked at is named, so
  /// that reading it fails: it may say what is to be shown.
  public static func defaultFiles(in folder: String = "/etc/waypost") -> [String] {
    var files: [String] = []
    let (main, more) = (folder + "/waypost.toml", folder + "/conf.d")
    if !isMissing(main) { files.append(main) }
    if isMissing(more) { return files }
    do throws(SystemError) {
      let names = try Directory.names(in: more) { !$0.hasPrefix(".") && $0.hasSuffix(".toml") }
      return files
        + names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(more)/\($0)" }
    } catch {
      return error.code == ENOTDIR ? files : files + [more]
    }
  }

  /// Whether nothing is at `path`, not even a link whose target is not there.
  private static func isMissing(_ path: String) -> Bool {
    faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0
      && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Reads and merges `files` in that order. Every file is read and every finding collected, even
  /// when the first has errors.
  public func load(files: [String]) -> LoadResult {
    var texts: [ConfigurationText] = []
    var unreadable: [Finding] = []
    for file in files {
      do {
        texts.append(
          ConfigurationText(
            file: file, directory: FileIO.absolute(Paths.directory(of: file)),
            bytes: try FileIO.read(file, limit: ConfigValue.maxFileBytes)))
      } catch {
        unreadable.append(
          Finding(file: file, line: 1, severity: .error, text: error.reason))
      }
    }
    return load(texts: texts, before: unreadable, order: files)
  }

  /// Merges and checks texts that were read before.
  public func load(texts: [ConfigurationText]) -> LoadResult {
    load(texts: texts, before: [], order: texts.map(\.file))
  }

  private func load(
    texts: [ConfigurationText], before: [Finding], order: [String]
  ) -> LoadResult {
    let findings = Findings()
    before.forEach(findings.add)
    var trees: [ConfigValue] = []
    for text in texts {
      do throws(Finding) {
        trees.append(
          try ConfigValue.parse(toml: text.bytes, file: text.file, directory: text.directory))
      } catch {
        findings.add(error)
      }
    }
    // Each file on its own first, so that what a later file replaces is checked too.
    for tree in trees {
      ConfigurationMerge.reportDuplicates(tree, findings)
      if trees.count > 1 {
        // One table may be split over several files; checks across keys wait for the merged tree.
        var alone = ConfigurationReader(findings: findings)
        alone.readsPart = true
        alone.read(tree)
      }
    }
    var configuration = Configuration()
    var tree: ConfigValue?
    if var merged = trees.first {
      for tree in trees.dropFirst() { merged = ConfigurationMerge.merge(merged, tree) }
      var reader = ConfigurationReader(findings: findings)
      reader.read(merged)
      configuration = reader.result
      var fallbacks = FallbackCheck(configuration.sources)
      fallbacks.report({ ConfigurationPlaces(merged).fallbacks() }, findings)
      tree = merged
    }
    let rank = Dictionary(zip(order, 0...), uniquingKeysWith: { first, _ in first })
    let sorted = findings.all.enumerated().sorted { a, b in
      let x = (rank[a.element.file] ?? 0, a.element.line, a.offset)
      let y = (rank[b.element.file] ?? 0, b.element.line, b.offset)
      return x < y
    }.map(\.element)
    let good = !sorted.contains { $0.severity == .error }
    return LoadResult(
      configuration: good ? configuration : nil,
      partial: good || tree == nil ? nil : configuration, findings: sorted, texts: texts,
      tree: tree)
  }
}
