import Platform

/// What goes wrong with a call: the specification's error object (JSON-RPC 2.0, section 5.1).
public struct ControlError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One of the constants below, or what another server put there.
  public let code: Int
  /// What is wrong and what would be right.
  public let message: String
  /// Names the culprit: `{"parameter": "lat"}`, `{"name": "topo"}`.
  public let data: JSON?

  /// An error with a code of its own; `data` names the culprit.
  public init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Message and code.
  public var description: String { "\(message) (\(code))" }

  /// The `error` member of an answer.
  public var json: JSON {
    var object: JSONObject = ["code": .int(Int64(code)), "message": .string(message)]
    if let data { object["data"] = data }
    return .object(object)
  }

  /// Reads an answer's `error` member, whatever a server puts there.
  public init(_ json: JSON) {
    code = json["code"]?.int.flatMap { Int(exactly: $0) } ?? Self.internalError
    message = json["message"]?.string ?? "an error without a message: \(json.text)"
    data = json["data"]
  }
}

extension ControlError {
  /// The line is not JSON.
  public static let parseError = -32700
  /// The JSON is no request.
  public static let invalidRequest = -32600
  /// There is no such method.
  public static let methodNotFound = -32601
  /// A parameter is missing, unknown, mistyped or out of its range.
  public static let invalidParams = -32602
  /// The daemon's own mistake.
  public static let internalError = -32603
  /// No source, overlay or marker has that name.
  public static let unknownName = -32001
  /// A file cannot be used.
  public static let fileRefused = -32003
  /// It did not happen in time.
  public static let timedOut = -32004
  /// This machine or configuration does not have it: no backlight, say.
  public static let notAvailable = -32005
  /// `control.max_clients` allows no more connections.
  public static let tooManyClients = -32006
  /// The caller's user may not do that.
  public static let notAllowed = -32007

  /// The line is not JSON.
  public static func parse(_ error: JSONError) -> ControlError {
    ControlError(
      code: parseError, message: "not JSON: \(error.message), at byte \(error.offset)",
      data: ["offset": .int(Int64(error.offset))])
  }

  /// The JSON is not a request.
  public static func request(_ message: String) -> ControlError {
    ControlError(code: invalidRequest, message: message)
  }

  /// No method of that name among `known`.
  public static func method(_ name: String, known: [String]) -> ControlError {
    let nearest = NearestName.find(name, among: known)
    let hint = nearest.map { "; did you mean \($0)?" } ?? "; \"methods\" lists them"
    return ControlError(
      code: methodNotFound, message: "no method \"\(NearestName.shorten(name))\"\(hint)",
      data: ["method": .string(NearestName.shorten(name)), "nearest": .optional(nearest)])
  }

  /// A parameter is missing, unknown, mistyped or out of its range.
  public static func parameter(_ name: String, _ message: String) -> ControlError {
    ControlError(code: invalidParams, message: message, data: ["parameter": .string(name)])
  }

  /// Nothing of that name: `what` is "source", say.
  public static func unknown(
    _ what: String, _ name: String, known: [String]
  ) -> ControlError {
    let nearest = NearestName.find(name, among: known)
    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
    return ControlError(
      code: unknownName, message: "no \(what) \"\(NearestName.shorten(name))\"\(hint)",
      data: ["name": .string(NearestName.shorten(name)), "nearest": .optional(nearest)])
  }

  /// A file that cannot be used, and why.
  public static func file(_ path: String, _ reason: String) -> ControlError {
    ControlError(code: fileRefused, message: "\(path): \(reason)", data: ["path": .string(path)])
  }

  /// Our own mistake.
  public static func broken(_ message: String) -> ControlError {
    ControlError(code: internalError, message: message)
  }
}
