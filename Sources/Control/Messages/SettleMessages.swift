/// `settle`: wait until nothing moves and all is drawn.
public struct SettleParams: ControlMessage, Equatable {
  /// Seconds, 0 to 3600.
  public var timeout: Double

  public init(timeout: Double = 5) { self.timeout = timeout }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["timeout"])
    timeout = try r.number("timeout", in: 0...3600) ?? 5
  }

  public var json: JSON { ["timeout": .double(timeout)] }
}

public struct SettleResult: ControlMessage, Equatable {
  /// The number of the frame that shows it.
  public var frame: Int
  /// False: time ran out first.
  public var complete: Bool
  /// Tiles of the view that are known not to exist.
  public var missing: Int

  public init(frame: Int, complete: Bool, missing: Int) {
    self.frame = frame
    self.complete = complete
    self.missing = missing
  }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    frame = try r.need("frame", r.integer("frame"))
    complete = try r.need("complete", r.bool("complete"))
    missing = try r.integer("missing") ?? 0
  }

  public var json: JSON {
    [
      "frame": .int(Int64(frame)), "complete": .bool(complete), "missing": .int(Int64(missing)),
    ]
  }
}

public enum Settle: ControlMethod {
  public typealias Params = SettleParams
  public typealias Result = SettleResult
  public static let name = "settle"
}
