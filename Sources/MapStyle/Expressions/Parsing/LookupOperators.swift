/// What an expression reads of the feature and its surroundings.
enum LookupOperators {
  /// Their names.
  static let names: Set<String> = [
    "get", "has", "zoom", "id", "geometry-type", "properties", "global-state", "feature-state",
    "is-supported-script",
  ]

  /// Compiles `[name, …]`; nil if the name is none of these.
  ///
  /// - Throws: `ExpressionError`
  static func parse(
    _ name: String, _ items: [StyleValue], _ parser: inout ExpressionParser
  ) throws(ExpressionError) -> Parsed? {
    switch name {
    case "get":
      return try lookUp(items, &parser, { GetNode($0) }, { LookupNode($0, in: $1) })
    case "has":
      return try lookUp(items, &parser, { HasNode($0) }, { HasLookupNode($0, in: $1) })
    case "zoom":
      return try context(.zoom, items, &parser) { $0.zoom = true }
    case "id":
      return try context(.id, items, &parser) { $0.id = true }
    case "geometry-type":
      return try context(.geometry, items, &parser) { $0.geometry = true }
    case "properties":
      return try context(.properties, items, &parser) { $0.allKeys = true }
    case "global-state":
      guard items.count == 2 else {
        throw parser.error("1 argument expected, \(items.count - 1) found")
      }
      guard case .string(let key) = items[1] else { throw parser.error("a name is expected") }
      return Parsed(GlobalStateNode(parser.globals[key] ?? .null)).unfolded()
    // Nothing sets a state of features, so each is null.
    case "feature-state":
      let key = try parser.arguments(items, .string)
      return Parsed(GlobalStateNode(.null), of: key).unfolded()
    case "is-supported-script":
      let text = try parser.arguments(items, .string)
      return Parsed(SupportedScriptNode(text[0].node), of: text)
    default: return nil
    }
  }

  private static func context(
    _ part: ContextNode.Part, _ items: [StyleValue], _ parser: inout ExpressionParser,
    _ reads: (inout StyleReads) -> Void
  ) throws(ExpressionError) -> Parsed {
    guard items.count == 1 else {
      throw parser.error("no argument expected, \(items.count - 1) found")
    }
    return Parsed(ContextNode(part)).reading(reads)
  }

  /// A property of the feature, or a member of the object that is the second argument.
  private static func lookUp(
    _ items: [StyleValue], _ parser: inout ExpressionParser,
    _ named: (String) -> any StyleNode,
    _ computed: (any StyleNode, (any StyleNode)?) -> any StyleNode
  ) throws(ExpressionError) -> Parsed {
    if items.count == 3 {
      let parts = try parser.arguments(items, .string, .object)
      return Parsed(computed(parts[0].node, parts[1].node), of: parts)
    }
    guard items.count == 2 else {
      throw parser.error("1 or 2 arguments expected, \(items.count - 1) found")
    }
    let key = try parser.arguments(items, .string)
    if let literal = key[0].node as? LiteralNode, let name = literal.value.string {
      return Parsed(named(name), of: key).reading { $0.keys.insert(name) }
    }
    return Parsed(computed(key[0].node, nil), of: key).reading { $0.allKeys = true }
  }
}
