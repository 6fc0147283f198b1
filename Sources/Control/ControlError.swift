import Platform

/// Why a call failed: the error object of JSON-RPC 2.0, section 5.1.
public struct ControlError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One of the constants below, or another server's code.
  public let code: Int
  /// What is wrong, and what would be right.
  public let message: String
  /// Details for programs, such as `{"parameter": "lat"}` or `{"name": "topo"}`; nil: none.
  public let data: JSON?

  /// Creates an error; `data` names the parameter, name or file that is at fault.
  public init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The message, with the code in parentheses.
  public var description: String { "\(message) (\(code))" }

  /// The error as the `error` member of an answer.
  public var json: JSON {
    var object: JSONObject = ["code": .int(Int64(code)), "message": .string(message)]
    if let data { object["data"] = data }
    return .object(object)
  }

  /// Reads the `error` member of an answer. Members that are missing or mistyped get defaults.
  public init(_ json: JSON) {
    code = json["code"]?.int.flatMap { Int(exactly: $0) } ?? Self.internalError
    message = json["message"]?.string ?? "an error without a message: \(json.text)"
    data = json["data"]
  }
}

extension ControlError {
  /// The line is not JSON (JSON-RPC 2.0, section 5.1).
  public static let parseError = -32700
  /// The JSON is not a request (JSON-RPC 2.0, section 5.1).
  public static let invalidRequest = -32600
  /// There is no such method (JSON-RPC 2.0, section 5.1).
  public static let methodNotFound = -32601
  /// A parameter is missing, unknown, mistyped or out of range (JSON-RPC 2.0, section 5.1).
  public static let invalidParams = -32602
  /// The daemon made a mistake (JSON-RPC 2.0, section 5.1).
  public static let internalError = -32603
  /// No source, overlay or marker has that name.
  public static let unknownName = -32001
  /// A file cannot be read, or may not be.
  public static let fileRefused = -32003
  /// The work was not done in time.
  public static let timedOut = -32004
  /// This machine or configuration lacks what the call needs, such as a backlight.
  public static let notAvailable = -32005
  /// `control.max_clients` clients are connected already.
  public static let tooManyClients = -32006
  /// The caller's user may not do this.
  public static let notAllowed = -32007

  /// `parseError`, with the offset of the byte at which the line stops being JSON.
  public static func parse(_ error: JSONError) -> ControlError {
    ControlError(
      code: parseError, message: "not JSON: \(error.message), at byte \(error.offset)",
      data: ["offset": .int(Int64(error.offset))])
  }

  /// `invalidRequest`, with what is wrong with the request. `member` is the one at fault.
  public static func request(_ message: String, member: String? = nil) -> ControlError {
    ControlError(
      code: invalidRequest, message: message, data: member.map { ["member": .string($0)] })
  }

  /// `methodNotFound`, with the nearest name among `known`.
  public static func method(_ name: String, known: [String]) -> ControlError {
    let nearest = NearestName.find(name, among: known)
    let hint = nearest.map { "; did you mean \($0)?" } ?? "; \"methods\" lists them"
    return ControlError(
      code: methodNotFound, message: "no method \"\(NearestName.shorten(name))\"\(hint)",
      data: ["method": .string(NearestName.shorten(name)), "nearest": .optional(nearest)])
  }

  /// `invalidParams` for the parameter `name`; `message` says what would be right.
  public static func parameter(_ name: String, _ message: String) -> ControlError {
    ControlError(code: invalidParams, message: message, data: ["parameter": .string(name)])
  }

  /// `notAvailable`: other clients leave too many answers unread.
  static let noRoom = ControlError(
    code: notAvailable,
    message:
      "clients have left more than \(ControlServer.queueLimit >> 20) MiB of answers unread, so "
      + "there is no room for a large one; try again")

  /// `unknownName`, with the nearest name among `known`. `what` is the kind of thing: "source".
  public static func unknown(
    _ what: String, _ name: String, known: [String]
  ) -> ControlError {
    let nearest = NearestName.find(name, among: known)
    let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ""
    return ControlError(
      code: unknownName, message: "no \(what) \"\(NearestName.shorten(name))\"\(hint)",
      data: ["name": .string(NearestName.shorten(name)), "nearest": .optional(nearest)])
  }

  /// `fileRefused` for the file at `path`.
  public static func file(_ path: String, _ reason: String) -> ControlError {
    ControlError(code: fileRefused, message: "\(path): \(reason)", data: ["path": .string(path)])
  }

  /// `internalError`: a mistake of the daemon.
  public static func broken(_ message: String) -> ControlError {
    ControlError(code: internalError, message: message)
  }
}
