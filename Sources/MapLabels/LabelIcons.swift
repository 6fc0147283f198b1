import CJansson
import Drawing
import Images

/// An icon of a sprite sheet. Immutable.
public final class LabelIcon: Sendable {
  /// A range of columns or rows that may be stretched, in pixels of the sheet.
  struct Stretch: Sendable, Equatable {
    var from: Float
    var to: Float
  }

  /// Its name.
  public let name: String
  /// The width in pixels of the sheet.
  public let width: Int
  /// The height in pixels of the sheet.
  public let height: Int
  /// Pixels of the sheet per point, 0.1 ... 8.
  public let pixelRatio: Float
  /// Whether its alpha is a distance field, drawn in `icon-color`.
  public let isDistanceField: Bool
  /// Premultiplied argb, rows from the top without gaps.
  public let pixels: [UInt32]
  let stretchX: [Stretch]
  let stretchY: [Stretch]
  /// The part that holds a fitted text: left, top, right, bottom; nil: all of it.
  let content: LabelInsets?

  init(
    name: String, width: Int, height: Int, pixelRatio: Float = 1, isDistanceField: Bool = false,
    pixels: [UInt32], stretchX: [Stretch] = [], stretchY: [Stretch] = [],
    content: LabelInsets? = nil
  ) {
    self.name = name
    self.width = width
    self.height = height
    self.pixelRatio = pixelRatio
    self.isDistanceField = isDistanceField
    self.pixels = pixels
    self.stretchX = stretchX
    self.stretchY = stretchY
    self.content = content
  }

  /// The same icon by another name.
  convenience init(_ icon: LabelIcon, name: String) {
    self.init(
      name: name, width: icon.width, height: icon.height, pixelRatio: icon.pixelRatio,
      isDistanceField: icon.isDistanceField, pixels: icon.pixels, stretchX: icon.stretchX,
      stretchY: icon.stretchY, content: icon.content)
  }

  /// The pixel of the icon scaled to `width` x `height` and repeated.
  fileprivate func repeated(_ column: Int, _ row: Int, _ toWidth: Int, _ toHeight: Int) -> UInt32 {
    let x = (Float(column) + 0.5) * Float(width) / Float(toWidth) - 0.5
    let y = (Float(row) + 0.5) * Float(height) / Float(toHeight) - 0.5
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    func at(_ x: Int, _ y: Int) -> UInt32 {
      pixels[((y + height) % height) * width + (x + width) % width]
    }
    let fx = UInt32((x - Float(left)) * 256)
    let fy = UInt32((y - Float(top)) * 256)
    return PixelMath.mix(
      PixelMath.mix(at(left, top), at(left + 1, top), fx),
      PixelMath.mix(at(left, top + 1), at(left + 1, top + 1), fx), fy)
  }

  /// Its size in memory in bytes.
  var bytes: Int { 200 + pixels.count * 4 + (stretchX.count + stretchY.count) * 8 }
}

/// Why a sprite sheet, or one of its icons, cannot be used.
public struct LabelIconError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The icon; nil: the sheet.
  public var icon: String?
  /// What is wrong.
  public var reason: String
  /// Icon and reason.
  public var description: String { icon.map { "icon \"\($0)\": \(reason)" } ?? reason }
}

/// The icons of a sprite sheet by name. Immutable.
public final class LabelIcons: Sendable {
  /// The most pixels of a sheet.
  public static let maxSheetPixels = 1 << 21
  /// The most bytes of all icons' pixels; further icons are left out.
  public static let maxBytes = 8 << 20
  /// The most bytes of a sheet's index.
  public static let maxIndexBytes = 4 << 20
  /// The most icons.
  public static let maxIcons = 8192

  private let icons: [String: LabelIcon]
  /// The icons that cannot be used; at most 32 of them.
  public let problems: [LabelIconError]
  /// The size in memory in bytes.
  public let bytes: Int

  /// No icons.
  public static let none = LabelIcons(icons: [], problems: [])

