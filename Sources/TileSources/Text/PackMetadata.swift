import CJansson
import Platform

/// The JSON metadata of packs.
package enum PackMetadata {
  /// The most memory that the values may take while they are parsed, in bytes: a few KiB of a
  /// hostile archive unpack to 2 MiB of empty objects, which would take 160 MB.
  private static let memoryLimit = 16 << 20

  /// Those values of `keys` in the object `json` (UTF-8) that are strings.
  ///
  /// - Throws: A fault with line and column if it is not valid JSON, or one if it has too many
  ///   values.
  package static func strings(
    ofJSON json: [UInt8], keys: [String]
  ) throws(PackFault) -> [String: String] {
    guard isSmall(json) else {
      throw PackFault("has more values than are read: their parsing would take too much memory")
    }
    guard SpareMemory.has(memory(toParse: json)) else {
      throw PackFault.noMemory(memory(toParse: json))
    }
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

  /// Whether parsing `json` takes little memory.
  static func isSmall(_ json: [UInt8]) -> Bool { memory(toParse: json) <= memoryLimit }

  /// About what jansson takes for the values of `json`: an object has a table of its own, and each
  /// member and element follows a bracket, a brace or a comma. Those in texts are counted as well.
  private static func memory(toParse json: [UInt8]) -> Int {
    var (containers, others) = (0, 0)
    for byte in json {
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        containers += 1
      } else if byte == UInt8(ascii: ",") {
        others += 1
      }
    }
    return json.count + 256 * containers + 112 * others
  }
}
