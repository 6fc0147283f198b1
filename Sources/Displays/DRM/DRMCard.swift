import CDRM
import EventLoop
import Glibc

/// One open card (/dev/dri/cardN) that can show something. Belongs to the loop's thread.
///
/// The first to open a card is its master, who alone may set modes. A process without
/// CAP_SYS_ADMIN can become master by `drmSetMaster` only if it was master on that descriptor
/// before, so whoever was too late opens the card anew to try again.
final class DRMCard {
  let fd: Int32
  let path: String
  let driver: String
  /// The descriptor came from the service manager, with the framebuffers of the process before.
  let isAdopted: Bool
  let preferredDepth: Int
  /// Framebuffers of the process before, one of them on the screen.
  private var inherited: [UInt32] = []
  private(set) var isOpen = true

  /// The cards there are, or the one configured.
  static func paths(device: String?) -> [String] {
    if let device { return [device] }
    return (0..<64).map { "/dev/dri/card\($0)" }.filter { access($0, F_OK) == 0 }
  }

  convenience init(path: String) throws(DRMError) {
    let fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    if fd < 0 { throw DRMError.cannotOpen(path, code: errno) }
    try self.init(fd: fd, path: path, isAdopted: false)
  }

  /// Takes over the descriptor of the process before; it is closed if that fails.
  ///
  /// A descriptor that was passed on is the same open file: still master, with its framebuffers,
  /// buffer handles and whatever is on the screen. The kernel takes all that back only when the last
  /// copy is closed. Removing a framebuffer that is being shown turns its plane off, so what the
  /// process before left on the screen is removed after the first frame of ours (`dropInherited`).
  /// Its buffer handles can go at once, since a framebuffer keeps its memory by itself.
  convenience init(adopting fd: Int32) throws(DRMError) {
    guard let name = drmGetDeviceNameFromFd2(fd) else {
      Glibc.close(fd)
      throw DRMError(.notADisplay, "the descriptor kept by the service manager is no DRM card")
    }
    let path = String(cString: name)
    free(name)
    try self.init(fd: fd, path: path, isAdopted: true)
    if let resources = drmModeGetResources(fd) {
      // The list is this open file's own (drm_mode_getresources), however many cards' users there are.
      for index in 0..<Int(max(resources.pointee.count_fbs, 0)) {
        inherited.append(resources.pointee.fbs[index])
      }
      drmModeFreeResources(resources)
    }
    // Handles are small numbers counted from 1, and this descriptor has none of ours yet.
    for handle in UInt32(1)...64 { _ = drmModeDestroyDumbBuffer(fd, handle) }
  }

  private init(fd: Int32, path: String, isAdopted: Bool) throws(DRMError) {
    self.fd = fd
    self.path = path
    self.isAdopted = isAdopted
    var depth: UInt64 = 0
    preferredDepth =
      drmGetCap(fd, UInt64(DRM_CAP_DUMB_PREFERRED_DEPTH), &depth) == 0 ? Int(clamping: depth) : 0
    var name = ""
    if let version = drmGetVersion(fd) {
      name = String(cString: version.pointee.name)
      drmFreeVersion(version)
    }
    driver = name
    var dumb: UInt64 = 0
    guard drmGetCap(fd, UInt64(DRM_CAP_DUMB_BUFFER), &dumb) == 0, dumb == 1 else {
      throw DRMError(.notADisplay, "\(path): driver \"\(name)\" has no frame memory to draw into")
    }
    guard let resources = drmModeGetResources(fd) else {
      throw DRMError(.notADisplay, "\(path): driver \"\(name)\" shows nothing (no KMS)")
    }
    let count = resources.pointee.count_connectors
    drmModeFreeResources(resources)
    if count <= 0 { throw DRMError(.notADisplay, "\(path): it has no connectors") }
  }

  deinit { close() }

