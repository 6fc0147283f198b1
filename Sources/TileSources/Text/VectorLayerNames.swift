import CJansson
import TileFormats

/// The names of a vector map's layers: as its metadata say, or as a tile has them.
package enum VectorLayerNames {
  /// The most layers.
  package static let most = 1000
  /// The longest name in bytes. Longer ones count for nothing.
  private static let longest = 200

  /// The names in `vector_layers` of a JSON object, or of a list of layers (MBTiles 1.3, "Vector
  /// tileset metadata"). None if there are none, or if it is not such JSON.
  package static func stated(inJSON json: [UInt8]) -> [String] {
    guard PackMetadata.isSmall(json) else { return [] }
    let parsed = json.withUnsafeBytes { bytes in
      json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, 0, nil)
    }
    guard let parsed else { return [] }
    defer { json_decref(parsed) }
    let list = parsed.pointee.type == JSON_ARRAY ? parsed : json_object_get(parsed, "vector_layers")
    guard let list else { return [] }
    // json_array_size is 0 for anything else.
    return (0..<min(json_array_size(list), most)).compactMap { index in
      json_string_value(json_object_get(json_array_get(list, index), "id"))
        .map { String(cString: $0) }.flatMap { $0.utf8.count <= longest ? $0 : nil }
    }
  }

  /// The names of the layers of an uncompressed vector tile (Vector Tile Specification 2.1, 4.1),
  /// those before the first damaged one.
  package static func present(inTile bytes: UnsafeRawBufferPointer) -> [String] {
    var names: [String] = []
    var tile = ProtobufReader(bytes)
    while names.count < most, let field = tile.next() {
      guard field.number == 3, let layer = field.content else { continue }
      var inside = ProtobufReader(layer)
      while let part = inside.next() {
        guard part.number == 1, let name = part.content else { continue }
        if name.count <= longest { names.append(String(decoding: name, as: UTF8.self)) }
        break
      }
    }
    return names
  }
}
