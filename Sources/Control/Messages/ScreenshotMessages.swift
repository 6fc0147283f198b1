/// `screenshot`: the last frame presented.
public struct ScreenshotParams: ControlMessage, Equatable {
  /// What file a screenshot can be.
  public enum Format: String, CaseIterable, Sendable {
    /// PNG, 24 bits a pixel.
    case png
  }
  /// The kind of file.
  public var format: Format

  /// Creates the value. Units and ranges are those of its properties.
  public init(format: Format = .png) { self.format = format }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["format"])
    format = try r.word("format", Format.self) ?? .png
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["format": .string(format.rawValue)] }
}

/// A picture of the screen.
public struct ScreenshotResult: ControlMessage, Equatable {
  /// Pixels, upright.
  public var width, height: Int
  /// The frame's number.
  public var frame: Int
  /// The PNG file in base64 (RFC 4648, section 4), as it goes over the wire. Coding it takes
  /// milliseconds, so the server's thread leaves that to others.
  public var base64: String

  /// - Parameters:
  ///   - width: pixels, upright.
  ///   - height: pixels, upright.
  ///   - frame: the frame's number.
  ///   - base64: the PNG file in base64.
  public init(width: Int, height: Int, frame: Int, base64: String) {
    self.width = width
    self.height = height
    self.frame = frame
    self.base64 = base64
  }

  /// The PNG file's bytes.
  ///
  /// - Throws: where they are not base64.
  public func png() throws(ControlError) -> [UInt8] {
    guard let bytes = Base64.decode(base64) else {
      throw .parameter("png", "\"png\" must be base64")
    }
    return bytes
  }

  /// Reads what the daemon sent. Unknown members are left out.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    width = try r.need("width", r.integer("width"))
    height = try r.need("height", r.integer("height"))
    frame = try r.need("frame", r.integer("frame"))
    base64 = try r.need("png", r.string("png"))
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "width": .int(Int64(width)), "height": .int(Int64(height)), "frame": .int(Int64(frame)),
      "png": .string(base64),
    ]
  }
}

/// `screenshot`: the last frame that was presented, as a PNG file.
public enum Screenshot: ControlMethod {
  /// What it is called with.
  public typealias Params = ScreenshotParams
  /// What it answers.
  public typealias Result = ScreenshotResult
  /// Its name on the wire.
  public static let name = "screenshot"
}
