import MapStyle

/// What lies below everything else on a map.
extension CompiledStyle {
  /// What a style calls the layer of the ground in `waypost:key`.
  static let ground = "ground"
  /// From this opacity on, pictures are the ground themselves.
  private static let coveringPictures = 0.5

  /// The colour of the ground at a zoom: that of the areas that the style calls so, else that of
  /// the background.
  ///
  /// - Parameters:
  ///   - zoom: The zoom, as styles count zooms.
  ///   - images: The pictures of the style's sprite sheet.
  /// - Returns: 0xFFRRGGBB; 0: the ground has no single opaque colour.
  func ground(at zoom: Double, _ images: any VectorImages) -> UInt32 {
    let context = StyleContext(zoom: zoom, images: images.names)
    func color(
      _ color: StyleProperty<StyleColor>, _ opacity: StyleProperty<Double>,
      _ pattern: StyleProperty<String?>
    ) -> UInt32 {
      guard pattern.value(context) == nil else { return 0 }
      let word = color.value(context).word(opacity: min(max(opacity.value(context), 0), 1))
      return word >> 24 == 255 ? word : 0
    }
    var found: UInt32 = 0
    for layer in style.layers where layer.isDrawn(at: zoom) {
      switch layer.kind {
      case .background(let background):
        found = color(background.color, background.opacity, background.pattern)
      case .fill(let fill) where layer.isGround:
        found = color(fill.color, fill.opacity, fill.pattern)
      case .raster(let raster) where raster.opacity.value(context) >= Self.coveringPictures:
        found = 0
      default: break
      }
    }
    return found
  }
}

extension StyleLayer {
  /// Whether the style calls it the map's ground.
  var isGround: Bool {
    guard case .some(.some(CompiledStyle.ground)) = key.constant else { return false }
    return true
  }
}
