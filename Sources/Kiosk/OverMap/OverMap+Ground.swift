import MapOverlays
import MapScene

/// What lies under the words on the map.
extension OverMap {
  /// Chooses light or dark words by the map of the last frame, whose view rests and is complete.
  ///
  /// - Parameters:
  ///   - scene: The map.
  ///   - void: How light it is where there is no map.
  ///   - isCarried: Whether the view follows something that moves: then only words that are new are
  ///     chosen for.
  func takeGround(_ scene: Scene, void: Int, isCarried: Bool) {
    let ground = scene.groundLight() ?? void
    let isDark = DarkGround.isDark(ground, was: isGroundDark, in: painter.theme.kind)
    if isDark != isGroundDark {
      painter.isGroundDark = isDark
      outbox.add(.picture)
    }
    let isNews = markers.chooseInks(ground: ground, keeping: isCarried) {
      scene.groundLight(in: $0, void: void)
    }
    if isNews { outbox.add(.picture) }
  }
}
