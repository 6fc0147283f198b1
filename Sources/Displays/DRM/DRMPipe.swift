import CDRM
import Glibc
import MapGeometry
import Pixels
import Platform

/// The path from a framebuffer to a connector: its CRTC, its primary plane, and the commits that
/// change them, atomic if the driver supports that, else the legacy calls. Every call returns 0 or
/// errno.
final class DRMPipe {
  let card: DRMCard
  let connector: ConnectorInfo
  let isAtomic: Bool
  /// The formats that the primary plane accepts and that can be drawn.
  let formats: Set<PixelFormat>

  let crtc: UInt32
  private let plane: UInt32
  private let planeIDs: PlaneIDs
  private let connectorCRTC: UInt32?
  private let crtcMode: UInt32?
  private let crtcActive: UInt32?
  private let dpms: UInt32?
  private let request = AtomicRequest()
  private let clips: UnsafeMutablePointer<drm_mode_rect>

  private struct PlaneIDs {
    var framebuffer, crtc, sourceX, sourceY, sourceWidth, sourceHeight: UInt32?
    var x, y, width, height, rotation, damage: UInt32?
  }

  /// The most damage rectangles passed to a driver. More are replaced by their bounding box.
  static let maxClips = 32
  /// DRM_MODE_ROTATE_0.
  private static let upright: UInt64 = 1

  /// Whether the driver is told what changed.
  var tellsDamage: Bool { isAtomic && planeIDs.damage != nil }

  /// - Parameters:
  ///   - card: an open card, of which this process is master.
  ///   - connector: the connector to light.
  ///   - atomic: false: use only the legacy calls.
  /// - Throws: `DRMError` `refused` if no CRTC or plane can reach the connector; also if the
  ///   properties for atomic commits cannot be read.
  init(card: DRMCard, connector: DRMConnector, atomic: Bool) throws(DRMError) {
    self.card = card
    self.connector = connector.info
    let device = card.device
    // Also set to 0: a descriptor that was passed on keeps what the previous process set.
    let accepted = (try? device.setClientCapability(DRM_CLIENT_CAP_ATOMIC, atomic ? 1 : 0)) != nil
    isAtomic = accepted && atomic
    // The kernel turns these off with it, and does not list primary planes without them.
    try? device.setClientCapability(DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1)
    let route = try DRMRoute(device, to: connector, on: card.path)
    (crtc, plane, formats) = (route.crtc, route.plane, route.formats)

    let needsAll = isAtomic
    func properties(_ object: UInt32, _ type: UInt32) throws(DRMError) -> DRMProperties {
      if let found = try? device.properties(of: object, type: type) { return found }
      // Without them the legacy calls show a picture, but atomic commits would change nothing.
      do throws(SystemError) {
        return try device.properties(of: object, type: type)
      } catch {
        if needsAll { throw DRMError(error, on: card.path) }
        return DRMProperties()
      }
    }
    let p = try properties(plane, UInt32(DRM_MODE_OBJECT_PLANE))
    planeIDs = PlaneIDs(
      framebuffer: p.id("FB_ID"), crtc: p.id("CRTC_ID"), sourceX: p.id("SRC_X"),
      sourceY: p.id("SRC_Y"), sourceWidth: p.id("SRC_W"), sourceHeight: p.id("SRC_H"),
      x: p.id("CRTC_X"), y: p.id("CRTC_Y"), width: p.id("CRTC_W"), height: p.id("CRTC_H"),
      rotation: p.id("rotation"), damage: p.id("FB_DAMAGE_CLIPS"))
    let c = try properties(crtc, UInt32(DRM_MODE_OBJECT_CRTC))
    (crtcMode, crtcActive) = (c.id("MODE_ID"), c.id("ACTIVE"))
    let k = try properties(connector.info.id, UInt32(DRM_MODE_OBJECT_CONNECTOR))
    (connectorCRTC, dpms) = (k.id("CRTC_ID"), k.id("DPMS"))
    clips = .allocate(capacity: Self.maxClips)
  }

  deinit { clips.deallocate() }

  // MARK: Commits

