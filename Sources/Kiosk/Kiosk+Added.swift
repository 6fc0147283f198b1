import Configuration
import Control
import EventLoop
import Glibc
import MapGeometry
import Platform
import TileSources

/// What the control socket changes.
extension Kiosk {
  /// Seconds since the kiosk was made.
  public var uptime: Double { Double(EventLoop.now() - started) / 1e9 }

  package func entry(_ name: String) -> SourceEntry? { sources.first { $0.spec.name == name } }

  package var activeEntry: SourceEntry? { activeSource.flatMap(entry) }

  package var baseNames: [String] { sources.filter { $0.spec.role == .base }.map(\.spec.name) }

  /// Pans by a quarter of the view's shorter side.
  package func pan(_ direction: PanDirection, animate: Bool) {
    let step = panStep
    switch direction {
    case .left: pan(dx: -step, dy: 0, animate: animate)
    case .right: pan(dx: step, dy: 0, animate: animate)
    case .up: pan(dx: 0, dy: -step, animate: animate)
    case .down: pan(dx: 0, dy: step, animate: animate)
    }
  }

  /// Changes the cache's limit until the next start.
  package func resizeCache(to bytes: Int) {
    pipeline.cache.resize(to: bytes)
    reportFloor()
    changed()
  }

  /// Forgets every decoded tile and every tile known to be missing.
  package func clearCache() {
    pipeline.cache.clear()
    pipeline.missing.forget()
    for i in sources.indices where sources[i].lastError != nil { reopenIfNeeded(i) }
    pipeline.scene.invalidate()
    changed()
  }

  /// Takes a source out, whether configured or added.
  package func removeSource(_ name: String) {
    addedTables[name] = nil
    remove(name)
    sourcesChanged()
    stateChanged()
  }

  /// Takes out a source that was added and cannot be opened; `former` comes back in its place.
  package func withdraw(_ name: String, for former: SourceEntry?) {
    addedTables[name] = nil
    if let former, let entry = insert(former.spec, added: former.added),
      let i = sources.firstIndex(where: { $0.index == entry.index })
    {
      sources[i].make = former.make
      register(sources[i])
    } else {
      remove(name)
    }
    sourcesChanged()
  }

  /// Adds a source as a `[[source]]` table would, in the place of one of that name, and has it opened.
  ///
  /// - Parameter trusted: the caller is root or the daemon's user: any path may be given. Others may
  ///   name paths below the configuration's `control.roots` only.
  /// - Returns: the source's name.
  package func addSource(_ table: JSON, trusted: Bool) throws(ControlError) -> String {
    let origin = ConfigValue.Origin(file: "source.add", directory: nil)
    let (spec, findings) = parseSource(ConfigValue(table, origin: origin), baseDirectory: nil)
    guard var spec, !findings.contains(where: { $0.severity == .error }) else {
      throw refusal(of: findings, in: table, place: ["path", "paths", "url", "provider"])
    }
    if !trusted {
      try checkRoots(spec)
      spec.trust = .beneath(configuration.control.roots)
    }
    if let fallback = spec.fallback, entry(fallback) == nil {
      throw .parameter("fallback", "fallback: no source \"\(fallback)\"; add that one first")
    }
    guard insert(spec, added: true) != nil, let new = entry(spec.name) else {
      throw ControlError(
        code: ControlError.notAvailable, message: "no room for another source; remove one first")
    }
    addedTables[spec.name] = table
    if activeSource == nil, spec.role == .base { activeSource = spec.name }
    pipeline.loader.open(new.index)
    sourcesChanged()
    stateChanged()
    return spec.name
  }

  /// What a call is told whose table has these findings.
  ///
  /// - Parameter place: the keys that say where the thing is, of which there must be one.
  func refusal(of findings: [Finding], in table: JSON, place: [String]) -> ControlError {
    let errors = findings.filter { $0.severity == .error }
    let texts = errors.map(\.text)
    return ControlError(
      code: ControlError.invalidParams, message: texts.joined(separator: "; "),
      data: [
        "parameter": .string(culprit(errors.first?.line ?? 1, table, place)),
        "findings": .array(texts.map { .string($0) }),
      ])
  }

