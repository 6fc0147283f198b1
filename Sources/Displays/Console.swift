import CLinux
import EventLoop
import Glibc
import Platform

/// The virtual terminal that the kiosk runs on. While it is taken, the kernel draws no text, the
/// keyboard types into no shell, and a switch to another terminal asks first (console_ioctl(2)).
///
/// It must be the process's controlling terminal, unless the process has CAP_SYS_TTY_CONFIG; a
/// service gets it with TTYPath= and StandardInput=tty-force. Everything else works without one.
///
/// `close` gives it back, unless `leaveToSuccessor` leaves it to the next process. A process that
/// is killed can do neither: the terminal stays in graphics mode, without a keyboard, until the
/// next start (which repairs it), until `waypostd --give-back-console`, or until someone switches
/// terminals (chvt), when the kernel finds the process gone and resets the terminal itself
/// (change_console in vt_ioctl.c).
public final class Console {
  private var onRelease: (() -> Void)?
  private var onAcquire: (() -> Void)?
  /// The object that the handlers belong to.
  private weak var owner: AnyObject?
  private var hasSignals = false
  /// Whether this terminal is the one on the screen; true if there is no terminal.
  public private(set) var isActive = true
  /// Why the console could not be taken, and what would help; nil if it was taken. Set as well if
  /// there is no virtual terminal.
  public private(set) var trouble: String?
  /// The terminal's number: 7 is /dev/tty7. Nil if there is none.
  public let number: Int?

  private let fd: Int32
  private let ownsDescriptor: Bool
  private var isTaken = false
  private var keyboard: Int32 = Console.unicode

  // linux/kd.h: K_UNICODE and K_OFF. KDSKBMUTE (Linux 2.6.39) is in no header of the C library.
  private static let unicode: Int32 = 3
  private static let off: Int32 = 4
  private static let mute: UInt = 0x4B51