  /// Sets the mode and shows the buffer; blocks until it is lit. For the kernel an unchanged mode
  /// is only a flip, so the picture does not go dark.
  ///
  /// - Parameters:
  ///   - timing: the mode.
  ///   - buffer: the frame to show.
  ///   - test: only asks whether it would work; with the legacy calls the answer is always 0.
  /// - Returns: 0, or errno.
  func setMode(_ timing: drmModeModeInfo, buffer: DRMBuffer, test: Bool) -> Int32 {
    var timing = timing
    guard isAtomic else {
      if test { return 0 }
      let code = card.device.setCRTC(
        crtc, framebuffer: buffer.framebuffer, connector: connector.id, timing: timing)
      if code == 0, let dpms {
        _ = card.device.setConnectorProperty(connector.id, dpms, UInt64(DRM_MODE_DPMS_ON))
      }
      return code
    }
    var blob: UInt32 = 0
    let made = card.device.createBlob(
      &timing, size: MemoryLayout<drmModeModeInfo>.size, id: &blob)
    if made != 0 { return made }
    // The CRTC's state keeps what it uses, so nothing is left on a descriptor that is passed on.
    defer { card.device.destroyBlob(blob) }
    request.clear()
    request.object(connector.id)
    request.set(connectorCRTC, UInt64(crtc))
    request.object(crtc)
    request.set(crtcMode, UInt64(blob))
    request.set(crtcActive, 1)
    request.object(plane)
    request.set(planeIDs.framebuffer, UInt64(buffer.framebuffer))
    request.set(planeIDs.crtc, UInt64(crtc))
    let (width, height) = (UInt64(timing.hdisplay), UInt64(timing.vdisplay))
    request.set(planeIDs.sourceX, 0)
    request.set(planeIDs.sourceY, 0)
    request.set(planeIDs.sourceWidth, width << 16)
    request.set(planeIDs.sourceHeight, height << 16)
    request.set(planeIDs.x, 0)
    request.set(planeIDs.y, 0)
    request.set(planeIDs.width, width)
    request.set(planeIDs.height, height)
    // The console may have rotated the plane for a panel mounted sideways; Waypost rotates while
    // copying.
    request.set(planeIDs.rotation, Self.upright)
    request.set(planeIDs.damage, 0)
    let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) | UInt32(test ? DRM_MODE_ATOMIC_TEST_ONLY : 0)
    return request.commit(card.device, flags: flags, token: 0)
  }

  /// Shows `buffer` from the next refresh on, and requests an event with `token` for it.
  ///
  /// - Parameters:
  ///   - buffer: the frame.
  ///   - damage: what differs from the previous frame, for drivers that transfer only that.
  ///   - token: the value that the event will carry.
  /// - Returns: 0, or errno.
  func flip(to buffer: DRMBuffer, damage: [PixelRect], token: UInt32) -> Int32 {
    guard isAtomic else {
      return card.device.pageFlip(crtc, to: buffer.framebuffer, token: token)
    }
    var blob: UInt32 = 0
    if planeIDs.damage != nil {
      let count = writeClips(damage, on: buffer)
      // No rectangle means everything, as in the kernel.
      if count > 0 {
        _ = card.device.createBlob(
          clips, size: count * MemoryLayout<drm_mode_rect>.stride, id: &blob)
      }
    }
    defer { if blob != 0 { card.device.destroyBlob(blob) } }
    request.clear()
    request.object(plane)
    request.set(planeIDs.framebuffer, UInt64(buffer.framebuffer))
    request.set(planeIDs.damage, UInt64(blob))
    return request.commit(
      card.device, flags: UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT),
      token: UInt64(token))
  }

  /// Shows `buffer` without an event, for drivers that cannot flip: sets the present mode again,
  /// then reports the damage, which some drivers need.
  func show(_ buffer: DRMBuffer, timing: drmModeModeInfo, damage: [PixelRect]) -> Int32 {
    let code = setMode(timing, buffer: buffer, test: false)
    if code != 0 || isAtomic { return code }
    let count = writeClips(damage, on: buffer)
    withUnsafeTemporaryAllocation(of: drmModeClip.self, capacity: Self.maxClips) { list in
      for index in 0..<count {
        let clip = clips[index]
        list[index] = drmModeClip(
          x1: UInt16(clamping: clip.x1), y1: UInt16(clamping: clip.y1),
          x2: UInt16(clamping: clip.x2), y2: UInt16(clamping: clip.y2))
      }
      _ = card.device.dirty(
        buffer.framebuffer, UnsafeMutableBufferPointer(rebasing: list[..<count]))
    }
    return 0
  }

  /// Turns the panel off.
  func turnOff() -> Int32 {
    if isAtomic {
      request.clear()
      request.object(crtc)
      request.set(crtcActive, 0)
      return request.commit(card.device, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
    }
    if let dpms {
      return card.device.setConnectorProperty(connector.id, dpms, UInt64(DRM_MODE_DPMS_OFF))
    }
    return card.device.setCRTC(crtc, framebuffer: 0, connector: 0, timing: nil)
  }

  private func writeClips(_ damage: [PixelRect], on buffer: DRMBuffer) -> Int {
    let all = PixelRect(x: 0, y: 0, width: buffer.target.width, height: buffer.target.height)
    var (count, whole) = (0, PixelRect(x: 0, y: 0, width: 0, height: 0))
    for rect in damage {
      let seen = rect.intersection(all)
      if seen.isEmpty { continue }
      whole = whole.union(seen)
      if count < Self.maxClips { clips[count] = drm_mode_rect(seen) }
      count += 1
    }
    if count <= Self.maxClips { return count }
    clips[0] = drm_mode_rect(whole)
    return 1
  }
}

extension drm_mode_rect {
  fileprivate init(_ rect: PixelRect) {
    self.init(
      x1: Int32(clamping: rect.x), y1: Int32(clamping: rect.y), x2: Int32(clamping: rect.maxX),
      y2: Int32(clamping: rect.maxY))
  }
}
