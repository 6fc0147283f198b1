import MapStyle

/// A label's text. Nearly all are plain, and take a fifth of the memory.
enum LabelText: Sendable, Hashable {
  case plain(String)
  case formatted(FormattedText)

  static let none = LabelText.plain("")

  /// Keeps at most `TileLabelsBuilder.maxTextLength` characters.
  init(_ text: FormattedText) {
    if text.sections.count == 1, let section = text.sections.first,
      section == FormattedText.Section(section.text)
    {
      self = .plain(Self.shortened(section.text, TileLabelsBuilder.maxTextLength))
      return
    }
    var room = TileLabelsBuilder.maxTextLength
    var sections: [FormattedText.Section] = []
    for var section in text.sections.prefix(32) {
      section.text = Self.shortened(section.text, room)
      room -= section.text.unicodeScalars.count
      sections.append(section)
    }
    self = sections.isEmpty ? .none : .formatted(FormattedText(sections: sections))
  }

  private static func shortened(_ text: String, _ room: Int) -> String {
    if text.utf8.count <= room { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(room)))
  }

  /// Whether there is nothing to show.
  var isEmpty: Bool {
    switch self {
    case .plain(let text): text.isEmpty
    case .formatted(let text): text.sections.allSatisfy { $0.text.isEmpty }
    }
  }

  /// The text without its looks.
  var plain: String {
    switch self {
    case .plain(let text): text
    case .formatted(let text): text.plain
    }
  }

  /// The text in sections.
  var formatted: FormattedText {
    switch self {
    case .plain(let text): FormattedText(text)
    case .formatted(let text): text
    }
  }

  /// The colours of its sections; none if there is only one colour.
  var colors: [UInt32] {
    switch self {
    case .plain: []
    case .formatted(let text): text.sections.map { $0.color?.word() ?? 0 }
    }
  }

  /// Its size in memory in bytes, in an array.
  var bytes: Int {
    switch self {
    case .plain(let text): MemoryLayout<LabelText>.stride + text.heapBytes
    case .formatted(let text):
      text.sections.reduce(MemoryLayout<LabelText>.stride + 32) { sum, section in
        sum + MemoryLayout<FormattedText.Section>.stride + section.text.heapBytes
          + (section.image?.heapBytes ?? 0)
          + (section.font.map { $0.reduce(32) { $0 + 16 + $1.heapBytes } } ?? 0)
      }
    }
  }
}
