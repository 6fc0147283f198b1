import Configuration
import Displays
import EventLoop
import Glibc
import Pixels

/// Opens the screen that a configuration asks for.
final class Screens {
  private let loop: EventLoop
  private let services: ServiceManager?
  /// Made with the first screen that is a panel, and once: see `Console`.
  private lazy var console = Console(loop: loop)
  /// A demo takes no console, so that Ctrl-C ends it, and does without a panel.
  private let isDemo: Bool
  private(set) var auto: AutoScreen?

  init(loop: EventLoop, services: ServiceManager?, isDemo: Bool) {
    self.loop = loop
    self.services = services
    self.isDemo = isDemo
  }

  /// Opens it. Where there is no device yet, the screen waits for one.
  func open(_ d: Configuration.Display) -> any Screen {
    auto = nil
    let headless = headless(d)
    if d.backend == .headless {
      dropKept()
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
      rotation: MountingRotation(rawValue: d.rotation) ?? .none, loop: loop)
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
    return openers
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
      return .failure(
        DisplayError(
          d.device.map { "\($0): there is no such card that can show a picture" }
            ?? "no card in /dev/dri that can show a picture"))
    }
    do {
      return .success(
        try DRMScreen.open(
          request, loop: loop, console: isDemo ? nil : console, services: services))
    } catch {
      return .failure(DisplayError("\(error)"))
    }
  }

  private func openFramebuffer(_ d: Configuration.Display) -> Result<any Screen, DisplayError> {
    let request = FramebufferRequest(
      device: d.device, width: d.mode?.size.width, height: d.mode?.size.height, format: d.format,
      rotation: MountingRotation(rawValue: d.rotation) ?? .none)
    dropKept()
    // The console is not taken for a device that is not there.
    guard access(d.device ?? FramebufferScreen.devices().first ?? "/dev/fb0", W_OK) == 0 else {
      return .failure(
        DisplayError("\(FramebufferError(opening: d.device ?? "/dev/fb0", code: errno))"))
    }
    do throws(FramebufferError) {
      return .success(
        try FramebufferScreen(request, loop: loop, console: isDemo ? nil : console))
    } catch {
      return .failure(DisplayError("\(error)"))
    }
  }

  /// Closes the card that the service manager kept for a display that is not used any more.
  private func dropKept() {
    for fd in ServiceManager.takeDescriptors(named: DRMScreen.storedName) {
      Glibc.close(fd)
      services?.remove(DRMScreen.storedName)
    }
  }

  /// Why nothing can be drawn on, nil where there is a display, with or without a monitor.
  var trouble: String? { auto?.refusal }

  /// Gives the console back, or leaves it to a successor where the service manager keeps the picture.
  func close() {
    guard auto != nil, !isDemo else { return }
    if services?.stored.contains(DRMScreen.storedName) == true {
      console.leaveToSuccessor()
    } else {
      console.close()
    }
  }
}
