import MapStyle

/// A style's layers grouped by the source layer that they draw, made once for a style.
final class CompiledStyle: Sendable {
  /// A layer of the style that draws features.
  struct Rule: Sendable {
    /// The layer's number in the style.
    let order: Int
    let layer: StyleLayer
    /// What the looks of its features depend on; nothing for symbols, whose looks are found feature
    /// by feature.
    let reads: StyleReads
    /// What both its filter and its looks read.
    let matchReads: StyleReads
    /// Whether it has a sort key.
    let isSorted: Bool
    /// What a symbol's text, icon, sort key and settings depend on; nothing for other rules.
    let labelReads: StyleReads
    /// Whether a symbol's settings depend on the feature.
    let hasManyLooks: Bool
  }

  /// The rules of a source layer, in the style's order.
  struct Group: Sendable {
    let sourceLayer: String
    var rules: [Rule] = []
  }

  let style: MapStyle
  let groups: [Group]
  /// The source layers that are drawn.
  let sourceLayers: Set<String>

  init(_ style: MapStyle) {
    self.style = style
    var groups: [Group] = []
    var numbers: [String: Int] = [:]
    for (order, layer) in style.layers.enumerated() where layer.isVisible {
      guard let name = layer.sourceLayer, let rule = Self.rule(order, layer) else { continue }
      let number = numbers[name] ?? groups.count
      if number == groups.count {
        numbers[name] = number
        groups.append(Group(sourceLayer: name))
      }
      groups[number].rules.append(rule)
    }
    self.groups = groups
    sourceLayers = Set(numbers.keys)
  }

  private static func rule(_ order: Int, _ layer: StyleLayer) -> Rule? {
    var reads = StyleReads()
    var labelReads = StyleReads()
    var hasManyLooks = false
    let isSorted: Bool
    switch layer.kind {
    case .background, .raster: return nil
    case .fill(let style):
      reads = style.reads
      isSorted = style.sortKey.isSet
    case .line(let style):
      reads = style.reads
      isSorted = style.sortKey.isSet
    case .circle(let style):
      reads = style.reads
      isSorted = style.sortKey.isSet
    case .symbol(let style):
      isSorted = style.sortKey.isSet
      labelReads = style.settingsReads
      hasManyLooks = labelReads.feature
      labelReads.formUnion(style.contentReads)
    }
    var matchReads = reads
    if let filter = layer.filter { matchReads.formUnion(filter.reads) }
    return Rule(
      order: order, layer: layer, reads: reads, matchReads: matchReads, isSorted: isSorted,
      labelReads: labelReads, hasManyLooks: hasManyLooks)
  }
}

extension StyleReads {
  init(_ all: StyleReads...) {
    self.init()
    for reads in all { formUnion(reads) }
  }
}

extension FillStyle {
  /// What the looks of its features depend on.
  var reads: StyleReads {
    StyleReads(
      antialias.reads, color.reads, opacity.reads, outlineColor.reads, translate.reads,
      pattern.reads, sortKey.reads)
  }
}

extension LineStyle {
  /// What the looks of its features depend on.
  var reads: StyleReads {
    StyleReads(
      cap.reads, join.reads, miterLimit.reads, roundLimit.reads, sortKey.reads, opacity.reads,
      color.reads, translate.reads, width.reads, gapWidth.reads, offset.reads, blur.reads,
      dashes.reads, pattern.reads)
  }
}

extension CircleStyle {
  /// What the looks of its features depend on.
  var reads: StyleReads {
    StyleReads(
      radius.reads, color.reads, blur.reads, opacity.reads, translate.reads, strokeWidth.reads,
      strokeColor.reads, strokeOpacity.reads, sortKey.reads)
  }
}
