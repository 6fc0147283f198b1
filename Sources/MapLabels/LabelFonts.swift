import Drawing

/// The fonts of labels: one family in three faces, and fonts for the scripts that it lacks.
public struct LabelFonts {
  /// The regular face.
  public var regular: FontSource
  /// The italic face; nil: the regular one is used.
  public var italic: FontSource?
  /// The semibold face; nil: the regular one is used.
  public var semibold: FontSource?
  /// Fonts for characters that the family lacks, in order of preference.
  public var others: [FontSource]

  /// Creates a set of fonts.
  public init(
    regular: FontSource, italic: FontSource? = nil, semibold: FontSource? = nil,
    others: [FontSource] = []
  ) {
    self.regular = regular
    self.italic = italic
    self.semibold = semibold
    self.others = others
  }

  /// The faces that styles name.
  enum Face: UInt8, CaseIterable { case regular, italic, semibold }

  /// The face for a style's font stack: "Noto Sans Medium", "Roboto Condensed Italic".
  static func face(_ stack: [String]) -> Face {
    guard let name = stack.first?.lowercased() else { return .regular }
    if name.contains("italic") || name.contains("oblique") { return .italic }
    let heavy = ["bold", "medium", "semibold", "heavy", "black"]
    return heavy.contains { name.contains($0) } ? .semibold : .regular
  }

  /// All sources, and for each face the numbers of fonts in order of preference.
  var arranged: (sources: [FontSource], chains: [[Int]]) {
    var sources = [regular]
    var chains: [[Int]] = [[0], [0], [0]]
    if let italic {
      chains[1].insert(sources.count, at: 0)
      sources.append(italic)
    }
    if let semibold {
      chains[2].insert(sources.count, at: 0)
      sources.append(semibold)
    }
    for other in others {
      for face in chains.indices { chains[face].append(sources.count) }
      sources.append(other)
    }
    return (sources, chains)
  }
}

/// The fonts at work: they measure and draw. One thread at a time uses them.
public final class LabelType {
  /// Sets and draws lines.
  let typesetter: Typesetter
  /// For each face, the numbers of fonts in order of preference.
  let chains: [[Int]]
  /// The faces that were found for the first names of font stacks, at most `mostFaces`: looking for
  /// words in a name takes longer than all else for a short text.
  private var faces: [String: LabelFonts.Face] = [:]
  private static let mostFaces = 64

  /// Opens the fonts. Those that cannot be used are left out.
  ///
  /// - Throws: `TextError.freeType` if FreeType does not start.
  public init(_ fonts: LabelFonts) throws(TextError) {
    let (sources, chains) = fonts.arranged
    typesetter = try Typesetter(fonts: sources)
    self.chains = chains
  }

  /// A language for each script with letters that were needed and that no font has.
  public var lackingLanguages: Set<String> { typesetter.lackingLanguages }

  /// The face for a style's font stack.
  func face(_ stack: [String]) -> LabelFonts.Face {
    guard let name = stack.first else { return LabelFonts.face(stack) }
    if let known = faces[name] { return known }
    let face = LabelFonts.face(stack)
    if faces.count >= LabelType.mostFaces { faces.removeAll(keepingCapacity: true) }
    faces[name] = face
    return face
  }

  /// Bytes that it keeps for glyphs and widths.
  public var bytes: Int { typesetter.bytes }
}
