import Configuration
import Displays
import EventLoop
import Glibc
import Pixels

/// What the environment says of screens.
struct ScreenVariables: Sendable {
  /// WAYPOST_CONSOLE=keep: the console goes to a successor where the service manager keeps the
  /// picture.
  var keepsConsole = false
  /// WAYPOST_DRM_LEGACY is set: displays are driven by the legacy calls even where the driver has
  /// atomic commits.
  var usesLegacyCalls = false

  /// Reads the variables and removes them: call it before any thread starts.
  static func fromEnvironment() -> ScreenVariables {
    func take(_ name: String) -> String? {
      defer { unsetenv(name) }
      return getenv(name).map { String(cString: $0) }
    }
    return ScreenVariables(
      keepsConsole: take("WAYPOST_CONSOLE") == "keep",
      usesLegacyCalls: take("WAYPOST_DRM_LEGACY") != nil)
  }
}

/// Opens the screen that a configuration asks for.
final class Screens {
  private let loop: EventLoop
  private let services: ServiceManager?
  /// Made once, with the first screen that is a panel; see `Console`.
  private var console: Console?
  private var hasDropped = false
  /// A demo takes no console, so that Ctrl-C ends it, and needs no panel.
  private let isDemo: Bool
  private let variables: ScreenVariables
  private(set) var auto: AutoScreen?

  init(
    loop: EventLoop, services: ServiceManager?, isDemo: Bool,
    variables: ScreenVariables = ScreenVariables()
  ) {
    self.loop = loop
    self.services = services
    self.isDemo = isDemo
    self.variables = variables
  }

  /// Opens it. Where there is no device yet, the screen waits for one.
  func open(_ d: Configuration.Display) -> any Screen {
    auto = nil
    if services?.holds(DRMScreen.storedName) == true {
      // A kept descriptor stays DRM master, so the card could not be used again.
      services?.remove(DRMScreen.storedName)
    }
    let headless = headless(d)
    if d.backend == .headless {
      dropKept()
      console?.close()
      return FixedScreen(headless)
    }
    let screen = AutoScreen(openers(d), standIn: headless, loop: loop)
    if isDemo, !screen.isConnected {
      screen.close()
      return FixedScreen(headless)
    }
    auto = screen
    return screen
  }

  private func headless(_ d: Configuration.Display) -> HeadlessDisplay {
    HeadlessDisplay(
      width: d.size.width, height: d.size.height, format: d.format ?? .xrgb8888,
      rotation: MountingRotation(rawValue: d.rotation) ?? .none, loop: loop,
      isPopulated: d.backend == .headless)
  }

  private func openers(_ d: Configuration.Display) -> [AutoScreen.Opener] {
    var openers: [AutoScreen.Opener] = []
    if d.backend != .fbdev, d.device?.hasPrefix("/dev/fb") != true {
      openers.append(
        AutoScreen.Opener(name: "drm", subsystem: "drm") { [unowned self] in openDRM(d) })
    }
    if d.backend != .drm, d.device?.hasPrefix("/dev/dri/") != true {
      openers.append(
        AutoScreen.Opener(name: "fbdev", subsystem: "graphics") { [unowned self] in
          openFramebuffer(d)
        })
    }
    if openers.isEmpty {
      openers.append(
        AutoScreen.Opener(name: "display", subsystem: "") {
          .failure(
            DisplayError(
              "backend = \"\(d.backend)\" and device = \"\(d.device ?? "")\" do not go together; drm is"
                + " below /dev/dri, fbdev is /dev/fb0 and so on"))
        })
    }
    return openers
  }

  /// The console, taken; nil in a demo.
  private func takenConsole() -> Console? {
    if isDemo { return nil }
    if let console {
      console.takeAgain(loop)
      return console
    }
    let made = Console(loop: loop)
    console = made
    return made
  }

  private func openDRM(_ d: Configuration.Display) -> Result<any Screen, DisplayError> {
    var request = DisplayRequest()
    request.device = d.device
    request.connector = d.connector
    request.mode = d.mode.map {
      DisplayRequest.Mode(
        width: $0.size.width, height: $0.size.height, refresh: $0.refresh)
    }
    request.size = (d.size.width, d.size.height)
    request.rotation = MountingRotation(rawValue: d.rotation) ?? .none
    request.format = d.format
    guard DRMScreen.isPossible(request) else {
      dropKept()
      return .failure(
        DisplayError(
          d.device.map { "\($0): there is no such card that can show a picture" }
            ?? "no card in /dev/dri that can show a picture"))
    }
    do {
      return .success(
        try DRMScreen.open(
          request, loop: loop, console: takenConsole(), services: services,
          atomic: !variables.usesLegacyCalls))
    } catch {
      return .failure(DisplayError("\(error)"))
    }
  }

  private func openFramebuffer(_ d: Configuration.Display) -> Result<any Screen, DisplayError> {
    let request = FramebufferRequest(
      device: d.device, width: d.mode?.size.width, height: d.mode?.size.height, format: d.format,
      rotation: MountingRotation(rawValue: d.rotation) ?? .none)
    dropKept()
    // Without a device the console is not taken.
    guard access(d.device ?? FramebufferScreen.devices().first ?? "/dev/fb0", W_OK) == 0 else {
      return .failure(
        DisplayError("\(FramebufferError(opening: d.device ?? "/dev/fb0", code: errno))"))
    }
    do throws(FramebufferError) {
      return .success(
        try FramebufferScreen(request, loop: loop, console: takenConsole()))
    } catch {
      return .failure(DisplayError("\(error)"))
    }
  }

  /// Closes the card that the service manager kept if its display is no longer used.
  private func dropKept() {
    if hasDropped { return }
    hasDropped = true
    for fd in ServiceManager.takeDescriptors(named: DRMScreen.storedName) {
      Glibc.close(fd)
      services?.remove(DRMScreen.storedName)
    }
  }

  /// Why there is no display; nil if there is one, with or without a monitor.
  var trouble: String? { auto?.refusal }

  /// Restores the console, or leaves it to the next process if the service manager keeps the
  /// picture.
  ///
  /// The environment must say that it does: a manager that drops the descriptor would leave the
  /// console dead. The unit sets WAYPOST_CONSOLE=keep.
  func close() {
    let isKept =
      services?.stored.contains(DRMScreen.storedName) == true && variables.keepsConsole
    if isKept { console?.leaveToSuccessor() } else { console?.close() }
  }
}
