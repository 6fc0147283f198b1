/// `config.reload`: the warnings. If the new configuration has an error, nothing changes, and the
/// answer is an error instead.
public struct ConfigReloadResult: ControlMessage, Equatable {
  /// Each as `FILE:LINE: warning: what, and what would be right`.
  public var warnings: [String]

  /// Creates the value. Units and ranges are those of its properties.
  public init(warnings: [String] = []) { self.warnings = warnings }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    warnings = (r.value("warnings")?.array ?? []).compactMap { $0.string }
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["warnings": .array(warnings.map { .string($0) })] }
}

/// `config.reload`: reads the configuration files again and applies what changed.
public enum ConfigReload: ControlMethod {
  /// The type of its result.
  public typealias Result = ConfigReloadResult
  /// The method's name on the wire.
  public static let name = "config.reload"
}

/// `version`: the program that answers, and its release.
public struct VersionResult: ControlMessage, Equatable {
  /// The program's name, "waypostd".
  public var name: String
  /// The release, as semver.org has it: "1.2.0".
  public var version: String

  /// Creates the value. Units and ranges are those of its properties.
  public init(name: String = "waypostd", version: String) {
    self.name = name
    self.version = version
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    name = try r.string("name") ?? ""
    version = try r.need("version", r.string("version"))
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["name": .string(name), "version": .string(version)] }
}

/// `version`: tells which program and release answers.
public enum Version: ControlMethod {
  /// The type of its result.
  public typealias Result = VersionResult
  /// The method's name on the wire.
  public static let name = "version"
}

/// `methods`: the names of all methods.
public struct MethodsResult: ControlMessage, Equatable {
  /// The names, in the order in which the daemon registered them.
  public var names: [String]

  /// Creates the value. Units and ranges are those of its properties.
  public init(_ names: [String]) { self.names = names }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    names = (json.array ?? []).compactMap { $0.string }
  }

  /// The value as it goes over the wire.
  public var json: JSON { .array(names.map { .string($0) }) }
}

/// `methods`: the names of all methods that this daemon has.
public enum Methods: ControlMethod {
  /// The type of its result.
  public typealias Result = MethodsResult
  /// The method's name on the wire.
  public static let name = "methods"
}
