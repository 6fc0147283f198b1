import CBench
import Configuration
import Displays
import EventLoop
import Glibc
import Kiosk
import MapGeometry
import Pixels
import TileSources

/// A kiosk in this process, on a display that records when frames begin and end.
final class KioskBench {
  let loop: EventLoop
  let kiosk: Kiosk
  let display: NotingDisplay
  /// How long the kiosk's part of the loop's last turn took, in nanoseconds by the clock.
  private(set) var turnTime = 0.0

  /// Creates a kiosk with these sources. `paced`: frames come at 60 Hz, otherwise whenever one is
  /// due.
  init(
    _ sources: [SourceSpec], zoom: Double, paced: Bool = false, cache: Int = 64 << 20,
    size: (width: Int, height: Int) = (1920, 1080),
    _ set: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.sources = sources
    configuration.cache.memory = cache
    configuration.state.path = nil
    configuration.view.center = GeoPoint(lat: 45, lon: 8)
    configuration.view.zoom = zoom
    set(&configuration)
    do {
      let loop = try EventLoop()
      self.loop = loop
      let shown = NotingDisplay(
        HeadlessDisplay(
          width: size.width, height: size.height, format: .xrgb8888, rotation: .none,
          loop: paced ? loop : nil))
      display = shown
      kiosk = try Kiosk(
        configuration: configuration, loop: loop, makeScreen: { _, _ in FixedScreen(shown) },
        font: { Bundled.text($0) })
    } catch {
      stop("\(error)")
    }
    let turn = loop.beforeSleep
    loop.beforeSleep = { [unowned self] in
      let begun = bench_now()
      turn?()
      turnTime = Double(bench_now() - begun)
    }
  }

  /// Runs the loop until the picture is complete. Returns how many of its tiles are missing.
  @discardableResult
  func settle() -> Int {
    var outcome: SettleOutcome?
    kiosk.settle(timeout: 120) { outcome = $0 }
    loop.runOnce(timeout: 0)
    while outcome == nil { loop.runOnce(timeout: 1_000_000_000) }
    if outcome?.complete != true { stop("the picture does not get whole") }
    return outcome?.missing ?? 0
  }

  /// Runs the loop for this long.
  func run(seconds: Double) {
    let end = bench_now() + UInt64(seconds * 1e9)
    while bench_now() < end { loop.runOnce(timeout: 5_000_000) }
  }
}

/// Forwards to another display, and records the times of its frames.
final class NotingDisplay: Display {
  private let inner: HeadlessDisplay
  /// When the first frame was begun since this was set to 0, in nanoseconds.
  var begun: UInt64 = 0
  /// When each frame was presented, while recording is on.
  var presented: [UInt64] = []

  init(_ inner: HeadlessDisplay) { self.inner = inner }

  var kind: String { inner.kind }
  var width: Int { inner.width }
  var height: Int { inner.height }
  var format: PixelFormat { inner.format }
  var rotation: MountingRotation { inner.rotation }
  var refreshRate: Double { inner.refreshRate }
  var isReady: Bool { inner.isReady }
  var onReady: (() -> Void)? {
    get { inner.onReady }
    set { inner.onReady = newValue }
  }
  var frame: Int { inner.frame }
  var bytes: Int { inner.bytes }

  func begin() -> (target: ScanoutBuffer, age: Int) {
    if begun == 0 { begun = bench_now() }
    return inner.begin()
  }

  func present(damage: [PixelRect]) {
    if presented.count < presented.capacity { presented.append(bench_now()) }
    inner.present(damage: damage)
  }

  func readFrame(_ row: (_ y: Int, _ pixels: UnsafePointer<UInt32>) -> Void) -> Bool {
    inner.readFrame(row)
  }
}
