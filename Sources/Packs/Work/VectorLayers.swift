import CJansson
import Glibc
import TileSources

/// `vector_layers` of packs' metadata (MBTiles 1.3, "Vector tileset metadata").
package enum VectorLayers {
  /// The names of the layers that a pack states.
  package static func names(_ description: PackDescription) -> [String] {
    guard case .json(let text)? = description["vector_layers"] else { return [] }
    return VectorLayerNames.stated(inJSON: Array(text.utf8))
  }

  /// The layers of all packs, each once; nil if none states any. Fields of a layer are joined;
  /// its zooms are those of all.
  static func merged(_ descriptions: [PackDescription]) -> String? {
    guard let result = json_array() else { return nil }
    defer { json_decref(result) }
    for description in descriptions {
      guard case .json(let text)? = description["vector_layers"], let list = parse(text) else {
        continue
      }
      defer { json_decref(list) }
      for index in 0..<min(json_array_size(list), most) {
        guard let layer = json_array_get(list, index), let name = id(layer) else { continue }
        let known = (0..<json_array_size(result)).lazy.map { json_array_get(result, $0) }
          .first { id($0) == name }
        if let known, let known {
          join(layer, into: known)
        } else if json_array_size(result) < most {
          json_array_append(result, layer)
        }
      }
    }
    guard json_array_size(result) > 0, let text = json_dumps(result, 0x20) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private static let most = VectorLayerNames.most

  private static func parse(_ text: String) -> UnsafeMutablePointer<json_t>? {
    guard let value = json_loads(text, 0, nil) else { return nil }
    guard value.pointee.type == JSON_ARRAY else {
      json_decref(value)
      return nil
    }
    return value
  }

  private static func id(_ layer: UnsafeMutablePointer<json_t>?) -> String? {
    json_string_value(json_object_get(layer, "id")).map { String(cString: $0) }
  }

  private static func join(
    _ layer: UnsafeMutablePointer<json_t>, into known: UnsafeMutablePointer<json_t>
  ) {
    if let fields = json_object_get(known, "fields") {
      json_object_update_missing(fields, json_object_get(layer, "fields"))
    }
    for (key, isLower) in [("minzoom", true), ("maxzoom", false)] {
      guard let mine = json_object_get(known, key), let other = json_object_get(layer, key) else {
        continue
      }
      let isBetter =
        isLower
        ? json_integer_value(other) < json_integer_value(mine)
        : json_integer_value(other) > json_integer_value(mine)
      if isBetter { json_object_set(known, key, other) }
    }
  }
}