  init(icons: [LabelIcon], problems: [LabelIconError]) {
    self.icons = Dictionary(icons.map { ($0.name, $0) }) { first, _ in first }
    names = Set(icons.map(\.name))
    self.problems = problems
    bytes = icons.reduce(0) { $0 + $1.bytes + $1.name.heapBytes + 32 }
  }

  /// Reads a sprite sheet.
  ///
  /// - Parameters:
  ///   - json: The index: an object with an entry for each icon.
  ///   - png: The picture, PNG or another format that tiles may have.
  /// - Throws: `LabelIconError` if one of both cannot be read. Broken entries are `problems`.
  public convenience init(
    json: UnsafeRawBufferPointer, png: UnsafeRawBufferPointer
  ) throws(LabelIconError) {
    let sheet: DecodedPicture
    do {
      sheet = try TileDecoder().picture(png, maxPixels: Self.maxSheetPixels)
    } catch {
      throw LabelIconError(reason: "the sheet's picture: \(error.reason)")
    }
    guard json.count <= Self.maxIndexBytes else {
      throw LabelIconError(reason: "the sheet's index has more than \(Self.maxIndexBytes) bytes")
    }
    var failure = json_error_t()
    let start = json.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard json.count > 0, let root = json_loadb(start, json.count, 0, &failure) else {
      throw LabelIconError(reason: "the sheet's index is not JSON (line \(failure.line))")
    }
    defer { json_decref(root) }
    guard isObject(root) else {
      throw LabelIconError(reason: "the sheet's index is not an object of icons")
    }
    var icons: [LabelIcon] = []
    var problems: [LabelIconError] = []
    var bytes = 0
    var cursor = json_object_iter(root)
    while let entry = cursor {
      defer { cursor = json_object_iter_next(root, entry) }
      guard icons.count < Self.maxIcons, let key = json_object_iter_key(entry) else { break }
      let name = String(cString: key)
      do throws(LabelIconError) {
        let icon = try Self.icon(name, json_object_iter_value(entry), sheet)
        bytes += icon.bytes
        guard bytes <= Self.maxBytes else {
          throw LabelIconError(icon: name, reason: "the sheet's icons need too much memory")
        }
        icons.append(icon)
      } catch {
        if problems.count < 32 { problems.append(error) }
      }
    }
    self.init(icons: icons, problems: problems)
  }

  /// The icons of several sheets together.
  ///
  /// - Parameter sheets: The sheets, and what the names of their icons are preceded by.
  /// - Throws: `LabelIconError` if they have too many icons, or need too much memory.
  public convenience init(
    joining sheets: [(prefix: String, icons: LabelIcons)]
  ) throws(LabelIconError) {
    guard sheets.reduce(0, { $0 + $1.icons.bytes }) <= Self.maxBytes,
      sheets.reduce(0, { $0 + $1.icons.names.count }) <= Self.maxIcons
    else { throw LabelIconError(reason: "the sheets' icons need too much memory") }
    var icons: [LabelIcon] = []
    for (prefix, sheet) in sheets {
      for icon in sheet.icons.values { icons.append(LabelIcon(icon, name: prefix + icon.name)) }
    }
    self.init(icons: icons, problems: sheets.flatMap(\.icons.problems))
  }

  /// The icon of this name; nil if there is none.
  public func icon(_ name: String) -> LabelIcon? { icons[name] }