  /// Closes the descriptor: unless the service manager has a copy, the kernel removes the
  /// framebuffers, turns off what showed them, and gives the screen to the next user, or to the
  /// kernel's console.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(fd)
  }

  /// Becomes master, unless it is.
  func takeMaster() throws(DRMError) {
    guard isOpen else { throw DRMError(.gone, "\(path): closed") }
    if drmIsMaster(fd) != 0 || drmSetMaster(fd) == 0 { return }
    let code = errno
    if code == ENODEV || code == ENXIO { throw DRMError("drmSetMaster", code: code, on: path) }
    throw DRMError(.masterRefused, "\(path): \(DRMError.holders)")
  }

  /// Lets others be master. False where it is refused: a descriptor that another process opened can
  /// be given up only by closing it (drm_master_check_perm; CAP_SYS_ADMIN may).
  func dropMaster() -> Bool { !isOpen || drmIsMaster(fd) == 0 || drmDropMaster(fd) == 0 }

  /// Removes what the process before had on the screen.
  func dropInherited() {
    for id in inherited { _ = drmModeRmFB(fd, id) }
    inherited = []
  }

  // MARK: Connectors

  /// A connector as the kernel describes it.
  struct Connector {
    var info: ConnectorInfo
    /// One for each of `info.modes`.
    var timings: [drmModeModeInfo]
    /// The places of the CRTCs that can drive it, as bits.
    var possibleCRTCs: UInt32
    /// The one that does at the moment; 0: none.
    var crtc: UInt32
  }

  /// All connectors, with what is plugged in. Asks the monitors, which takes some milliseconds each.
  func connectors() throws(DRMError) -> [Connector] {
    guard isOpen, let resources = drmModeGetResources(fd) else {
      throw DRMError(.gone, "\(path): the device was taken away")
    }
    defer { drmModeFreeResources(resources) }
    var found: [Connector] = []
    for index in 0..<Int(max(resources.pointee.count_connectors, 0)) {
      guard let raw = drmModeGetConnector(fd, resources.pointee.connectors[index]) else { continue }
      defer { drmModeFreeConnector(raw) }
      // A writeback connector is no socket.
      if raw.pointee.connector_type == UInt32(DRM_MODE_CONNECTOR_WRITEBACK) { continue }
      let timings = (0..<Int(max(raw.pointee.count_modes, 0))).map { raw.pointee.modes[$0] }
      let type =
        drmModeGetConnectorTypeName(raw.pointee.connector_type)
        .map { String(cString: $0) } ?? "Unknown"
      let status: ConnectorInfo.Status =
        switch raw.pointee.connection {
        case DRM_MODE_CONNECTED: .connected
        case DRM_MODE_DISCONNECTED: .disconnected
        default: .unknown
        }
      var crtc: UInt32 = 0
      if let encoder = drmModeGetEncoder(fd, raw.pointee.encoder_id) {
        crtc = encoder.pointee.crtc_id
        drmModeFreeEncoder(encoder)
      }
      found.append(
        Connector(
          info: ConnectorInfo(
            id: raw.pointee.connector_id, name: "\(type)-\(raw.pointee.connector_type_id)",
            status: status, modes: timings.map(DisplayMode.init)),
          timings: timings, possibleCRTCs: drmModeConnectorGetPossibleCrtcs(fd, raw), crtc: crtc))
    }
    return found
  }
}

extension DisplayMode {
  init(_ timing: drmModeModeInfo) {
    let flags = timing.flags
    let interlaced = flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0
    self.init(
      width: Int(timing.hdisplay), height: Int(timing.vdisplay),
      refresh: DisplayMode.refresh(
        clock: Int(timing.clock), horizontalTotal: Int(timing.htotal),
        verticalTotal: Int(timing.vtotal), interlaced: interlaced,
        doubleScan: flags & UInt32(DRM_MODE_FLAG_DBLSCAN) != 0),
      isPreferred: timing.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0, isInterlaced: interlaced)
  }
}
