import Drawing
import Pixels

/// Draws the labels of markers and overlays.
extension MarkerArt {
  /// The kinds of labels.
  enum Style: Hashable {
    case overlay, marker, here
    /// That of "here" where there is no room for it: on more lines, as large as other labels, both.
    case narrowHere, smallHere, narrowSmallHere

    /// What is tried for the label of "here", the best first.
    static let heres: [Style] = [.here, .narrowHere, .smallHere, .narrowSmallHere]

    fileprivate var isNarrow: Bool { self == .narrowHere || self == .narrowSmallHere }
    fileprivate var isLarge: Bool { self == .here || self == .narrowHere }
  }

  /// The sizes of labels, in points.
  static let labelSize = 15.0
  static let hereLabelSize = 26.0
  /// The widest lines, in ems. Longer labels are broken once, and end in an ellipsis if two lines
  /// are not enough.
  static let labelEms = 14
  /// The most lines.
  static let labelLines = 2
  /// The same for narrow labels.
  static let narrowEms = 4
  static let narrowLines = 3

  /// The distance of a label from its icon in pixels. The focus has room between them.
  var labelGap: Int { painter.px(4) }
  /// The colours of a label.
  func labelInk(_ ink: LabelInk) -> (ink: UInt32, halo: UInt32) {
    switch ink {
    case .own(let color): (color, painter.halo(around: color))
    case .onLight: painter.words(onDark: false)
    case .onDark: painter.words(onDark: true)
    }
  }

  /// Pixels of so many points.
  func pixels(_ points: Int) -> Int { painter.px(Double(points)) }

  private func labelSize(_ style: Style) -> Int {
    painter.px(style.isLarge ? MarkerArt.hereLabelSize : MarkerArt.labelSize)
  }

  /// Labels of the map's overlays are lighter than those of markers.
  private func labelWeight(_ style: Style) -> TextRenderer.Weight {
    style == .overlay ? .regular : .bold
  }

  /// The lines of a label, and the size of its picture in pixels with its halo.
  func labelLines(_ label: String, _ style: Style) -> LabelTexts.Lines {
    let (size, weight) = (labelSize(style), labelWeight(style))
    let halo = TextRenderer.haloRadius(size: size, width: painter.haloWidth)
    var most = MarkerArt.labelEms * size
    let mostLines = style.isNarrow ? MarkerArt.narrowLines : MarkerArt.labelLines
    func broken(_ width: Int) -> [String] {
      painter.text?.wrap(
        label, size: size, weight: weight, width: width, maxLines: mostLines) ?? [label]
    }
    func width(_ lines: [String]) -> Int {
      lines.map { painter.width($0, size: size, weight: weight) }.max() ?? 0
    }
    // A narrow label breaks no word.
    if style.isNarrow {
      let words = label.split { $0 == " " || $0.isNewline }.map(String.init)
      most = min(most, max(MarkerArt.narrowEms * size, width(words)))
    }
    var lines = broken(most)
    var widest = width(lines)
    let whole = painter.width(label, size: size, weight: weight)
    if !style.isNarrow, lines.count == 2, whole <= 2 * most {
      // Two lines of about the same length, if that cuts nothing off.
      let even = broken(whole * 11 / 20)
      if even.count == 2, even.joined().count >= lines.joined().count, width(even) <= widest {
        (lines, widest) = (even, width(even))
      }
    }
    let height = painter.lineHeight(size, weight: weight).height
    return LabelTexts.Lines(
      lines: lines, width: widest + 2 * halo, height: max(1, lines.count) * height + 2 * halo)
  }

  /// A label, anchored at the middle of its left edge.
  func label(
    _ text: LabelTexts.Lines, _ ink: LabelInk, _ style: Style, _ alignment: TextAlignment
  ) -> MarkerPicture? {
    guard painter.text != nil else { return nil }
    let (size, weight) = (labelSize(style), labelWeight(style))
    let halo = TextRenderer.haloRadius(size: size, width: painter.haloWidth)
    let line = painter.lineHeight(size, weight: weight)
    let colors = labelInk(ink)
    let image = painter.image(width: text.width, height: text.height) { canvas in
      for (n, words) in text.lines.enumerated() {
        let rest = text.width - 2 * halo - painter.width(words, size: size, weight: weight)
        let inset =
          switch alignment {
          case .left: 0
          case .middle: rest / 2
          case .right: rest
          }
        painter.drawText(
          words, size: size, weight: weight, color: colors.ink, halo: colors.halo,
          x: halo + inset, baseline: halo + n * line.height + line.ascent, on: canvas)
      }
    }
    return MarkerPicture(
      image: image, anchorX: 0, anchorY: text.height / 2, left: 0, right: text.width,
      middle: text.height / 2)
  }
}