  /// The icon as a pattern that fills areas; nil if there is no such icon.
  ///
  /// The pattern has the size that the icon has at `scale` pixels per point, at least 1x1.
  public func pattern(_ name: String, scale: Int) -> FillPattern? {
    guard let icon = icons[name] else { return nil }
    let perPixel = Float(min(max(scale, 1), 8)) / icon.pixelRatio
    let width = min(max(Int((Float(icon.width) * perPixel).rounded()), 1), 1024)
    let height = min(max(Int((Float(icon.height) * perPixel).rounded()), 1), 1024)
    if width == icon.width, height == icon.height {
      return FillPattern(pixels: icon.pixels, width: width, height: height)
    }
    // Averaged or repeated pixels; neighbours beyond the edge are those of the next picture.
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        pixels.append(icon.repeated(column, row, width, height))
      }
    }
    return FillPattern(pixels: pixels, width: width, height: height)
  }

  /// The names of all icons, for `StyleContext.images`.
  public let names: Set<String>

  private static func icon(
    _ name: String, _ entry: UnsafeMutablePointer<json_t>?, _ sheet: DecodedPicture
  ) throws(LabelIconError) -> LabelIcon {
    func fail(_ reason: String) -> LabelIconError { LabelIconError(icon: name, reason: reason) }
    func whole(_ key: String) -> Int? {
      guard let value = json_object_get(entry, key), isNumber(value) else { return nil }
      let number = json_number_value(value)
      return number >= 0 && number <= 65536 ? Int(number) : nil
    }
    guard let x = whole("x"), let y = whole("y"), let width = whole("width"),
      let height = whole("height")
    else { throw fail("x, y, width and height must be numbers from 0 on") }
    guard width > 0, height > 0 else { throw fail("it is empty") }
    guard x + width <= sheet.width, y + height <= sheet.height else {
      throw fail("it reaches beyond the sheet of \(sheet.width)x\(sheet.height) px")
    }
    var ratio: Float = 1
    if let value = json_object_get(entry, "pixelRatio") {
      ratio = Float(json_number_value(value))
      guard ratio >= 0.1, ratio <= 8 else { throw fail("pixelRatio must be 0.1 to 8") }
    }
    var pixels: [UInt32] = []
    pixels.reserveCapacity(width * height)
    for row in y..<y + height {
      let from = row * sheet.width + x
      pixels += sheet.pixels[from..<from + width]
    }
    var content: LabelInsets?
    if let list = numbers(json_object_get(entry, "content")), list.count == 4,
      list[0] >= 0, list[1] >= 0, list[0] < list[2], list[1] < list[3],
      list[2] <= Float(width), list[3] <= Float(height)
    {
      content = LabelInsets(top: list[1], right: list[2], bottom: list[3], left: list[0])
    }
    return LabelIcon(
      name: name, width: width, height: height, pixelRatio: ratio,
      isDistanceField: isTrue(json_object_get(entry, "sdf")), pixels: pixels,
      stretchX: stretches(json_object_get(entry, "stretchX"), Float(width)),
      stretchY: stretches(json_object_get(entry, "stretchY"), Float(height)), content: content)
  }

  private static func numbers(_ list: UnsafeMutablePointer<json_t>?) -> [Float]? {
    guard let list, isArray(list), json_array_size(list) <= 64 else { return nil }
    return (0..<json_array_size(list)).map { Float(json_number_value(json_array_get(list, $0))) }
  }

  /// Ranges in ascending order within the icon; those that are not are left out.
  private static func stretches(
    _ list: UnsafeMutablePointer<json_t>?, _ size: Float
  ) -> [LabelIcon.Stretch] {
    guard let list, isArray(list), json_array_size(list) <= 64 else { return [] }
    var result: [LabelIcon.Stretch] = []
    for index in 0..<json_array_size(list) {
      guard let pair = numbers(json_array_get(list, index)), pair.count == 2,
        pair[0] >= (result.last?.to ?? 0), pair[0] < pair[1], pair[1] <= size
      else { continue }
      result.append(LabelIcon.Stretch(from: pair[0], to: pair[1]))
    }
    return result
  }
}

// json_is_…, macros: the type is the first member.
private func isObject(_ value: UnsafeMutablePointer<json_t>) -> Bool {
  value.pointee.type == JSON_OBJECT
}
private func isArray(_ value: UnsafeMutablePointer<json_t>) -> Bool {
  value.pointee.type == JSON_ARRAY
}
private func isNumber(_ value: UnsafeMutablePointer<json_t>) -> Bool {
  value.pointee.type == JSON_REAL || value.pointee.type == JSON_INTEGER
}
private func isTrue(_ value: UnsafeMutablePointer<json_t>?) -> Bool {
  value?.pointee.type == JSON_TRUE
}
