import MapGeometry
import Platform
import TileSources

/// Checks one source, from `[[source]]` in a file or from `source.add` over the socket.
///
/// - Parameters:
///   - table: the source's table.
///   - baseDirectory: the folder that relative paths start from; nil: only absolute paths are
///     accepted.
/// - Returns: the source, or nil if a finding is an error; and the findings.
public func parseSource(
  _ table: ConfigValue, baseDirectory: String?
) -> (SourceSpec?, [Finding]) {
  let findings = Findings()
  var table = table.rebased(baseDirectory)
  if table.table == nil {
    findings.error("source = \(table.shown): a table", at: table.origin)
    table.content = .table([])
    return (nil, findings.all)
  }
  let reader = TableReader("source", table.table ?? [], table.origin, findings)
  let spec = ConfigurationReader(findings: findings).source(reader)
  reader.finish()
  let bad = findings.all.contains { $0.severity == .error }
  return (bad ? nil : spec, findings.all)
}

extension ConfigValue {
  /// The same tree, with relative paths starting from `directory`.
  func rebased(_ directory: String?) -> ConfigValue {
    var value = self
    value.origin.directory = directory
    switch content {
    case .array(let elements): value.content = .array(elements.map { $0.rebased(directory) })
    case .table(let entries):
      value.content = .table(
        entries.map { Entry(key: $0.key, line: $0.line, value: $0.value.rebased(directory)) })
    default: break
    }
    return value
  }
}

extension ConfigurationReader {
  func sources(_ root: TableReader) -> [SourceSpec] {
    var all: [SourceSpec] = []
    // The elements are large, and there may be a thousand.
    all.reserveCapacity(root.value("source")?.array?.count ?? 0)
    var stores: [String: String] = [:]
    root.tables("source", upTo: Configuration.mostSources) { t in
      guard let spec = source(t) else { return }
      all.append(spec)
      guard let store = spec.store else { return }
      if let other = stores[store] {
        t.findings.error(
          "source.store = \(store.quoted): is the store of \(other.quoted) already; each source "
            + "needs its own", at: t.place("store"))
      }
      stores[store] = spec.name
    }
    return all
  }

  func source(_ t: TableReader) -> SourceSpec? {
    let named = name(t, "name")
    let location = location(t)
    // Without a name or a location the rest is still read, for its findings.
    var spec = SourceSpec(name: named ?? "", location: location ?? .path(""))
    readTiles(&spec, t)
    readDrawing(&spec, t)
    readNetwork(&spec, t)
    guard let location else { return nil }
    guard let name = named ?? (t.value("name") == nil ? defaultName(location) : nil) else {
      if t.value("name") == nil {
        t.findings.error("source: name is missing; only a file gives its own", at: t.origin)
      }
      return nil
    }
    spec.name = name
    return spec
  }

  /// How its tiles are numbered, how large they are, and whose they are.
  private func readTiles(_ spec: inout SourceSpec, _ t: TableReader) {
    spec.scheme = t.choice("scheme", SourceSpec.Scheme.self)
    t.set(&spec.tileSize, "tile_size", "256 or 512") {
      $0.integer.flatMap { $0 == 256 || $0 == 512 ? $0 : nil }
    }
    spec.minZoom = t.integer("min_zoom", 0...TileID.maxLevel, "a tile level")
    spec.maxZoom = t.integer("max_zoom", 0...TileID.maxLevel, "a tile level")
    if let minZoom = spec.minZoom, let maxZoom = spec.maxZoom, minZoom > maxZoom {
      t.findings.error(
        "source.min_zoom = \(minZoom): not above source.max_zoom, which is \(maxZoom)",
        at: t.place("min_zoom"))
    }
    spec.attribution = t.text("attribution")
  }

  /// What it is used as, and how it is drawn.
  private func readDrawing(_ spec: inout SourceSpec, _ t: TableReader) {
    t.set(&spec.role, "role")
    let level = t.choice("level", SourceSpec.Level.self)
    if let level { spec.level = level }
    if level != nil, spec.role != .overlay {
      t.findings.warning(
        "source.level has no effect without role = \"overlay\"", at: t.place("level"))
    }
    t.set(&spec.opacity, "opacity", 0...1, "a number")
    let filters = t.read("filters", Expected.filters) { $0.filters } ?? []
    spec.filters = filters.map(\.description)
    (spec.style, spec.nightStyle) = styles(t)
    t.set(&spec.night, "night")
    if spec.night != .theme, spec.nightStyle != nil {
      t.findings.warning(
        "source.style_night has no effect with night = \(spec.night.rawValue.quoted)",
        at: t.place("style_night"))
    }
    if spec.role == .style {
      for key in ["opacity", "filters", "night", "fallback", "style"] where t.value(key) != nil {
        t.findings.warning(
          "source.\(key) has no effect with role = \"style\": the layers of styles say how it is "
            + "drawn", at: t.place(key))
      }
    }
    spec.language = t.read("language", Expected.language) { $0.language }
    spec.fallback = t.text("fallback", "a source's name")
  }

