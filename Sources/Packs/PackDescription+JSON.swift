import CJansson
import Glibc
import Platform
import TileSources

extension PackDescription {
  /// The metadata of a PMTiles archive: one JSON object. What its header states is not in it.
  package var pmtilesJSON: String {
    JSONText.object(values.map { ($0.name, JSONText.of($0.value)) })
  }

  /// Takes the members of the JSON object `bytes` over, in their order.
  ///
  /// - Parameter bytes: UTF-8.
  /// - Throws: a fault if the text is not a JSON object, or if some members were dropped.
  package mutating func addMembers(ofJSON bytes: [UInt8]) throws(PackFault) {
    var failure = json_error_t()
    let parsed = bytes.withUnsafeBytes { raw in
      json_loadb(raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count, 0, &failure)
    }
    guard let parsed else {
      throw PackFault("holds no valid JSON: line \(failure.line), column \(failure.column)")
    }
    defer { json_decref(parsed) }
    guard parsed.pointee.type == JSON_OBJECT else { throw PackFault("is not a JSON object") }
    var iterator = json_object_iter(parsed)
    while let member = iterator {
      let name = String(cString: json_object_iter_key(member))
      if let value = json_object_iter_value(member), self[name] == nil {
        guard hasRoom else { throw PackDescription.tooMany }
        self[name] = PackDescription.value(value)
      }
      iterator = json_object_iter_next(parsed, member)
    }
  }

  private static func value(_ json: UnsafeMutablePointer<json_t>) -> Value? {
    if let text = json_string_value(json) { return .text(String(cString: text)) }
    // JSON_COMPACT | JSON_ENCODE_ANY (jansson, "Encoding").
    guard let text = json_dumps(json, 0x20 | 0x200) else { return nil }
    defer { free(text) }
    return .json(String(cString: text))
  }
}

/// JSON, written.
package enum JSONText {
  /// An object of members whose values are JSON already.
  package static func object(_ members: [(name: String, json: String)]) -> String {
    "{" + members.map { "\(string($0.name)):\($0.json)" }.joined(separator: ",") + "}"
  }

  /// A value as JSON.
  package static func of(_ value: PackDescription.Value) -> String {
    switch value {
    case .text(let text): string(text)
    case .json(let json): json
    }
  }

  /// A string with its quotes.
  package static func string(_ text: String) -> String { text.quotedAsJSON }
}
