extension SourceSpec {
  /// Opens the source: checks the file or folder, reads its metadata and one tile, and applies the
  /// settings that override them.
  ///
  /// - Parameter scale: the display's pixels a point, for sources that have tiles for it: 1 to 4.
  /// - Returns: the source, open.
  /// - Throws: a `SourceError` that names the file and says what would be right.
  public func open(scale: Int = 1) throws(SourceError) -> any TileSource {
    switch location {
    case .path(let path): try SourceSpec.open(path, scheme, scale, settings: self)
    case .paths(let paths): try PackStack(paths, scheme: scheme, scale: scale, settings: self)
    case .memory(let bytes): applied(to: try PMTilesSource(bytes))
    case .url(let template): try openTemplate(template, scale)
    case .provider(let socket):
      applied(to: try ProviderSource(socket: socket, scale: scale, trust: trust))
    }
  }

  private func openTemplate(_ template: String, _ scale: Int) throws(SourceError) -> any TileSource
  {
    guard !isFetched else { return try openFetched(scale) }
    return applied(
      to: try TemplateSource(
        template, scheme: scheme ?? .xyz, subdomains: subdomains, scale: scale,
        levels: (minZoom ?? 0)...max(maxZoom ?? 22, minZoom ?? 0), trust: trust))
  }

  /// Connects to `waypost-fetch serve`, which has the tiles of http(s) sources.
  private func openFetched(_ scale: Int) throws(SourceError) -> any TileSource {
    let socket = FetchSocket.path(for: name)
    do {
      return applied(to: try ProviderSource(socket: socket, scale: scale))
    } catch {
      // Whatever the socket says may change: another program may listen there now, but not for
      // ever.
      throw SourceError(
        file: socket,
        reason: "waypost-fetch is not running, or has not read this source: \(error.reason). As a "
          + "service: systemctl enable --now waypost-fetch", isTransient: true)
    }
  }

  /// Opens a single pack or folder at `path`.
  static func open(
    _ path: String, _ scheme: Scheme?, _ scale: Int, settings: SourceSpec
  ) throws(SourceError) -> any TileSource {
    let kind: PackKind
    do {
      kind = try PackKind(path: path, trust: settings.trust)
    } catch {
      throw SourceError(error, file: path)
    }
    return switch kind {
    case .folder:
      settings.applied(
        to: try TileFolder(
          path: path, scheme: scheme ?? .xyz, scale: scale, trust: settings.trust))
    case .pmtiles:
      settings.applied(
        to: try PMTilesSource(
          path: path, scheme: scheme ?? .xyz, trust: settings.trust))
    case .mbtiles:
      settings.applied(
        to: try MBTilesSource(
          path: path, scheme: scheme ?? .tms, trust: settings.trust))
    }
  }

  /// Overrides the source's info with this specification's settings, and returns it.
  private func applied(to source: some AdjustableSource) -> any TileSource {
    if let minZoom { source.info.minZoom = minZoom }
    if let maxZoom { source.info.maxZoom = maxZoom }
    if let attribution { source.info.attribution = PlainText.stripping(html: attribution) }
    return source
  }
}

/// The built-in sources, whose info the configuration may override.
protocol AdjustableSource: TileSource {
  var info: SourceInfo { get set }
}

extension MBTilesSource: AdjustableSource {}
extension PMTilesSource: AdjustableSource {}
extension TileFolder: AdjustableSource {}
extension TemplateSource: AdjustableSource {}
extension PackStack: AdjustableSource {}
