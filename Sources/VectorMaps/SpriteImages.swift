import Drawing
import MapLabels
import MapStyle
import Platform
import TileSources
import VectorPainting

/// The pictures of a style's sprite sheet: icons of labels, and patterns of areas.
final class SpriteImages: VectorImages {
  /// The icons.
  let icons: LabelIcons
  /// Whether the style has a sheet that was read. Without one every name is taken to exist.
  private let isKnown: Bool
  /// The patterns in use, by name; nil: no picture has that name.
  private let patterns = Lock<[String: FillPattern?]>([:])
  private static let mostPatterns = 64

  /// The largest file of a sheet in bytes.
  private static let sizeLimit = 8 << 20

  /// A style without a sheet.
  init() { (icons, isKnown) = (.none, false) }

  /// The icons of a sheet.
  init(_ icons: LabelIcons) { (self.icons, isKnown) = (icons, true) }

  var names: Set<String>? { isKnown ? icons.names : nil }

  func pattern(_ name: String, pixelsPerPoint: Double) -> FillPattern? {
    patterns.withLock { known in
      if let found = known[name] { return found }
      if known.count >= SpriteImages.mostPatterns { known.removeAll() }
      let pattern = icons.pattern(name, scale: Int(pixelsPerPoint.rounded()))
      known[name] = .some(pattern)
      return pattern
    }
  }

  /// The sheet of trailhead.
  static func trailhead(isNight: Bool, scale: Int) -> SpriteImages {
    let suffix = scale >= 2 ? "@2x" : ""
    guard let json = Trailhead.sprite("\(suffix).json", isNight: isNight),
      let png = Trailhead.sprite("\(suffix).png", isNight: isNight),
      let icons = try? LabelIcons(json: json, png: png)
    else { return SpriteImages() }
    return SpriteImages(icons)
  }

  /// The most sheets of a style that are read.
  private static let mostSheets = 8

  /// The name that selects the program's own sprite sheet in a style, followed by "/day" or
  /// "/night". Without either, it is the sheet for the style's own time of day.
  private static let bundled = "bundled://trailhead"

  /// The files that the sheets of the style in the file `path` may have; none without a sheet.
  static func files(of style: MapStyle, at path: String, scale: Int) -> [String] {
    let suffixes = scale >= 2 ? ["@2x", ""] : [""]
    return style.sprites.prefix(mostSheets).filter { !$0.url.contains("://") }.flatMap { sprite in
      let base = base(sprite.url, path)
      return suffixes.flatMap { [base + $0 + ".json", base + $0 + ".png"] }
    }
  }

  private static func base(_ sprite: String, _ path: String) -> String {
    sprite.hasPrefix("/") ? sprite : Paths.join(Paths.directory(of: path), sprite)
  }

  /// Reads the sheets that the style in the file `path` names, relative to that file; `@2x` if the
  /// display has two or more pixels per point. Sheets beyond the limits, which apply to all of them
  /// together, are left out.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - path: Its file.
  ///   - isNight: Whether it is the style of the night.
  ///   - scale: Pixels per point.
  ///   - trust: Which files may be opened.
  ///   - found: Receives why there are no pictures.
  /// - Returns: The sheets' pictures; none if there is no sheet or none can be read.
  static func of(
    _ style: MapStyle, at path: String, isNight: Bool, scale: Int, trust: PathTrust,
    _ found: inout [StyleFileFinding]
  ) -> SpriteImages {
    func note(_ reason: String) {
      found.append(
        StyleFileFinding(
          file: path, finding: StyleFinding(.style, property: "sprite", reason: reason)))
    }
    var sheets: [(prefix: String, icons: LabelIcons)] = []
    var (bytes, count) = (0, 0)
    for sprite in style.sprites.prefix(mostSheets) {
      do {
        guard let icons = try sheet(sprite.url, path, isNight, scale: scale, trust: trust) else {
          note(
            "\(sprite.url) is not fetched; give a path relative to the style's file, or "
              + "\"\(bundled)\"")
          continue
        }
        for problem in icons.problems.prefix(8) { note("\(sprite.url): \(problem)") }
        // A sheet beyond the common limit is dropped before the next one is read.
        bytes += icons.bytes
        count += icons.names.count
        guard bytes <= LabelIcons.maxBytes, count <= LabelIcons.maxIcons else {
          note("\(sprite.url): the sheets' icons together need too much memory; it is left out")
          break
        }
        sheets.append((sprite.id == "default" ? "" : sprite.id + ":", icons))
      } catch {
        note("\(error)")
      }
    }
    if style.sprites.count > mostSheets { note("more than \(mostSheets) sheets") }
    guard let first = sheets.first else { return SpriteImages() }
    if sheets.count == 1, first.prefix.isEmpty { return SpriteImages(first.icons) }
    do throws(LabelIconError) {
      return SpriteImages(try LabelIcons(joining: sheets))
    } catch {
      note("\(error)")
      return SpriteImages(first.icons)
    }
  }

  /// The sheet `url` of the style in the file `path`; nil: it is neither a file nor bundled.
  private static func sheet(
    _ url: String, _ path: String, _ isNight: Bool, scale: Int, trust: PathTrust
  ) throws -> LabelIcons? {
    switch url {
    case bundled: return trailhead(isNight: isNight, scale: scale).icons
    case bundled + "/day": return trailhead(isNight: false, scale: scale).icons
    case bundled + "/night": return trailhead(isNight: true, scale: scale).icons
    default:
      guard !url.contains("://") else { return nil }
      return try read(base(url, path), scale: scale, trust: trust)
    }
  }

  /// Reads the sheet whose files' names begin with `base`.
  private static func read(
    _ base: String, scale: Int, trust: PathTrust
  ) throws -> LabelIcons {
    func files(_ suffix: String) throws(FileError) -> ([UInt8], [UInt8]) {
      (
        try FileIO.read("\(base)\(suffix).json", limit: sizeLimit, trust: trust),
        try FileIO.read("\(base)\(suffix).png", limit: sizeLimit, trust: trust)
      )
    }
    let large = scale >= 2 ? try? files("@2x") : nil
    let (json, png) = try large ?? files("")
    return try json.withUnsafeBytes { json in
      try png.withUnsafeBytes { try LabelIcons(json: json, png: $0) }
    }
  }
}
