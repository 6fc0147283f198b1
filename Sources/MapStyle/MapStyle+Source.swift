extension MapStyle {
  /// The style without the layers of other vector sources than the map's, each with a finding.
  ///
  /// A map is one of the style's vector sources: the one with the map's name, else the one of which
  /// most layers are in the map, the first of several. A style without vector sources may call its
  /// map by any name.
  ///
  /// - Parameters:
  ///   - name: The map's name.
  ///   - layers: The map's layers; empty: unknown.
  /// - Returns: The style with the layers of this map, and those that need none.
  public func limited(toMap name: String, with layers: [String]) -> MapStyle {
    guard let map = source(ofMap: name, with: layers) else { return self }
    var (kept, findings) = ([StyleLayer](), findings)
    for layer in self.layers {
      guard layer.isOfVectors, let source = layer.source, source != map else {
        kept.append(layer)
        continue
      }
      guard layer.isVisible else { continue }
      let reason =
        switch sources[source]?.type {
        case "vector": "its source \"\(source)\" is not the map, which is \"\(map)\""
        case let type?: "its source \"\(source)\" has the type \"\(type)\", not \"vector\""
        case nil: "the style has no source \"\(source)\"; the map is \"\(map)\""
        }
      findings.append(
        StyleFinding(.layer, layer: layer.id, reason: "is not drawn: \(reason)"))
    }
    return MapStyle(
      name: self.name, layers: kept, findings: findings, sources: sources, sprites: sprites)
  }

  /// Which source is the map; nil: no layer names one.
  private func source(ofMap name: String, with layers: [String]) -> String? {
    let declared = sources.filter { $0.value.type == "vector" }.keys
    if declared.contains(name) { return name }
    let known = Set(layers)
    var counts: [(source: String, count: Int)] = []
    for layer in self.layers where layer.isOfVectors {
      guard let source = layer.source,
        declared.isEmpty ? sources[source] == nil : declared.contains(source)
      else { continue }
      let isInMap = known.isEmpty || layer.sourceLayer.map(known.contains) == true
      if let index = counts.firstIndex(where: { $0.source == source }) {
        counts[index].count += isInMap ? 1 : 0
      } else {
        counts.append((source, isInMap ? 1 : 0))
      }
    }
    var best = counts.first
    for other in counts where other.count > best?.count ?? 0 { best = other }
    // A source that no layer uses still is what an undeclared one is not.
    return best?.source ?? declared.min()
  }
}

extension StyleLayer {
  /// Whether it draws vector tiles.
  fileprivate var isOfVectors: Bool {
    switch kind {
    case .background, .raster: false
    case .fill, .line, .symbol, .circle: true
    }
  }
}
