/// What goes over the wire in one piece: a method's parameters or its result.
public protocol ControlMessage: Sendable {
  /// Reads and checks it. Parameters are checked strictly (ControlError.invalidParams names the
  /// culprit); of results only what is known is read, so that an older client goes on working.
  init(_ json: JSON) throws(ControlError)
  var json: JSON { get }
}

/// A method of the control socket, with its types: the same on both ends.
public protocol ControlMethod {
  associatedtype Params: ControlMessage
  associatedtype Result: ControlMessage
  static var name: String { get }
}

/// The parameters of a method that takes none: absent, or an empty object.
public struct NoParams: ControlMessage, Equatable {
  public init() {}

  public init(_ json: JSON) throws(ControlError) {
    _ = try ParamReader(json, [])
  }

  public var json: JSON { .null }
}

/// The result of a method that has nothing to tell: `{}`.
public struct EmptyResult: ControlMessage, Equatable {
  public init() {}
  public init(_ json: JSON) throws(ControlError) {}
  public var json: JSON { [:] }
}

/// Parameters that another module checks.
public struct RawParams: ControlMessage, Equatable {
  public let object: JSONObject

  public init(_ object: JSONObject) { self.object = object }

  public init(_ json: JSON) throws(ControlError) {
    guard let object = json.object else { throw ParamReader.notByName(json) }
    self.object = object
  }

  public var json: JSON { .object(object) }
}
