import Images
import MapLabels
import Words

@testable import Packs

/// What lies beside maps: the index of a style's sprite sheet, files that correct Waypost's words,
/// and all that an archive's metadata say, which `waypost pack` copies.
extension FuzzTarget {
  static let mapFiles: [FuzzTarget] = [
    FuzzTarget("sprite", of: ["MapLabels/LabelIcons.swift"], mebibytes: 64) { bytes in
      let icons = try? sheet.withUnsafeBytes { picture in
        try LabelIcons(json: bytes, png: picture)
      }
      guard let icons else { return }
      try promise(icons.names.count <= LabelIcons.maxIcons, "too many icons")
      try promise(icons.names.isEmpty || icons.bytes <= 2 * LabelIcons.maxBytes, "large icons")
      for name in icons.names.sorted().prefix(8) {
        try promise(icons.icon(name) != nil, "an icon that is not found: \(name)")
        for scale in [1, 2] {
          guard let pattern = icons.pattern(name, scale: scale) else { continue }
          try promise(
            pattern.pixels.count == pattern.width * pattern.height, "a pattern without pixels")
        }
      }
      _ = try? LabelIcons(joining: [("", icons), ("a:", icons)])
    },
    FuzzTarget("words", of: ["Words/WordFile.swift"]) { bytes in
      let file = WordFile([UInt8](bytes))
      for (key, text) in file.texts {
        try promise(text.utf8.count <= WordFile.longestText, "\(key) is too long")
      }
    },
    FuzzTarget("description", of: ["Packs/PackDescription+JSON.swift"]) { bytes in
      var description = PackDescription()
      _ = try? description.addMembers(ofJSON: [UInt8](bytes))
      var again = PackDescription()
      try? again.addMembers(ofJSON: Array(description.pmtilesJSON.utf8))
      try promise(again == description, "metadata are not what they were when they are read again")
    },
  ]

  /// A picture of 32 x 32 pixels.
  private static let sheet: [UInt8] = {
    let pixels = [UInt32](repeating: 0xFF80_4020, count: 32 * 32)
    return (try? PNGWriter.encode(pixels, width: 32, height: 32, rowBytes: 32 * 4)) ?? []
  }()
}
