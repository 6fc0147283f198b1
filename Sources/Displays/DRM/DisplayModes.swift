import Pixels

/// A mode that a connector offers.
public struct DisplayMode: Sendable, Equatable, CustomStringConvertible {
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Frames a second.
  public var refresh: Double
  /// The panel's own mode.
  public var isPreferred: Bool
  /// Every other row with each field.
  public var isInterlaced: Bool

  /// A mode; nothing is checked.
  public init(
    width: Int, height: Int, refresh: Double, isPreferred: Bool = false, isInterlaced: Bool = false
  ) {
    self.width = width
    self.height = height
    self.refresh = refresh
    self.isPreferred = isPreferred
    self.isInterlaced = isInterlaced
  }

  /// "1280x720@60", "720x576i@50".
  public var description: String {
    let tenths = Int((refresh * 10).rounded())
    let rate = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(width)x\(height)\(isInterlaced ? "i" : "")@\(rate)"
  }

  /// Frames a second from a mode's timing: the pixel clock in kHz over the pixels of a whole scan,
  /// as the kernel's drm_mode_vrefresh (drm_modes.c) but not rounded; 60 where a driver gives none.
  public static func refresh(
    clock: Int, horizontalTotal: Int, verticalTotal: Int, interlaced: Bool, doubleScan: Bool
  ) -> Double {
    guard clock > 0, horizontalTotal > 0, verticalTotal > 0 else { return 60 }
    var rate = Double(clock) * 1000 / Double(horizontalTotal) / Double(verticalTotal)
    if interlaced { rate *= 2 }
    if doubleScan { rate /= 2 }
    return rate
  }
}

/// Which of a connector's modes to use.
public enum ModeChoice {
  /// What is larger than this is not chosen unless it is asked for by name: a map gains nothing,
  /// and a board without a GPU would draw four times the pixels.
  public static let largest = (width: 1920, height: 1080)

  /// The modes to try, best first, by their place in `modes`: what was asked for, or else the
  /// default, and then ever smaller ones, for where memory does not suffice.
  ///
  /// - Returns: `isAsAsked`: false where a mode was asked for that is not offered.
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

  /// The mode of the size asked for whose refresh rate is nearest; without a rate the preferred one
  /// of that size, or the one nearest to 60 Hz.
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

  /// The preferred mode (the first where none is marked), or the best of at most 1920x1080 if that
  /// is larger; where all are larger, the preferred one.
  static func standard(_ modes: [DisplayMode]) -> Int {
    let preferred = modes.firstIndex { $0.isPreferred } ?? 0
    func fits(_ mode: DisplayMode) -> Bool {
      mode.width <= largest.width && mode.height <= largest.height
    }
    if fits(modes[preferred]) { return preferred }
    return modes.indices.filter { fits(modes[$0]) }.min { isBetter(modes[$0], modes[$1]) }
      ?? preferred
  }

  /// More pixels, then progressive, then nearest to 60 Hz.
  private static func isBetter(_ a: DisplayMode, _ b: DisplayMode) -> Bool {
    let (pixelsA, pixelsB) = (a.width * a.height, b.width * b.height)
    if pixelsA != pixelsB { return pixelsA > pixelsB }
    if a.isInterlaced != b.isInterlaced { return !a.isInterlaced }
    return abs(a.refresh - 60) < abs(b.refresh - 60)
  }
}

/// A socket of a card's, and what is plugged into it.
public struct ConnectorInfo: Sendable, Equatable {
  /// Whether something is plugged in.
  public enum Status: Sendable { case connected, disconnected, unknown }

  /// The kernel's number.
  public var id: UInt32
  /// "HDMI-A-1": as below /sys/class/drm.
  public var name: String
  /// Whether something is plugged in.
  public var status: Status
  /// The modes that it offers, in the kernel's order.
  public var modes: [DisplayMode]

  /// A connector as it was read.
  public init(id: UInt32, name: String, status: Status, modes: [DisplayMode]) {
    self.id = id
    self.name = name
    self.status = status
    self.modes = modes
  }
}

/// Which connector, and which pixel format.
public enum ConnectorChoice {
  /// The one to light, by its place: the one named if it is connected, else the first connected
  /// one; where none says that it is connected, the first that cannot tell (drm_mode.h's
  /// DRM_MODE_UNKNOWNCONNECTION). One without modes cannot be lit.
  public static func choose(_ connectors: [ConnectorInfo], named name: String?) -> Int? {
    for status in [ConnectorInfo.Status.connected, .unknown] {
      let found = connectors.firstIndex {
        $0.status == status && !$0.modes.isEmpty && (name == nil || $0.name == name)
      }
      if let found { return found }
    }
    return nil
  }

  /// The format for a primary plane.
  ///
  /// - Parameters:
  ///   - asked: what the configuration asks for; nil: nothing.
  ///   - offered: what the plane takes; empty: not told.
  ///   - preferredDepth: the driver's DRM_CAP_DUMB_PREFERRED_DEPTH; 0: it has none.
  /// - Returns: what was asked for, or else: rgb565 where the driver prefers 16 bits (an SPI
  ///   panel's would convert each frame) or has nothing else, xrgb8888 everywhere else. Nil:
  ///   neither.
  public static func format(
    asked: PixelFormat?, offered: Set<PixelFormat>, preferredDepth: Int
  ) -> PixelFormat? {
    if let asked, offered.contains(asked) { return asked }
    if preferredDepth == 16, offered.contains(.rgb565) { return .rgb565 }
    if offered.contains(.xrgb8888) { return .xrgb8888 }
    return offered.contains(.rgb565) ? .rgb565 : nil
  }
}
