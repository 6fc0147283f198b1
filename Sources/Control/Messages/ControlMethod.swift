/// The parameters or the result of a method, as they go over the wire.
public protocol ControlMessage: Sendable {
  /// Reads and checks the message. Parameters are checked strictly. Of results only the known
  /// members are read, so that an older client goes on working.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the member that is missing, unknown,
  ///   mistyped or out of range.
  init(_ json: JSON) throws(ControlError)
  /// The value as it goes over the wire.
  var json: JSON { get }
}

/// A method of the control socket with its types, shared by client and server.
public protocol ControlMethod {
  /// The type of its parameters; none unless a method says otherwise.
  associatedtype Params: ControlMessage = NoParams
  /// The type of its result; `{}` unless a method says otherwise.
  associatedtype Result: ControlMessage = EmptyResult
  /// The method's name on the wire: "view.set".
  static var name: String { get }
}

/// The parameters of a method that takes none: absent, or an empty object.
public struct NoParams: ControlMessage, Equatable {
  /// Creates the only value there is.
  public init() {}

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    _ = try ParamReader(json, [])
  }

  /// The value as it goes over the wire.
  public var json: JSON { .null }
}

/// The result of a method that returns nothing: `{}`.
public struct EmptyResult: ControlMessage, Equatable {
  /// Creates the only value there is.
  public init() {}
  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {}
  /// The value as it goes over the wire.
  public var json: JSON { [:] }
}

/// The result of a method that lists things: an array.
public struct ListResult<Element: ControlMessage & Equatable>: ControlMessage, Equatable {
  /// The elements, in the order in which the method lists them.
  public var elements: [Element]

  /// Creates a list of `elements`.
  public init(_ elements: [Element]) { self.elements = elements }

  /// Reads what the daemon sent.
  ///
  /// - Throws: `ControlError` if it is not an array, or if an element cannot be read.
  public init(_ json: JSON) throws(ControlError) {
    guard let list = json.array else {
      throw .parameter("result", "must be an array, not \(json.kindName)")
    }
    elements = []
    for element in list { elements.append(try Element(element)) }
  }

  /// The value as it goes over the wire.
  public var json: JSON { .array(elements.map { $0.json }) }
}

/// Parameters that are passed on as they are, because another module checks them.
public struct RawParams: ControlMessage, Equatable {
  /// The members, as they were sent.
  public let object: JSONObject

  /// Creates the value. Units and ranges are those of its properties.
  public init(_ object: JSONObject) { self.object = object }

  /// Takes the parameters of a call as they are, without checking the members.
  ///
  /// - Throws: `ControlError.invalidParams` if they are not an object.
  public init(_ json: JSON) throws(ControlError) {
    guard let object = json.object else { throw ParamReader.notByName(json) }
    self.object = object
  }

  /// The value as it goes over the wire.
  public var json: JSON { .object(object) }
}