  /// The parameter of `table` that a finding at `line` is about: parameters stand on lines of their
  /// own from the second on, as `ConfigValue` numbers them; the first is the table's.
  private func culprit(_ line: Int, _ table: JSON, _ place: [String]) -> String {
    let keys = table.object?.members.map(\.key) ?? []
    if line >= 2, line - 2 < keys.count { return NearestName.shorten(keys[line - 2]) }
    // What the table as a whole can lack or have twice is its place, else its name.
    let places = keys.filter { place.contains($0) }
    return places.count == 1 ? "name" : places.last ?? place[0]
  }

  private func checkRoots(_ spec: SourceSpec) throws(ControlError) {
    var paths: [String] = []
    switch spec.location {
    case .path(let path): paths = [path]
    case .paths(let all): paths = all
    case .url(let url):
      // A template: the folder before its first placeholder, which nothing put in may lead out of.
      let parts = [url] + spec.subdomains
      guard !parts.contains(where: leadsAway),
        !spec.subdomains.contains(where: { $0.contains("/") })
      else {
        throw ControlError(
          code: ControlError.notAllowed,
          message: "\(url): \"..\", \"%\" and subdomains with \"/\" are not allowed here",
          data: ["path": .string(url)])
      }
      let plain = url.hasPrefix("file://") ? String(url.dropFirst(7)) : url
      let fixed = plain.split(separator: "{", omittingEmptySubsequences: false)[0]
      paths = [fixed.lastIndex(of: "/").map { String(fixed[..<$0]) } ?? ""]
    case .provider(let path): paths = [path]
    case .memory: break
    }
    try checkRoots(paths)
  }

  /// Refuses paths that lie below none of `control.roots`.
  func checkRoots(_ paths: [String]) throws(ControlError) {
    let roots = configuration.control.roots
    for path in paths {
      // Links are followed first: what counts is where the file lies.
      let real = realPath(path) ?? path
      let below = roots.contains { root in
        let base = realPath(root) ?? root
        return real == base || real.hasPrefix(base.hasSuffix("/") ? base : base + "/")
      }
      guard below, !real.split(separator: "/").contains("..") else {
        throw ControlError(
          code: ControlError.notAllowed,
          message: "\(path) does not lie below \(roots.joined(separator: " or ")) (control.roots)",
          data: ["path": .string(path)])
      }
    }
  }

  /// Whether a part of a template could lead out of the folder that it begins in.
  private func leadsAway(_ part: String) -> Bool {
    part.contains("..") || part.contains("%") || part.contains("{switch")
  }

  private func realPath(_ path: String) -> String? {
    guard let raw = realpath(path, nil) else { return nil }
    defer { free(raw) }
    return String(cString: raw)
  }
}

extension ConfigValue {
  /// The same value as the configuration's files would give it, the members of an object on lines
  /// of their own below `origin`'s. Depth is bounded by the JSON reader.
  init(_ json: JSON, origin: Origin) {
    let content: Content
    switch json {
    case .null: content = Content.other("null")
    case .bool(let value): content = Content.boolean(value)
    case .int(let value): content = Content.integer(Int(value))
    case .double(let value): content = Content.double(value)
    case .string(let value): content = Content.string(value)
    case .array(let all): content = Content.array(all.map { ConfigValue($0, origin: origin) })
    case .object(let object):
      content = Content.table(
        object.members.enumerated().map { index, member in
          var place = origin
          place.line += index + 1
          return Entry(
            key: member.key, line: place.line, value: ConfigValue(member.value, origin: place))
        })
    }
    self.init(content, origin: origin)
  }
}

extension SourceEntry {
  /// What the source's place says of its kind before it is open.
  package var kindGuess: String {
    switch spec.location {
    case .path(let path):
      if path.hasSuffix(".mbtiles") { return "mbtiles" }
      if path.hasSuffix(".pmtiles") { return "pmtiles" }
      return "directory"
    case .paths: return "packs"
    case .url: return "template"
    case .provider: return "provider"
    case .memory: return "pmtiles"
    }
  }

  /// The source's place, as `source.list` tells it.
  package var paths: [String] {
    if case .paths(let all) = spec.location { return all }
    return [path]
  }
}
