/// A notice as `notice.list` shows it.
public struct NoticeInfo: ControlMessage, Equatable {
  /// The notice's name in `notice.set` and `notice.remove`.
  public var id: String
  /// What it says, in the present language.
  public var text: String
  /// "info", "warning" or "danger".
  public var severity: String
  /// A date or an RFC 3339 time as it was given; nil: it stays.
  public var until: String?
  /// The overlay that it closes, or in which it closes `feature`; nil: none.
  public var closes: String?
  /// The name of the feature that it closes; nil: none, or all of `closes`.
  public var feature: String?
  /// Whether it was set over the socket, not configured.
  public var added: Bool

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    id: String, text: String, severity: String = "info", until: String? = nil,
    closes: String? = nil, feature: String? = nil, added: Bool = false
  ) {
    self.id = id
    self.text = text
    self.severity = severity
    self.until = until
    self.closes = closes
    self.feature = feature
    self.added = added
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    id = try r.need("id", r.string("id"))
    text = try r.string("text") ?? ""
    severity = try r.string("severity") ?? "info"
    until = try r.string("until")
    closes = try r.string("closes")
    feature = try r.string("feature")
    added = try r.bool("added") ?? false
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "id": .string(id), "text": .string(text), "severity": .string(severity),
      "until": .optional(until), "closes": .optional(closes), "feature": .optional(feature),
      "added": .bool(added),
    ]
  }
}

/// `notice.set`: adds a notice, or replaces the one with the same id.
///
/// The parameters are a `[[notice]]` table, which `Configuration` checks.
public enum NoticeSet: ControlMethod {
  /// The type of its parameters.
  public typealias Params = RawParams
  /// The type of its result.
  public typealias Result = NoticeInfo
  /// The method's name on the wire.
  public static let name = "notice.set"
}

/// `notice.remove`: removes a notice.
public enum NoticeRemove: ControlMethod {
  /// The type of its parameters.
  public typealias Params = IDParams
  /// The method's name on the wire.
  public static let name = "notice.remove"
}

/// `notice.list`: all notices, configured and added.
public enum NoticeListMethod: ControlMethod {
  /// The type of its result.
  public typealias Result = ListResult<NoticeInfo>
  /// The method's name on the wire.
  public static let name = "notice.list"
}
