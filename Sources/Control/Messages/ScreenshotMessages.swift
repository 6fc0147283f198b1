/// `screenshot`: the kind of file wanted.
public struct ScreenshotParams: ControlMessage, Equatable {
  /// The kinds of file that a screenshot can be.
  public enum Format: String, CaseIterable, Sendable {
    /// PNG with 24 bits per pixel.
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

/// `screenshot`: a picture of what the display shows.
public struct ScreenshotResult: ControlMessage, Equatable {
  /// The size in pixels, with the mounting's rotation undone.
  public var width, height: Int
  /// The number of the frame that it shows.
  public var frame: Int
  /// The PNG file in base64 (RFC 4648, section 4), as on the wire. Encoding takes milliseconds, so
  /// it is done away from the server's thread.
  public var base64: String

  /// - Parameters:
  ///   - width: the width in pixels, with the mounting's rotation undone.
  ///   - height: the height in pixels, with the mounting's rotation undone.
  ///   - frame: the number of the frame that it shows.
  ///   - base64: the PNG file in base64.
  public init(width: Int, height: Int, frame: Int, base64: String) {
    self.width = width
    self.height = height
    self.frame = frame
    self.base64 = base64
  }

  /// Decodes the PNG file's bytes.
  ///
  /// - Throws: `ControlError` if they are not base64.
  public func png() throws(ControlError) -> [UInt8] {
    guard let bytes = Base64.decode(base64) else {
      throw .parameter("png", "\"png\" must be base64")
    }
    return bytes
  }

  /// Reads what the daemon sent. Unknown members are ignored.
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
  /// The type of its parameters.
  public typealias Params = ScreenshotParams
  /// The type of its result.
  public typealias Result = ScreenshotResult
  /// The method's name on the wire.
  public static let name = "screenshot"
}
