import EventLoop

extension DRMDisplay {
  /// A mode whose first frame could not be shown. Modes with as many pixels are not tried on this
  /// connector of this card, unless `mayPass`: then the best of them is awaited.
  struct TooLarge {
    /// The card's file: two cards alike have connectors alike.
    var card: String
    var connector: ConnectorInfo
    var mode: DisplayMode
    var error: DRMError
    /// Whether there may be memory for it later.
    var mayPass: Bool

    func holds(_ other: DisplayMode, on connector: ConnectorInfo, of card: String) -> Bool {
      card == self.card && connector == self.connector
        && other.width * other.height >= mode.width * mode.height
    }
  }

  /// Opens a display in the mode asked for, or in the best mode that there is memory for. A remark
  /// says if the mode differs.
  ///
  /// - Parameters:
  ///   - card: an open card, of which this process is master.
  ///   - connector: the connector to light.
  ///   - request: the mode and the format that are wanted.
  ///   - tooLarge: a mode for which memory did not suffice before; nil: none.
  ///   - atomic: false: use only the legacy calls. They are also used if the driver has atomic
  ///     commits but refuses ours.
  ///   - loop: the loop of this thread.
  /// - Returns: the display; the remark, nil if the mode is the one asked for; and a larger mode
  ///   that failed for a reason that may pass, if any.
  /// - Throws: `DRMError`, that of the last mode tried.
  static func best(
    on card: DRMCard, _ connector: DRMConnector, request: DisplayRequest,
    tooLarge: TooLarge?, atomic: Bool, loop: EventLoop
  ) throws(DRMError) -> (DRMDisplay, remark: String?, awaited: AwaitedMode.Wanted?) {
    guard atomic else {
      return try fitting(card, connector, request, tooLarge, atomic: false, loop)
    }
    do throws(DRMError) {
      return try fitting(card, connector, request, tooLarge, atomic: true, loop)
    } catch {
      if error.kind != .refused { throw error }
      return try fitting(card, connector, request, tooLarge, atomic: false, loop)
    }
  }

  private static func fitting(
    _ card: DRMCard, _ connector: DRMConnector, _ request: DisplayRequest, _ tooLarge: TooLarge?,
    atomic: Bool, _ loop: EventLoop
  ) throws(DRMError) -> (DRMDisplay, remark: String?, awaited: AwaitedMode.Wanted?) {
    let name = connector.info.name
    let modes = connector.info.modes
    let (order, isAsAsked) = ModeChoice.order(of: modes, asked: request.mode)
    var remarks: [String] = []
    if !isAsAsked, let asked = request.mode { remarks.append("\(name) has no mode \(asked)") }
    var last = DRMError(.refused, "\(card.path): \(name) has no modes")
    var awaited: AwaitedMode.Wanted?
    for index in order {
      if let tooLarge, tooLarge.holds(modes[index], on: connector.info, of: card.path) {
        last = tooLarge.error
        if tooLarge.mayPass, awaited == nil {
          awaited = .init(mode: modes[index], lackedMemory: true)
        }
        continue
      }
      do throws(DRMError) {
        let made = try triedTwice(card, connector, index, request, atomic: atomic, loop)
        if let asked = request.format, made.format != asked {
          remarks.append("\(name) does not take \(asked), so \(made.format) it is")
        }
        if index != order[0] {
          remarks.append("\(modes[order[0]]) is not possible (\(last)); using \(made.mode)")
        } else if !isAsAsked {
          remarks.append("using \(made.mode)")
        }
        return (made, remarks.isEmpty ? nil : remarks.joined(separator: "; "), awaited)
      } catch {
        last = error
        if error.kind != .noMemory && error.kind != .refused { throw error }
        // One that may succeed soon is awaited rather than one that lacks memory.
        if error.isPassing, awaited?.lackedMemory ?? true {
          awaited = .init(mode: modes[index], lackedMemory: false)
        } else if error.kind == .noMemory, awaited == nil {
          awaited = .init(mode: modes[index], lackedMemory: true)
        }
      }
    }
    throw last
  }

  /// Creates a display in one mode. A failure that may pass is retried once at once, before a
  /// smaller mode is tried.
  private static func triedTwice(
    _ card: DRMCard, _ connector: DRMConnector, _ index: Int, _ request: DisplayRequest,
    atomic: Bool, _ loop: EventLoop
  ) throws(DRMError) -> DRMDisplay {
    func tried() throws(DRMError) -> DRMDisplay {
      try DRMDisplay(
        card: card, connector: connector, modeIndex: index, format: request.format,
        rotation: request.rotation, atomic: atomic, loop: loop)
    }
    do throws(DRMError) { return try tried() } catch { if !error.isPassing { throw error } }
    return try tried()
  }

  /// Whether the driver would set `mode` while another one is lit. Nothing is shown, and nothing is
  /// left behind.
  static func isPossible(
    _ mode: DisplayMode, on card: DRMCard, _ connector: DRMConnector, _ request: DisplayRequest,
    atomic: Bool
  ) -> Bool {
    guard let index = connector.info.modes.firstIndex(of: mode),
      let pipe = try? DRMPipe(card: card, connector: connector, atomic: atomic),
      let format = ConnectorChoice.format(
        asked: request.format, offered: pipe.formats, preferredDepth: card.preferredDepth),
      let buffer = try? DRMBuffer(
        card: card, width: mode.width, height: mode.height, format: format)
    else { return false }
    defer { buffer.remove() }
    return pipe.setMode(connector.timings[index], buffer: buffer, test: true) == 0
  }
}
