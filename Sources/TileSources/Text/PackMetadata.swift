import CJansson

/// The JSON metadata of packs.
package enum PackMetadata {
  /// Those values of `keys` in the object `json` (UTF-8) that are strings.
  ///
  /// - Throws: A fault with line and column if it is not valid JSON.
  package static func strings(
    ofJSON json: [UInt8], keys: [String]
  ) throws(PackFault) -> [String: String] {
    var failure = json_error_t()
    let parsed = json.withUnsafeBytes { bytes in
      json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, 0, &failure)
    }
    guard let parsed else {
      throw PackFault("does not hold valid JSON: line \(failure.line), column \(failure.column)")
    }
    defer { json_decref(parsed) }
    var found: [String: String] = [:]
    for key in keys {
      if let text = json_string_value(json_object_get(parsed, key)) {
        found[key] = String(cString: text)
      }
    }
    return found
  }
}
