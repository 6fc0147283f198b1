/// The choice of one of a connector's modes.
public enum ModeChoice {
  /// Larger modes are chosen only if the configuration asks for them: a map gains nothing, and a
  /// board without a GPU would draw four times the pixels.
  public static let largest = (width: 1920, height: 1080)

  /// The indices of the modes to try, best first: the one asked for or else the default, then
  /// smaller and smaller ones in case memory does not suffice.
  ///
  /// - Returns: the indices; `isAsAsked` is false if a mode was asked for that is not offered.
  public static func order(
    of modes: [DisplayMode], asked: DisplayRequest.Mode?
  ) -> (order: [Int], isAsAsked: Bool) {
    guard !modes.isEmpty else { return ([], asked == nil) }
    let named = asked.flatMap { find($0, in: modes) }
    let first = named ?? standard(modes)
    let pixels = modes[first].width * modes[first].height
    let smaller = modes.indices.filter { modes[$0].width * modes[$0].height < pixels }
      .sorted { isBetter(modes[$0], modes[$1]) }
    var order = [first]
    // One of each size: another refresh rate takes the same memory.
    for index in smaller
    where modes[order[order.count - 1]].width != modes[index].width
      || modes[order[order.count - 1]].height != modes[index].height
    {
      order.append(index)
    }
    return (order, asked == nil || named != nil)
  }

  /// The mode of the requested size whose refresh rate is nearest to the requested one; without a
  /// rate the preferred mode of that size, or the one nearest to 60 Hz.
  static func find(_ asked: DisplayRequest.Mode, in modes: [DisplayMode]) -> Int? {
    let fitting = modes.indices.filter {
      modes[$0].width == asked.width && modes[$0].height == asked.height
    }
    guard let refresh = asked.refresh else {
      return fitting.first { modes[$0].isPreferred }
        ?? fitting.min { isBetter(modes[$0], modes[$1]) }
    }
    return fitting.min {
      let (a, b) = (abs(modes[$0].refresh - refresh), abs(modes[$1].refresh - refresh))
      return a != b ? a < b : !modes[$0].isInterlaced && modes[$1].isInterlaced
    }
  }

  /// The preferred mode (the first one if none is marked), or the best of at most 1920x1080 if that
  /// is larger; if all are larger, the preferred one.
  static func standard(_ modes: [DisplayMode]) -> Int {
    let preferred = modes.firstIndex { $0.isPreferred } ?? 0
    func fits(_ mode: DisplayMode) -> Bool {
      mode.width <= largest.width && mode.height <= largest.height
    }
    if fits(modes[preferred]) { return preferred }
    return modes.indices.filter { fits(modes[$0]) }.min { isBetter(modes[$0], modes[$1]) }
      ?? preferred
  }

  /// Whether `a` has more pixels than `b`, or else is progressive, or else is nearer to 60 Hz.
  private static func isBetter(_ a: DisplayMode, _ b: DisplayMode) -> Bool {
    let (pixelsA, pixelsB) = (a.width * a.height, b.width * b.height)
    if pixelsA != pixelsB { return pixelsA > pixelsB }
    if a.isInterlaced != b.isInterlaced { return !a.isInterlaced }
    return abs(a.refresh - 60) < abs(b.refresh - 60)
  }
}
