/// `settle`: how long to wait until nothing moves and everything is drawn.
public struct SettleParams: ControlMessage, Equatable {
  /// The longest wait in seconds, 0 to 3600.
  public var timeout: Double

  /// Creates the value. Units and ranges are those of its properties.
  public init(timeout: Double = 5) { self.timeout = timeout }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["timeout"])
    timeout = try r.number("timeout", in: 0...3600) ?? 5
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["timeout": .double(timeout)] }
}

/// `settle`: how the wait ended.
public struct SettleResult: ControlMessage, Equatable {
  /// The number of the last frame presented.
  public var frame: Int
  /// Whether everything was drawn; false if the time ran out first.
  public var complete: Bool
  /// How many tiles of the view are known not to exist.
  public var missing: Int

  /// Creates the value. Units and ranges are those of its properties.
  public init(frame: Int, complete: Bool, missing: Int) {
    self.frame = frame
    self.complete = complete
    self.missing = missing
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    frame = try r.need("frame", r.integer("frame"))
    complete = try r.need("complete", r.bool("complete"))
    missing = try r.integer("missing") ?? 0
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "frame": .int(Int64(frame)), "complete": .bool(complete), "missing": .int(Int64(missing)),
    ]
  }
}

/// `settle`: waits until nothing moves and every tile of the view is drawn.
public enum Settle: ControlMethod {
  /// The type of its parameters.
  public typealias Params = SettleParams
  /// The type of its result.
  public typealias Result = SettleResult
  /// The method's name on the wire.
  public static let name = "settle"
}
