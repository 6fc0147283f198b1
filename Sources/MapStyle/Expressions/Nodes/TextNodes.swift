/// `concat`
final class ConcatNode: StyleNode {
  let type = StyleType.string
  private let inputs: [any StyleNode]

  init(_ inputs: [any StyleNode]) { self.inputs = inputs }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    var text = ""
    for input in inputs {
      text += StyleText.string(try input.evaluate(context))
      guard text.utf8.count <= StyleText.limit else { throw StyleFailure() }
    }
    return .string(text)
  }
}

/// `upcase` and `downcase`
final class LetterCaseNode: StyleNode {
  let type = StyleType.string
  private let input: any StyleNode
  private let isUpper: Bool

  init(_ input: any StyleNode, isUpper: Bool) {
    self.input = input
    self.isUpper = isUpper
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let text = try input.string(context)
    return .string(isUpper ? text.uppercased() : text.lowercased())
  }
}

/// `split`
final class SplitNode: StyleNode {
  let type = StyleType.array(.string, nil)
  private let input: any StyleNode
  private let separator: any StyleNode

  init(_ input: any StyleNode, by separator: any StyleNode) {
    self.input = input
    self.separator = separator
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let text = Array(try input.string(context).unicodeScalars)
    let separator = Array(try separator.string(context).unicodeScalars)
    guard text.count <= StyleText.limit else { throw StyleFailure() }
    if separator.isEmpty { return .array(text.map { .string(String($0)) }) }
    var parts: [StyleValue] = []
    var part = String.UnicodeScalarView()
    var place = 0
    while place < text.count {
      if text[place...].starts(with: separator) {
        parts.append(.string(String(part)))
        part = String.UnicodeScalarView()
        place += separator.count
      } else {
        part.append(text[place])
        place += 1
      }
    }
    return .array(parts + [.string(String(part))])
  }
}

/// `join`
final class JoinNode: StyleNode {
  let type = StyleType.string
  private let input: any StyleNode
  private let separator: any StyleNode

  init(_ input: any StyleNode, by separator: any StyleNode) {
    self.input = input
    self.separator = separator
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    guard case .array(let items) = try input.evaluate(context) else { throw StyleFailure() }
    let separator = try separator.string(context)
    var text = ""
    for (index, item) in items.enumerated() {
      if index > 0 { text += separator }
      text += StyleText.string(item)
      guard text.utf8.count <= StyleText.limit else { throw StyleFailure() }
    }
    return .string(text)
  }
}

/// `image`
final class ImageNode: StyleNode {
  let type = StyleType.image
  private let name: any StyleNode

  init(_ name: any StyleNode) { self.name = name }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .image(try name.string(context))
  }
}

/// `format`
final class FormatNode: StyleNode {
  /// A section of the text, and its looks.
  struct Section: Sendable {
    var content: any StyleNode
    var scale: (any StyleNode)?
    var font: (any StyleNode)?
    var color: (any StyleNode)?
    var alignment: (any StyleNode)?
  }

  let type = StyleType.formatted
  private let sections: [Section]

  init(_ sections: [Section]) { self.sections = sections }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    var text = FormattedText(sections: [])
    var bytes = 0
    text.sections.reserveCapacity(sections.count)
    for section in sections {
      let evaluated = try FormatNode.evaluate(section, context)
      bytes += evaluated.text.utf8.count
      guard bytes <= StyleText.limit else { throw StyleFailure() }
      text.sections.append(evaluated)
    }
    return .formatted(text)
  }

  private static func evaluate(
    _ section: Section, _ context: StyleContext
  ) throws(StyleFailure) -> FormattedText.Section {
    var result = FormattedText.Section("")
    if let alignment = section.alignment {
      result.alignment = FormattedText.VerticalAlignment(rawValue: try alignment.string(context))
    }
    let content = try section.content.evaluate(context)
    if case .image(let name) = content {
      result.image = name
      return result
    }
    result.text = StyleText.string(content)
    if let scale = section.scale { result.scale = try scale.number(context) }
    if let font = section.font {
      guard case .array(let names) = try font.evaluate(context) else { throw StyleFailure() }
      result.font = names.compactMap(\.string)
    }
    if let color = section.color {
      guard case .color(let value) = try color.evaluate(context) else { throw StyleFailure() }
      result.color = value
    }
    return result
  }
}
