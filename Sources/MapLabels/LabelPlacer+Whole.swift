/// Names of lines in a still picture, whose edge may cut no label off.
extension LabelPlacer {
  /// The most names of a line that are moved.
  private static let mostMoved = 8
  /// How far a name is moved along its line at most, in steps of an eighth of its length.
  private static let mostSteps = 16

  /// Offers a name in the picture in place of each that its edge cuts, if the line has no whole one
  /// there. Such names come after all others, and not near an equal one.
  ///
  /// - Parameters:
  ///   - anchors: Where the line's names stand, in pixels from its start.
  ///   - path: The line.
  ///   - number: Its number in `paths`.
  ///   - part: Its candidate.
  ///   - layout: What is measured of its name.
  ///   - coverage: Where other tiles cover this one.
  ///   - run: The placement.
  func offerWhole(
    _ anchors: [Float], _ path: LabelPath, _ number: Int32, _ part: LineGroup.Part,
    _ layout: LineLayout, _ coverage: TileCoverage, _ run: inout LabelRun
  ) {
    guard run.request.keepsWhole, !layout.key.text.isEmpty, layout.length > 0 else { return }
    var cut: [Float] = []
    for along in anchors {
      guard run.mayCompare(Self.mostSamples) else { return }
      let shown = shownSamples(along, of: path, layout, run)
      if shown.areAll { return }
      if shown.isAny, cut.count < Self.mostMoved { cut.append(along) }
    }
    var moved = layout
    moved.isExtra = true
    for along in cut {
      guard let place = wholePlace(near: along, on: path, layout, &run) else { continue }
      offer(place, of: path, number, part, moved, -1, coverage, &run)
    }
  }

  /// The nearest place along the line where the name lies in the picture; nil: there is none.
  private func wholePlace(
    near along: Float, on path: LabelPath, _ layout: LineLayout, _ run: inout LabelRun
  ) -> Float? {
    let (half, step) = (layout.length / 2, max(layout.length / 8, 1))
    for count in 1...Self.mostSteps {
      for sign: Float in [1, -1] {
        let place = along + sign * Float(count) * step
        guard place >= half, place <= path.length - half else { continue }
        guard run.mayCompare(Self.mostSamples) else { return nil }
        if shownSamples(place, of: path, layout, run).areAll, layout.isStraight(path, at: place) {
          return place
        }
      }
    }
    return nil
  }

  /// The most squares that stand for a name.
  private static let mostSamples = 32

  /// Whether all squares along a name lie in the picture, and whether one does. They reach a little
  /// farther than its letters.
  private func shownSamples(
    _ along: Float, of path: LabelPath, _ layout: LineLayout, _ run: LabelRun
  ) -> (areAll: Bool, isAny: Bool) {
    let (half, reach) = (layout.length / 2, max(layout.reach, 1))
    let isUpright = layout.settings.textAlignment == .viewport
    let middle = path.point(at: along)
    let count = min(max(Int(layout.length / reach), 2), Self.mostSamples)
    var (areAll, isAny) = (true, false)
    for number in 0..<count {
      let offset = layout.length * Float(number) / Float(count - 1) - half
      let point =
        isUpright
        ? LabelPath.Point(x: middle.x + offset, y: middle.y) : path.point(at: along + offset)
      let isShown = run.shows(LabelBox(x: point.x, y: point.y, radius: reach))
      (areAll, isAny) = (areAll && isShown, isAny || isShown)
    }
    return (areAll, isAny)
  }
}
