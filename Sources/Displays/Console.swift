import CLinux
import EventLoop
import Glibc
import Platform

/// The virtual terminal that the kiosk runs on: while it is taken, the kernel draws no text, its
/// keyboard types nowhere, and a switch to another terminal asks first (console_ioctl(2)).
///
/// It has to be the process's controlling terminal, unless the process has CAP_SYS_TTY_CONFIG; a
/// service gets it by TTYPath= and StandardInput=tty-force. Without one everything else works.
///
/// Given back by `close`, or left to a successor. A process that is killed cannot: the terminal
/// then stays in graphics mode, without a keyboard, until the next start (which finds and mends
/// it), until `waypostd --give-back-console`, or until someone switches terminals (chvt): the
/// kernel then finds the process gone and resets the terminal by itself (change_console in
/// vt_ioctl.c).
public final class Console {
  private var onRelease: (() -> Void)?
  private var onAcquire: (() -> Void)?
  /// Whose handlers these are.
  private weak var owner: AnyObject?
  private var hasSignals = false
  /// Whether this terminal is the one that is shown. True where there is none.
  public private(set) var isActive = true
  /// Why the console could not be taken, and what to do about it; nil: it is taken.
  public private(set) var trouble: String?
  /// The terminal's number: 7 is /dev/tty7. Nil: none.
  public let number: Int?

  private let fd: Int32
  private let ownsDescriptor: Bool
  private var isTaken = false
  private var keyboard: Int32 = Console.unicode

  // linux/kd.h: K_UNICODE, K_OFF; KDSKBMUTE is of 2.6.39 and in no header of the C library's.
  private static let unicode: Int32 = 3
  private static let off: Int32 = 4
  private static let mute: UInt = 0x4B51

  /// Blocks the signals by which the kernel asks for the terminal, so that threads started later do
  /// not get them: for a console that is taken when others run already.
  public static func blockSignals() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, waypost_first_realtime_signal())
    sigaddset(&set, waypost_first_realtime_signal() + 1)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Takes the terminal on descriptor 0, or else the controlling one. Once in a process, and before
  /// any other thread is started or after `blockSignals` before that.
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

  /// The number of the virtual terminal behind `fd`, 1...63 (major 4: Linux's devices.txt).
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
    // A process that was killed here left the keyboard off.
    if ioctl(fd, UInt(KDGKBMODE), &found) == 0, found != Console.off { keyboard = found }

    // Signals first: the terminal's mode is useless if nobody answers them.
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
      // Another terminal is shown; the acquire signal says when it is our turn.
      isActive = false
      try call("VT_ACTIVATE", ioctl(fd, UInt(VT_ACTIVATE), Int32(number)))
    }
  }

  private func call(_ name: String, _ result: Int32) throws(SystemError) {
    if result != 0 { throw SystemError(name) }
  }

  /// Takes the terminal once more after `close`.
  public func takeAgain(_ loop: EventLoop) {
    guard !isTaken, trouble == nil, number != nil else { return }
    do {
      try take(loop)
    } catch {
      trouble = "\(error)"
      close()
    }
  }

  /// Has `owner` told when another terminal is about to be shown, at which the card or the
  /// framebuffer must be let go at once, and when this one is shown again. It takes the place of an
  /// earlier one.
  public func serve(
    _ owner: AnyObject, onRelease: @escaping () -> Void, onAcquire: @escaping () -> Void
  ) {
    self.owner = owner
    self.onRelease = onRelease
    self.onAcquire = onAcquire
  }

  /// Stops notifying `owner`; nothing changes where another one has replaced it.
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
    // 1: agreed; the switch happens now.
    _ = ioctl(fd, UInt(VT_RELDISP), Int32(1))
  }

  private func acquired() {
    guard isTaken else { return }
    _ = ioctl(fd, UInt(VT_RELDISP), Int32(VT_ACKACQ))
    if isActive { return }
    isActive = true
    onAcquire?()
  }

  /// Gives the terminal back: text, keyboard, switches. Call it after the card was closed, so that
  /// the kernel can draw its text.
  public func close() {
    guard isTaken else { return }
    isTaken = false
    isActive = true
    Console.restore(fd, keyboard: keyboard)
  }

  /// Leaves the terminal as it is, in graphics mode and without a keyboard, for a successor: the
  /// kernel forces its text onto the screen as soon as text is allowed, whoever is the card's
  /// master (FB_ACTIVATE_KD_TEXT in drm_fb_helper.c), and the last frame would be gone.
  public func leaveToSuccessor() {
    isTaken = false
    owner = nil
    onRelease = nil
    onAcquire = nil
  }

  /// Gives back the terminal that a daemon left which has ended: the one on descriptor 0, else the
  /// controlling one. False: there is none, or it is not ours.
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
