import CLinux
import EventLoop
import Glibc
import Pixels

/// What is asked of a framebuffer.
public struct FramebufferRequest: Sendable, Equatable {
  /// "/dev/fb1"; nil: the first that can be drawn on.
  public var device: String?
  /// In pixels, with `height`; nil: as it is.
  public var width: Int?
  /// Rows; nil: as it is.
  public var height: Int?
  /// What is drawn in; nil: what suits the device.
  public var format: PixelFormat?
  /// How the panel is mounted, clockwise.
  public var rotation: MountingRotation
  /// Whether two pictures are shown in turn by panning; nil: where the driver's word can be
  /// trusted.
  ///
  /// Many of the DRM drivers behind an emulated framebuffer report success and go on showing the
  /// first rows (cirrus and bochs do), and nothing tells them apart from those that pan.
  public var pans: Bool?

  /// A request; what is nil stays as the device has it.
  public init(
    device: String? = nil, width: Int? = nil, height: Int? = nil, format: PixelFormat? = nil,
    rotation: MountingRotation = .none, pans: Bool? = nil
  ) {
    self.device = device
    self.width = width
    self.height = height
    self.format = format
    self.rotation = rotation
    self.pans = pans
  }
}

/// An open /dev/fbN: its mode and its memory.
///
/// The mode is read back after each change: a driver may report success and have taken something
/// else (32 bits where 16 were asked for), and what it states then is what holds.
final class FramebufferDevice {
  let path: String
  private let fd: Int32
  private let found: fb_var_screeninfo
  private var mode: fb_var_screeninfo
  private(set) var layout: FramebufferLayout
  /// Whether its pans are relied on.
  let isTrusted: Bool

  init(
    _ request: FramebufferRequest, path: String, activates: Bool
  ) throws(FramebufferError) {
    let fd = open(path, O_RDWR | O_CLOEXEC)
    if fd < 0 { throw FramebufferError(opening: path) }
    self.path = path
    self.fd = fd
    isTrusted = request.pans ?? Self.pansTruly(path, fd)
    do throws(FramebufferError) {
      found = try Self.mode(fd, path)
      if activates {
        var mode = found
        mode.activate = UInt32(FB_ACTIVATE_NOW) | UInt32(FB_ACTIVATE_FORCE)
        _ = waypost_framebuffer_set_mode(fd, &mode)
      }
      (mode, layout) = try Self.adapt(fd, path, request, found, doubles: isTrusted)
    } catch {
      Glibc.close(fd)
      throw error
    }
  }

  deinit { Glibc.close(fd) }

  // MARK: The mode

  private static func mode(
    _ fd: Int32, _ path: String
  ) throws(FramebufferError) -> fb_var_screeninfo {
    var mode = fb_var_screeninfo()
    if waypost_framebuffer_mode(fd, &mode) != 0 {
      throw FramebufferError(path, call: "FBIOGET_VSCREENINFO")
    }
    return mode
  }

  private static func layout(
    _ fd: Int32, _ path: String, _ mode: fb_var_screeninfo
  ) throws(FramebufferError) -> FramebufferLayout {
    var memory = fb_fix_screeninfo()
    if waypost_framebuffer_memory(fd, &memory) != 0 {
      throw FramebufferError(path, call: "FBIOGET_FSCREENINFO")
    }
    return try FramebufferLayout(mode: mode, memory: memory, path: path)
  }

  /// Asks for what `request` wants and then, where two pictures could be shown in turn, for room
  /// for both. What is refused stays as it was.
  private static func adapt(
    _ fd: Int32, _ path: String, _ request: FramebufferRequest, _ found: fb_var_screeninfo,
    doubles: Bool
  ) throws(FramebufferError) -> (fb_var_screeninfo, FramebufferLayout) {
    var mode = found
    if let width = request.width, let height = request.height, width > 0, height > 0 {
      mode.xres = UInt32(clamping: width)
      mode.yres = UInt32(clamping: height)
      mode.xres_virtual = mode.xres
      mode.yres_virtual = mode.yres
    }
    if let format = request.format {
      mode.bits_per_pixel = UInt32(format.bytes * 8)
    } else if mode.bits_per_pixel < 16 {
      // A palette's colours do not make a map.
      mode.bits_per_pixel = 16
    }
    if mode.xres != found.xres || mode.yres != found.yres
      || mode.bits_per_pixel != found.bits_per_pixel
    {
      mode = try ask(fd, path, mode)
    }
    // From the memory's first column on, where pictures can be panned between.
    if mode.xoffset != 0 || mode.yoffset != 0 {
      mode.xoffset = 0
      mode.yoffset = 0
      _ = waypost_framebuffer_pan(fd, &mode)
      mode = try self.mode(fd, path)
    }
    var layout = try layout(fd, path, mode)
    if let scanout = layout.format.scanout, scanout == request.format ?? scanout, layout.pans,
      !layout.canDouble, doubles
    {
      mode.yres_virtual = 2 * mode.yres
      mode = try ask(fd, path, mode)
      layout = try self.layout(fd, path, mode)
    }
    return (mode, layout)
  }

