import CTOML

extension ConfigValue {
  /// The most bytes that a configuration file may have.
  public static let maxFileBytes = Int(CTOML_MAX_BYTES)

  /// The tree of a TOML 1.0 document; bounded in size, nesting and key parts (see CTOML.h).
  ///
  /// - Parameters:
  ///   - file: the name that findings print.
  ///   - directory: what relative paths in the document are relative to.
  /// - Throws: the parser's first error with its line.
  public static func parse(
    toml bytes: [UInt8], file: String, directory: String?
  ) throws(Finding) -> ConfigValue {
    if let plain = PlainTOML.parse(bytes, file: file, directory: directory) { return plain }
    return try parseWhole(bytes, file: file, directory: directory)
  }

  /// The same by the library alone.
  static func parseWhole(
    _ bytes: [UInt8], file: String, directory: String?
  ) throws(Finding) -> ConfigValue {
    let document = bytes.withUnsafeBytes {
      ctoml_parse($0.bindMemory(to: CChar.self).baseAddress, $0.count)
    }
    guard let document else {
      throw Finding(file: file, line: 1, severity: .error, text: "no memory to read it")
    }
    defer { ctoml_free(document) }
    var line: UInt32 = 0
    var column: UInt32 = 0
    if let text = ctoml_error(document, &line, &column) {
      throw Finding(
        file: file, line: max(1, Int(line)), severity: .error,
        text: "not TOML at column \(max(1, column)): \(String(cString: text))")
    }
    var count = 0
    let nodes = UnsafeBufferPointer(start: ctoml_nodes(document, &count), count: count)
    return tree(nodes, 0, file, directory, above: 1)
  }

  /// Recursion is bounded by the shim's limits on nesting.
  private static func tree(
    _ nodes: UnsafeBufferPointer<ctoml_node>, _ index: Int, _ file: String, _ directory: String?,
    above: Int
  ) -> ConfigValue {
    let node = nodes[index]
    let line = node.line > 0 ? Int(node.line) : above
    let children = node.first_child..<node.first_child + node.child_count
    let content: Content
    switch node.type {
    case CTOML_TABLE:
      content = .table(
        children.map {
          let value = tree(nodes, $0, file, directory, above: line)
          let keyLine = nodes[$0].key_line > 0 ? Int(nodes[$0].key_line) : value.origin.line
          return Entry(key: text(nodes[$0].key, nodes[$0].key_length), line: keyLine, value: value)
        })
    case CTOML_ARRAY:
      content = .array(children.map { tree(nodes, $0, file, directory, above: line) })
    case CTOML_STRING: content = .string(text(node.string, node.string_length))
    case CTOML_INTEGER: content = .integer(Int(node.integer))
    case CTOML_FLOAT: content = .double(node.floating)
    case CTOML_BOOLEAN: content = .boolean(node.boolean)
    default: content = .other("a date")
    }
    return ConfigValue(content, origin: Origin(file: file, directory: directory, line: line))
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return String(decoding: bytes, as: UTF8.self)
  }
}
