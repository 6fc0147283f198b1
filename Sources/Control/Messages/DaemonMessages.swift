/// `config.reload`: what the reading brought up. A configuration with errors is refused whole,
/// with an error instead of a result.
public struct ConfigReloadResult: ControlMessage, Equatable {
  /// `FILE:LINE: what, and what would be right`.
  public var warnings: [String]

  public init(warnings: [String] = []) { self.warnings = warnings }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    warnings = (r.value("warnings")?.array ?? []).compactMap { $0.string }
  }

  public var json: JSON { ["warnings": .array(warnings.map { .string($0) })] }
}

public enum ConfigReload: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = ConfigReloadResult
  public static let name = "config.reload"
}

public struct VersionResult: ControlMessage, Equatable {
  /// "waypostd".
  public var name: String
  public var version: String

  public init(name: String = "waypostd", version: String) {
    self.name = name
    self.version = version
  }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    name = try r.string("name") ?? ""
    version = try r.need("version", r.string("version"))
  }

  public var json: JSON { ["name": .string(name), "version": .string(version)] }
}

public enum Version: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = VersionResult
  public static let name = "version"
}

/// `methods`: the names, an array.
public struct MethodsResult: ControlMessage, Equatable {
  public var names: [String]

  public init(_ names: [String]) { self.names = names }

  public init(_ json: JSON) throws(ControlError) {
    names = (json.array ?? []).compactMap { $0.string }
  }

  public var json: JSON { .array(names.map { .string($0) }) }
}

public enum Methods: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = MethodsResult
  public static let name = "methods"
}