  /// The DRM drivers whose framebuffer is known to pan, by the kernel's name for it.
  private static let panningDrivers = ["virtio_gpu"]

  /// Whether a pan that is reported can be relied on: a framebuffer driver's own, or one of DRM's
  /// emulation that is known.
  private static func pansTruly(_ path: String, _ fd: Int32) -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    if access("/sys/class/graphics/\(name)/device/drm", F_OK) != 0 { return true }
    var memory = fb_fix_screeninfo()
    guard waypost_framebuffer_memory(fd, &memory) == 0 else { return false }
    let driver = withUnsafeBytes(of: memory.id) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return panningDrivers.contains { driver.hasPrefix($0) }
  }

  private static func ask(
    _ fd: Int32, _ path: String, _ wanted: fb_var_screeninfo
  ) throws(FramebufferError) -> fb_var_screeninfo {
    var wanted = wanted
    wanted.activate = UInt32(FB_ACTIVATE_NOW)
    _ = waypost_framebuffer_set_mode(fd, &wanted)
    return try mode(fd, path)
  }

  /// Whether the same driver still stands behind it, in the mode that it was opened with.
  var isUnchanged: Bool {
    guard let mode = try? Self.mode(fd, path), let now = try? Self.layout(fd, path, mode) else {
      return false
    }
    return now.width == layout.width && now.height == layout.height && now.format == layout.format
      && now.rowBytes == layout.rowBytes
  }

  // MARK: What it does

  /// Shows the picture that begins at row `top`. False: refused.
  func pan(to top: Int) -> Bool {
    mode.xoffset = 0
    mode.yoffset = UInt32(top)
    mode.activate = UInt32(FB_ACTIVATE_VBL)
    return waypost_framebuffer_pan(fd, &mode) == 0
  }

  /// Turns the panel off or on. False: the driver cannot.
  func blank(_ off: Bool) -> Bool {
    let level = off ? FB_BLANK_POWERDOWN : FB_BLANK_UNBLANK
    return waypost_framebuffer_blank(fd, Int32(level)) == 0
  }

  /// Nanoseconds between two frames of the panel, measured over four; nil where the driver does not
  /// tell. Blocks for five frames, or until one took longer than 50 ms, so only at the start.
  func framePeriod() -> UInt64? {
    var (first, last) = (UInt64(0), EventLoop.now())
    for frame in 0...4 {
      guard waypost_framebuffer_wait(fd) == 0 else { return nil }
      let now = EventLoop.now()
      guard now - last < 50_000_000 else { return nil }
      if frame == 0 { first = now }
      last = now
    }
    let period = (last - first) / 4
    // A driver that does not wait at all has no blank to tell of.
    return period >= 4_000_000 ? period : nil
  }

  /// Maps so many rows.
  func map(rows: Int, _ protection: Int32) throws(FramebufferError) -> UnsafeMutableRawPointer {
    let bytes = layout.mapBytes(rows: rows)
    guard let base = mmap(nil, bytes, protection, MAP_SHARED, fd, 0), base != MAP_FAILED else {
      throw FramebufferError(path, call: "mmap")
    }
    return base
  }

  /// The mode that it was found in.
  func restore() {
    var mode = found
    if mode.xres != self.mode.xres || mode.yres != self.mode.yres
      || mode.bits_per_pixel != self.mode.bits_per_pixel
      || mode.yres_virtual != self.mode.yres_virtual
    {
      mode.activate = UInt32(FB_ACTIVATE_NOW)
      _ = waypost_framebuffer_set_mode(fd, &mode)
    }
    _ = waypost_framebuffer_pan(fd, &mode)
  }
}
