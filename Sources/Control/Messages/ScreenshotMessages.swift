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
  /// The PNG file's bytes; base64 on the wire.
  public var png: [UInt8]

  public init(width: Int, height: Int, frame: Int, png: [UInt8]) {
    self.width = width
    self.height = height
    self.frame = frame
    self.png = png
  }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    width = try r.need("width", r.integer("width"))
    height = try r.need("height", r.integer("height"))
    frame = try r.need("frame", r.integer("frame"))
    let text = try r.need("png", r.string("png"))
    guard let bytes = Base64.decode(text) else {
      throw .parameter("png", "\"png\" must be base64")
    }
    png = bytes
  }

  public var json: JSON {
    [
      "width": .int(Int64(width)), "height": .int(Int64(height)), "frame": .int(Int64(frame)),
      "png": .string(Base64.encode(png)),
    ]
  }
}

public enum Screenshot: ControlMethod {
  public typealias Params = ScreenshotParams
  public typealias Result = ScreenshotResult
  public static let name = "screenshot"
}