  /// Blocks the signals with which the kernel asks for the terminal, so that threads started later
  /// do not receive them. For a console that is taken once other threads are running.
  public static func blockSignals() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, waypost_first_realtime_signal())
    sigaddset(&set, waypost_first_realtime_signal() + 1)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Takes the terminal on descriptor 0, or else the controlling one. Create only one in a process,
  /// before any other thread starts or after an earlier `blockSignals`. If it fails, `trouble` says
  /// why.
  public init(loop: EventLoop) {
    if let number = Console.terminal(0) {
      (fd, ownsDescriptor, self.number) = (0, false, number)
    } else {
      let tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
      let number = tty >= 0 ? Console.terminal(tty) : nil
      if tty >= 0, number == nil { Glibc.close(tty) }
      (fd, ownsDescriptor, self.number) = (number == nil ? -1 : tty, number != nil, number)
    }
    guard let number else {
      trouble =
        "no virtual terminal: the kernel's text and cursor may show through, and a keyboard types"
        + " into the console; a service needs TTYPath=/dev/tty1 and StandardInput=tty-force"
      return
    }
    do {
      try take(loop)
    } catch {
      trouble =
        "/dev/tty\(number): \(error); it must be the controlling terminal: a service needs"
        + " TTYPath=/dev/tty\(number) and StandardInput=tty-force"
      close()
    }
  }

  /// The number of the virtual terminal behind `fd`, 1 to 63 (major 4 in Linux's devices.txt); nil
  /// if it is not one.
  private static func terminal(_ fd: Int32) -> Int? {
    var device: UInt32 = 0
    guard waypost_terminal_device(fd, &device) == 0 else { return nil }
    return terminal(device: device)
  }

  static func terminal(device: UInt32) -> Int? {
    let minor = Int(device & 0xff)
    return (device >> 8) & 0xfff == 4 && (1...63).contains(minor) && device >> 20 == 0 ? minor : nil
  }

  private func take(_ loop: EventLoop) throws(SystemError) {
    isTaken = true
    var found: Int32 = 0
    // A process that was killed here left the keyboard turned off.
    if ioctl(fd, UInt(KDGKBMODE), &found) == 0, found != Console.off { keyboard = found }

    // Signals first: nobody could answer the kernel's requests otherwise.
    let release = waypost_first_realtime_signal()
    let acquire = release + 1
    if !hasSignals {
      try loop.signals([release, acquire]) { [weak self] in
        $0 == release ? self?.released() : self?.acquired()
      }
      hasSignals = true
    }
    try call("KDSETMODE", ioctl(fd, UInt(KDSETMODE), Int32(KD_GRAPHICS)))
    if ioctl(fd, UInt(KDSKBMODE), Console.off) != 0 {
      try call("KDSKBMUTE", ioctl(fd, Console.mute, Int32(1)))
    }
    var mode = vt_mode()
    mode.mode = CChar(VT_PROCESS)
    mode.relsig = Int16(release)
    mode.acqsig = Int16(acquire)
    try call("VT_SETMODE", ioctl(fd, UInt(VT_SETMODE), &mode))
    var state = vt_stat()
    if let number, ioctl(fd, UInt(VT_GETSTATE), &state) == 0, Int(state.v_active) != number {
      // Another terminal is on the screen. The acquire signal tells when this one is.
      isActive = false
      try call("VT_ACTIVATE", ioctl(fd, UInt(VT_ACTIVATE), Int32(number)))
    }
  }

  private func call(_ name: String, _ result: Int32) throws(SystemError) {
    if result != 0 { throw SystemError(name) }
  }

  /// Takes the terminal again after `close`. Does nothing if it is taken or could never be.
  public func takeAgain(_ loop: EventLoop) {
    guard !isTaken, trouble == nil, number != nil else { return }
    do {
      try take(loop)
    } catch {
      trouble = "\(error)"
      close()
    }
  }

  /// Calls `onRelease` when another terminal is about to be shown, where the card or the
  /// framebuffer must be released at once, and `onAcquire` when this one is shown again. Replaces
  /// an earlier owner.
  public func serve(
    _ owner: AnyObject, onRelease: @escaping () -> Void, onAcquire: @escaping () -> Void
  ) {
    self.owner = owner
    self.onRelease = onRelease
    self.onAcquire = onAcquire
  }

  /// Stops notifying `owner`. Does nothing if another owner has replaced it.
  public func forget(_ owner: AnyObject) {
    guard self.owner == nil || self.owner === owner else { return }
    self.owner = nil
    onRelease = nil
    onAcquire = nil
  }

  private func released() {
    guard isTaken else { return }
    if isActive {
      isActive = false
      onRelease?()
    }
    // 1: agreed. The switch happens now.
    _ = ioctl(fd, UInt(VT_RELDISP), Int32(1))
  }

  private func acquired() {
    guard isTaken else { return }
    _ = ioctl(fd, UInt(VT_RELDISP), Int32(VT_ACKACQ))
    if isActive { return }
    isActive = true
    onAcquire?()
  }

  /// Gives the terminal back: text, keyboard, switches. Call it after the card is closed, so that
  /// the kernel can draw its text.
  public func close() {
    guard isTaken else { return }
    isTaken = false
    isActive = true
    Console.restore(fd, keyboard: keyboard)
  }

  /// Leaves the terminal as it is, in graphics mode and without a keyboard, for a successor. As
  /// soon as text is allowed, the kernel forces its text onto the screen, whoever is the card's
  /// master (FB_ACTIVATE_KD_TEXT in drm_fb_helper.c), and the last frame would be lost.
  public func leaveToSuccessor() {
    isTaken = false
    owner = nil
    onRelease = nil
    onAcquire = nil
  }

  /// Gives back the terminal of a daemon that has ended: the one on descriptor 0, else the
  /// controlling one. Returns false if there is none, or if this process may not control it.
  public static func giveBack() -> Bool {
    var fd: Int32 = 0
    if terminal(0) == nil { fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) }
    guard fd >= 0, terminal(fd) != nil else { return false }
    defer { if fd > 0 { Glibc.close(fd) } }
    return restore(fd, keyboard: unicode)
  }

  @discardableResult
  private static func restore(_ fd: Int32, keyboard: Int32) -> Bool {
    var mode = vt_mode()
    mode.mode = CChar(VT_AUTO)
    _ = ioctl(fd, UInt(VT_SETMODE), &mode)
    _ = ioctl(fd, mute, Int32(0))
    _ = ioctl(fd, UInt(KDSKBMODE), keyboard)
    return ioctl(fd, UInt(KDSETMODE), Int32(KD_TEXT)) == 0
  }

  deinit {
    close()
    if ownsDescriptor { Glibc.close(fd) }
  }
}
