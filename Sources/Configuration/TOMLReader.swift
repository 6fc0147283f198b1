import CTOML

extension ConfigValue {
  /// A configuration file may have at most this many bytes.
  public static let maxFileBytes = TOMLText.maxBytes

  /// Parses a TOML 1.0 document. Its size, nesting and key parts are limited (see `TOMLText`).
  ///
  /// - Parameters:
  ///   - bytes: the document, UTF-8.
  ///   - file: the name that findings print.
  ///   - directory: the folder that relative paths in the document start from; nil: only absolute
  ///     ones are accepted.
  /// - Returns: the document's root, a table.
  /// - Throws: `Finding`, the first error with its line.
  public static func parse(
    toml bytes: [UInt8], file: String, directory: String?
  ) throws(Finding) -> ConfigValue {
    func finding(_ line: Int, _ column: Int, _ reason: String) -> Finding {
      Finding(
        file: file, line: max(1, line), severity: .error,
        text: "not TOML at column \(max(1, column)): \(reason)")
    }
    let text: TOMLText
    do throws(TOMLText.Fault) {
      text = try TOMLText(bytes)
    } catch {
      throw finding(error.line, error.column, error.reason)
    }
    let document = text.ascii.withUnsafeBytes {
      ctoml_parse($0.bindMemory(to: CChar.self).baseAddress, $0.count)
    }
    guard let document else {
      throw Finding(file: file, line: 1, severity: .error, text: "no memory to read it")
    }
    defer { ctoml_free(document) }
    var (line, column): (UInt32, UInt32) = (0, 0)
    let problem = ctoml_error(document, &line, &column)
    // The library's first error counts; for an error on the same line, our own is more precise.
    if let fault = text.fault, problem == nil || Int(line) >= fault.line {
      throw finding(fault.line, fault.column, fault.reason)
    }
    if let problem {
      throw finding(
        Int(line), text.column(Int(column), line: Int(line)), String(cString: problem))
    }
    var count = 0
    let nodes = UnsafeBufferPointer(start: ctoml_nodes(document, &count), count: count)
    return tree(nodes, 0, file, directory, above: 1)
  }

  /// Recursion is bounded by the limits on nesting and on key parts.
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
    TOMLText.decoded(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
