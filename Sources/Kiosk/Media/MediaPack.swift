import Platform

/// A pack that was found below a watched folder, and is whole.
struct MediaPack: Equatable {
  var path: String
  /// The watched folder: what is opened must lie beneath it.
  var root: String

  /// The longest name of a source, in bytes (waypost.toml(5)).
  private static let longestName = 100

  /// The name that its source gets: the file's without its ending. If that is `taken`, the folder's
  /// name as well; if that is taken too, a number.
  func name(taken: Set<String>) -> String {
    let stem = MediaPack.cleaned(Paths.stem(of: path))
    if !taken.contains(stem) { return stem }
    let folder = Paths.directory(of: path).split(separator: "/").last ?? ""
    let long = MediaPack.cleaned("\(folder)/\(stem)")
    var (name, number) = (long, 1)
    while taken.contains(name) {
      number += 1
      let suffix = " \(number)"
      name = MediaPack.cleaned(long, longest: MediaPack.longestName - suffix.utf8.count) + suffix
    }
    return name
  }

  /// Without control characters, and not too long.
  private static func cleaned(_ name: String, longest: Int = longestName) -> String {
    var clean = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0.properties.generalCategory == .control ? "_" : $0 }))
    while clean.utf8.count > longest { clean.removeLast() }
    return clean.isEmpty ? "pack" : clean
  }
}

/// The pack that was on the screen until its medium went.
struct MissedPack: Equatable, Sendable {
  /// The name of its source.
  var name: String
  var path: String
}
