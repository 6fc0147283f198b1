import MapGeometry
import TileFormats
import TileSources

extension PackCopy {
  /// - Throws: `PackError` if the packs hold different kinds of tiles.
  func checkFormats() throws(PackError) {
    guard let first = streams.first(where: { $0.format != nil }) else { return }
    for other in streams where other.format != nil {
      guard other.format == first.format else {
        throw PackError(
          file: other.reader.file,
          reason: "holds \(PackCopy.words(other)) and \(first.reader.file) "
            + "\(PackCopy.words(first)): a pack holds one kind. Name both as 'paths' of one source instead, or give the one "
            + "that lies above a source of its own with role \"overlay\"")
      }
      guard other.pixels == first.pixels else {
        throw PackError(
          file: other.reader.file,
          reason: "has tiles of \(other.pixels ?? 0) pixels and \(first.reader.file) of "
            + "\(first.pixels ?? 0): the same zoom shows different scales. Name them as sources of "
            + "their own, each with its tile_size")
      }
    }
  }

  private static func words(_ stream: TileStream) -> String {
    guard stream.format != .mvt else { return "vector tiles" }
    return "\((stream.format?.rawValue ?? "unknown").uppercased()) tiles"
  }

  /// Brotli or zstd, where all packs say so and the new one can.
  var keptCompression: PackCompression? {
    guard kind == .pmtiles, let first = streams.first?.reader.description.compression,
      first == .brotli || first == .zstd,
      streams.allSatisfy({ $0.reader.description.compression == first })
    else { return nil }
    return first
  }

  /// What the new pack says: the first one's words, everybody's attribution, and the area of all.
  static func description(_ readers: [any PackReader]) -> PackDescription {
    guard var description = readers.first?.description else { return PackDescription() }
    let others = readers.dropFirst().map(\.description)
    if others.isEmpty { return description }
    for other in others {
      for (name, value) in other.values where description[name] == nil {
        description[name] = value
      }
    }
    var attributions: [String] = []
    for text in readers.map({ $0.description.text("attribution") })
    where !text.isEmpty && !attributions.contains(text) {
      attributions.append(text)
    }
    if !attributions.isEmpty {
      description["attribution"] = .text(attributions.joined(separator: " | "))
    }
    let boxes = readers.compactMap(\.description.bounds)
    // One that does not say where it is could be anywhere: the tiles tell.
    description.bounds =
      boxes.count == readers.count
      ? boxes.dropFirst().reduce(boxes[0], PackStack.union) : nil
    if let layers = VectorLayers.merged(readers.map(\.description)) {
      description["vector_layers"] = .json(layers)
    }
    // Statistics of one pack are wrong for all.
    description["tilestats"] = nil
    return description
  }
}
