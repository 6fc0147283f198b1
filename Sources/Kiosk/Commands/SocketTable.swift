import Configuration
import Control
import Platform
import TileSources

/// Parses and checks the tables of `source.add`, `overlay.add` and `marker.set`.
enum SocketTable {
  /// The source that `table` describes.
  ///
  /// - Throws: an error that names the parameter at fault.
  static func source(_ table: JSON) throws(ControlError) -> SourceSpec {
    // Checked first, so that the caller is not asked for other keys in vain.
    let url = table["url"]?.string?.lowercased() ?? ""
    guard !url.hasPrefix("http://"), !url.hasPrefix("https://") else {
      throw .parameter(
        "url",
        "an http(s) source belongs in waypost.toml, since waypost-fetch reads it there; here, url "
          + "begins with file://")
    }
    let origin = ConfigValue.Origin(file: "source.add", directory: nil)
    let (spec, findings) = parseSource(ConfigValue(table, origin: origin), baseDirectory: nil)
    guard let spec, !findings.contains(where: { $0.severity == .error }) else {
      throw refusal(of: findings, in: table, location: ["path", "paths", "url", "provider"])
    }
    return spec
  }

  /// The overlay that `table` describes.
  ///
  /// - Throws: An error that names the wrong parameter.
  static func overlay(_ table: JSON) throws(ControlError) -> Configuration.Overlay {
    var rest = table.object ?? [:]
    var features: String?
    if let inline = rest["geojson"] {
      switch inline {
      case .object: features = inline.text
      case .string(let text): features = text
      default: throw .parameter("geojson", "\"geojson\" must be a GeoJSON object")
      }
      rest["geojson"] = nil
      for key in ["path", "kind"] where rest[key] != nil {
        throw .parameter(key, "one of \"path\", \"geojson\" and \"kind\", not \"\(key)\" as well")
      }
    }
    let origin = ConfigValue.Origin(file: "overlay.add", directory: nil)
    let (spec, findings) = parseOverlay(
      ConfigValue(.object(rest), origin: origin), baseDirectory: nil, geoJSON: features)
    guard let spec, !findings.contains(where: { $0.severity == .error }) else {
      throw refusal(
        of: findings, in: .object(rest), location: features == nil ? ["path", "kind"] : ["name"])
    }
    return spec
  }

  /// Parses a marker's table.
  ///
  /// - Throws: An error that names the wrong parameter.
  static func marker(_ table: JSON) throws(ControlError) -> Configuration.Marker {
    let origin = ConfigValue.Origin(file: "marker.set", directory: nil)
    let (marker, findings) = parseMarker(ConfigValue(table, origin: origin))
    guard let marker else {
      let errors = findings.filter { $0.severity == .error }
      let keys = table.object?.members.map(\.key) ?? []
      let missing = ["id", "lat", "lon"].first { !keys.contains($0) } ?? "id"
      throw refusal(of: errors, keys, otherwise: missing)
    }
    return marker
  }

  /// Parses a notice's table, whose `geojson` may be an object.
  ///
  /// - Throws: An error that names the wrong parameter.
  static func notice(_ table: JSON) throws(ControlError) -> Configuration.Notice {
    var rest = table.object ?? [:]
    var features: String?
    if let inline = rest["geojson"], case .object = inline {
      features = inline.text
      rest["geojson"] = nil
      if inline.text.utf8.count > Configuration.Notice.longestGeoJSON {
        throw .parameter(
          "geojson",
          "\"geojson\" has more than \(Configuration.Notice.longestGeoJSON) bytes; name an overlay"
            + " in \"closes\" instead")
      }
    }
    let origin = ConfigValue.Origin(file: "notice.set", directory: nil)
    let (notice, findings) = parseNotice(
      ConfigValue(.object(rest), origin: origin), geoJSON: features)
    guard let notice else {
      let errors = findings.filter { $0.severity == .error }
      let keys = rest.members.map(\.key)
      throw refusal(
        of: errors, keys, otherwise: ["id", "text"].first { !keys.contains($0) } ?? "id")
    }
    return notice
  }

  /// The error for a table with these findings. `location` lists the keys that say where the data
  /// are, one of which is required.
  static func refusal(of findings: [Finding], in table: JSON, location: [String]) -> ControlError {
    let keys = table.object?.members.map(\.key) ?? []
    // A finding about the whole table concerns its location or, if it has one, its name.
    let given = keys.filter { location.contains($0) }
    return refusal(
      of: findings.filter { $0.severity == .error }, keys,
      otherwise: given.count == 1 ? "name" : given.last ?? location[0])
  }

  /// `ConfigValue` puts each parameter on a line of its own, from line 2; line 1 stands for the
  /// table.
  private static func refusal(
    of errors: [Finding], _ keys: [String], otherwise: String
  ) -> ControlError {
    let line = errors.first?.line ?? 1
    let isKey = line >= 2 && line - 2 < keys.count
    let texts = errors.map(\.text)
    return ControlError(
      code: ControlError.invalidParams, message: texts.joined(separator: "; "),
      data: [
        "parameter": .string(isKey ? NearestName.shorten(keys[line - 2]) : otherwise),
        "findings": .array(texts.map { .string($0) }),
      ])
  }

  // MARK: Paths

  /// Refuses a source that names a path outside `roots`.
  ///
  /// - Throws: `notAllowed` with the path.
  static func check(
    _ spec: SourceSpec, roots: [String], _ looks: FileLooks
  ) throws(ControlError) {
    var paths: [String] = []
    switch spec.location {
    case .path(let path): paths = [path]
    case .paths(let all): paths = all
    case .url(let url):
      // A template: check the folder before its first variable, and that no value leads out of it.
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
    paths += spec.styleFiles
    try check(paths, roots: roots, looks)
  }

  /// Refuses paths outside `roots`.
  ///
  /// - Throws: `notAllowed` with the path.
  static func check(
    _ paths: [String], roots: [String], _ looks: FileLooks
  ) throws(ControlError) {
    for path in paths {
      // Follow links first: what counts is where the file really is.
      let real = looks.resolve(path) ?? path
      let below = roots.contains { root in
        let base = looks.resolve(root) ?? root
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

  /// Whether a part of a template could lead out of its folder.
  private static func leadsAway(_ part: String) -> Bool {
    part.contains("..") || part.contains("%") || part.contains("{switch")
  }
}

extension ConfigValue {
  /// Converts `json` to the value that a configuration file would give, with each member of an
  /// object on a line of its own below `origin`, whatever is in it. The JSON reader limits the
  /// depth.
  init(_ json: JSON, origin: Origin, isMember: Bool = false) {
    let content: Content
    switch json {
    case .null: content = Content.other("null")
    case .bool(let value): content = Content.boolean(value)
    case .int(let value): content = Content.integer(Int(value))
    case .double(let value): content = Content.double(value)
    case .string(let value): content = Content.string(value)
    case .array(let all):
      content = Content.array(all.map { ConfigValue($0, origin: origin, isMember: isMember) })
    case .object(let object):
      content = Content.table(
        object.members.enumerated().map { index, member in
          var at = origin
          if !isMember { at.line += index + 1 }
          return Entry(
            key: member.key, line: at.line,
            value: ConfigValue(member.value, origin: at, isMember: true))
        })
    }
    self.init(content, origin: origin)
  }
}
