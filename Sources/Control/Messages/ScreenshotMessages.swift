/// `screenshot`: the last frame presented.
public struct ScreenshotParams: ControlMessage, Equatable {
  public enum Format: String, CaseIterable, Sendable {
    case png
  }
  public var format: Format

  public init(format: Format = .png) { self.format = format }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["format"])
    format = try r.word("format", Format.self) ?? .png
  }

  public var json: JSON { ["format": .string(format.rawValue)] }
}

public struct ScreenshotResult: ControlMessage, Equatable {
  /// Pixels, upright.
  public var width, height: Int
  /// The frame's number.
  public var frame: Int
  /// The PNG file in base64 (RFC 4648, section 4), as it goes over the wire: encoding and decoding it
  /// takes milliseconds, which are not the server's.
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

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    width = try r.need("width", r.integer("width"))
    height = try r.need("height", r.integer("height"))
    frame = try r.need("frame", r.integer("frame"))
    base64 = try r.need("png", r.string("png"))
  }

  public var json: JSON {
    [
      "width": .int(Int64(width)), "height": .int(Int64(height)), "frame": .int(Int64(frame)),
      "png": .string(base64),
    ]
  }
}

public enum Screenshot: ControlMethod {
  public typealias Params = ScreenshotParams
  public typealias Result = ScreenshotResult
  public static let name = "screenshot"
}
