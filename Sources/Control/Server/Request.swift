/// One request object of a line (JSON-RPC 2.0, section 4).
struct Request {
  let method: String
  /// The object or array as it was sent; null if there was none.
  let params: JSON
  /// The request's id; nil for a notification, which gets no answer.
  let id: RequestID?

  /// Why it is no request, and the id to answer with (null if there is no usable one).
  struct Invalid: Error {
    let error: ControlError
    let id: RequestID
  }

  /// - Parameters:
  ///   - json: one request object.
  ///   - numberText: the digits of the id as they were sent, if it is a number that `JSON` stores
  ///     as a double and so perhaps not exactly.
  /// - Throws: `Invalid`, with the error and the id to answer with.
  init(_ json: JSON, numberText: String? = nil) throws(Invalid) {
    guard let object = json.object else {
      throw Invalid(
        error: .request("a request is an object, not \(json.kindName)"), id: .null)
    }
    let sent = object["id"]
    switch sent {
    case nil, .null?, .string?, .int?, .double?: break
    default:
      throw Invalid(
        error: .request("\"id\" must be a string, a number or null", member: "id"), id: .null)
    }
    let id = sent.map { RequestID($0, numberText: numberText) }
    let answerID = id ?? .null
    guard object["jsonrpc"]?.string == "2.0" else {
      throw Invalid(
        error: .request("\"jsonrpc\" must be \"2.0\"", member: "jsonrpc"), id: answerID)
    }
    guard let method = object["method"]?.string else {
      throw Invalid(
        error: .request("\"method\" must be a string", member: "method"), id: answerID)
    }
    let params = object["params"] ?? .null
    switch params {
    case .null, .object, .array: break
    default:
      throw Invalid(
        error: .request(
          "\"params\" must be an object, not \(params.kindName)", member: "params"), id: answerID)
    }
    self.method = method
    self.params = params
    self.id = id
  }
}

/// Answers and events as they go over the wire, each the text of one JSON object.
enum Wire {
  static func result(_ result: JSON, id: RequestID) -> [UInt8] {
    answer(id, "result", result)
  }

  static func error(_ error: ControlError, id: RequestID) -> [UInt8] {
    answer(id, "error", error.json)
  }

  private static func answer(_ id: RequestID, _ name: String, _ value: JSON) -> [UInt8] {
    var text = Array("{\"jsonrpc\":\"2.0\",\"id\":\(id.text),\"\(name)\":".utf8)
    value.write(to: &text)
    text.append(UInt8(ascii: "}"))
    return text
  }

  /// A notification with its line end: `type` first, then the members of `details`.
  static func event(_ type: String, _ details: JSON) -> [UInt8] {
    var params: JSONObject = ["type": .string(type)]
    for (key, value) in details.object?.members ?? [] { params[key] = value }
    let event: JSON = ["jsonrpc": "2.0", "method": "event", "params": .object(params)]
    var line: [UInt8] = []
    event.write(to: &line)
    line.append(UInt8(ascii: "\n"))
    return line
  }
}
