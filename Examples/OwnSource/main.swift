// own-source FOLDER Z X Y
//
// Writes the tile z/x/y of a folder of pictures that are named after their quadkey (0231.png) to
// standard output; where there is none, the nearest tile above it, as the map would show it
// enlarged.

import Foundation
import MapGeometry
import TileSources

func stop(_ text: String) -> Never {
  FileHandle.standardError.write(Data("own-source: \(text)\n".utf8))
  exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
let numbers = arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 4, numbers.count == 3,
  let id = TileID(z: numbers[0], x: numbers[1], y: numbers[2])
else { stop("usage: own-source FOLDER Z X Y") }
let folder = URL(fileURLWithPath: arguments.first ?? "")

do {
  var pictures: [String: [UInt8]] = [:]
  for file in try FileManager.default.contentsOfDirectory(
    at: folder, includingPropertiesForKeys: nil)
  {
    pictures[file.deletingPathExtension().lastPathComponent] = [UInt8](try Data(contentsOf: file))
  }
  let source = QuadkeySource(pictures: pictures, attribution: "")

  var shown = id
  if try !source.contains(id) {
    guard let above = try source.nearestAncestor(of: id) else { stop("nothing covers tile \(id)") }
    shown = above
  }
  guard let picture = try source.tile(at: shown) else { stop("tile \(shown) is gone") }
  FileHandle.standardError.write(Data("tile \(shown)\n".utf8))
  FileHandle.standardOutput.write(Data(picture))
} catch {
  stop("\(error)")
}
