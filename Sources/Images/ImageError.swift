/// Why a picture cannot be decoded or written.
public struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong and, if known, what would be right, for people. It names no file, because only
  /// the caller knows which one it was.
  public var reason: String
  /// Whether the system had no memory to decode it, which may pass.
  public private(set) var lacksMemory = false

  /// Creates an error with its reason.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }

  static let noMemory: ImageError = {
    var error = ImageError("not enough memory to decode it")
    error.lacksMemory = true
    return error
  }()

  /// The error of a C library, as its message tells it.
  static func said(_ library: String, _ message: String) -> ImageError {
    // libjpeg and zlib say "insufficient memory", libpng "out of memory", some with a chunk's name
    // before.
    let text = message.lowercased()
    let isMemory = ["insufficient memory", "out of memory"].contains { text.contains($0) }
    return isMemory ? .noMemory : ImageError("\(library): \(message)")
  }
}