  /// How a template is filled in, and what concerns servers only.
  private func readNetwork(_ spec: inout SourceSpec, _ t: TableReader) {
    let subdomains = t.read("subdomains", "a list of names, such as [\"a\", \"b\"]") { value in
      value.strings.flatMap { all in
        all.isEmpty || all.contains { $0.isEmpty || $0.escaped != $0 } ? nil : all
      }
    }
    spec.subdomains = subdomains ?? []
    spec.headers = headers(t)
    spec.store = store(t)
    spec.storeLimit = t.read(
      "store_limit", "\(SourceSpec.smallestStoreLimit >> 20)MiB or more, such as \"512MiB\""
    ) { value in value.bytes.flatMap { $0 >= SourceSpec.smallestStoreLimit ? $0 : nil } }
    let url = t.value("url")?.string
    let overHTTP = url.map(SourceURL.isHTTP) ?? false
    for key in ["headers", "store", "store_limit"] where t.value(key) != nil && !overHTTP {
      t.findings.error("source.\(key): only with an http(s) url", at: t.place(key))
    }
    if let url {
      for fault in SourceURL.faults(url, scheme: spec.scheme, subdomains: spec.subdomains) {
        t.findings.error("source.url = \(url.quoted): \(fault)", at: t.place("url"))
      }
    }
    if t.value("subdomains") != nil, !(url?.contains("{s}") ?? false) {
      t.findings.warning(
        "source.subdomains has no effect without {s} in url", at: t.place("subdomains"))
    }
  }

  /// How a vector map is drawn: `style`, and `style_night` if that is a file.
  private func styles(_ t: TableReader) -> (SourceSpec.Style?, String?) {
    func file(_ key: String, _ expected: String) -> String? {
      guard let value = t.value(key) else { return nil }
      guard let path = t.resolvedPath(key) else { return nil }
      guard path.lowercased().hasSuffix(".json") else {
        t.wrong(key, value, expected)
        return nil
      }
      return path
    }
    let night = file("style_night", "a style's file, whose name ends with .json")
    guard let value = t.value("style"), value.string != "trailhead" else {
      if t.value("style_night") != nil {
        t.findings.error(
          "source.style_night: only with a style that is a file; trailhead has its own night",
          at: t.place("style_night"))
      }
      return (t.value("style") == nil ? nil : .trailhead, nil)
    }
    let day = file("style", "\"trailhead\", or a style's file, whose name ends with .json")
    return (day.map { .file($0) }, night)
  }

  /// The file in which visited tiles are kept.
  private func store(_ t: TableReader) -> String? {
    guard let value = t.value("store"), let path = t.resolvedPath("store") else { return nil }
    guard path.lowercased().hasSuffix(".mbtiles") else {
      t.wrong("store", value, "a file whose name ends with .mbtiles")
      return nil
    }
    return path
  }

  /// Exactly one of path, paths, url and provider.
  private func location(_ t: TableReader) -> SourceSpec.Location? {
    let (path, paths) = (t.value("path"), t.value("paths"))
    let (url, provider) = (t.value("url"), t.value("provider"))
    let count =
      (path == nil ? 0 : 1) + (paths == nil ? 0 : 1) + (url == nil ? 0 : 1)
      + (provider == nil ? 0 : 1)
    guard count == 1 else {
      let given = ["path", "paths", "url", "provider"].filter { t.value($0) != nil }
      t.findings.error(
        given.isEmpty
          ? "source: one of path, paths, url, provider is missing"
          : "source: one of \(given.joined(separator: ", ")), not \(given.count)", at: t.origin)
      return nil
    }
    if let path {
      if let text = path.string, SourceURL.isHTTP(text) {
        t.wrong(
          "path", path,
          "a file or folder; an archive on a server is a url, or waypost pack extract gets a "
            + "region of it")
        return nil
      }
      if let text = path.string, text.contains(byte: UInt8(ascii: "{")) {
        t.wrong("path", path, "a file or folder; a template is a url = \"file://…\"")
        return nil
      }
      return t.resolvedPath("path", "a pack (.mbtiles, .pmtiles) or a folder of tiles")
        .map { .path($0) }
    }
    if let paths {
      if paths.array?.isEmpty == true {
        t.wrong("paths", paths, "at least one path")
        return nil
      }
      // Each has a descriptor for as long as the source is open.
      if let count = paths.array?.count, count > SourceSpec.mostPaths {
        t.wrong("paths", paths, "at most \(SourceSpec.mostPaths) paths, not \(count)")
        return nil
      }
      return t.resolvedPaths("paths", "a list of packs and folders of tiles")
        .map { .paths($0) }
    }
    if provider != nil {
      return t.resolvedPath("provider", "the path of a program's socket").map { .provider($0) }
    }
    guard let url, let text = url.string else {
      return t.read("url", "a template that begins with file://, http:// or https://") { _ in nil }
    }
    guard text.hasPrefix("file://") else { return .url(text) }
    var file = String(text.dropFirst(7))
    // RFC 8089, section 2: the host may be "localhost".
    if file.hasPrefix("localhost/") { file = String(file.dropFirst(9)) }
    return t.resolve(file, url, "url").map { .url("file://" + $0) }
  }

  private func headers(_ t: TableReader) -> [String: String] {
    guard let value = t.value("headers") else { return [:] }
    var all: [String: String] = [:]
    for entry in value.table ?? [] {
      // RFC 9110, section 5: no control characters; a name is letters, digits and a few signs.
      let good = entry.key.utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":")
      }
      if good, !entry.key.isEmpty, let text = entry.value.string, text.escaped == text {
        all[entry.key] = text
      }
    }
    guard let table = value.table, all.count == table.count else {
      t.wrong("headers", value, "a table of strings, such as { Authorization = \"…\" }")
      return [:]
    }
    return all
  }

  /// The file's name without its extension; nil if the location is no file.
  private func defaultName(_ location: SourceSpec.Location) -> String? {
    let stem =
      switch location {
      case .path(let path): Paths.stem(of: path)
      case .paths(let paths): Paths.stem(of: paths.first ?? "")
      default: ""
      }
    return stem.isEmpty ? nil : stem
  }
}
