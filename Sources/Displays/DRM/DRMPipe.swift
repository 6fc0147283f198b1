import CDRM
import Glibc
import MapGeometry
import Pixels

/// The way from a framebuffer to a connector: its CRTC, its primary plane, and the commits that
/// change them, atomic where the driver has that, else by the older calls. Every call gives 0 or
/// errno.
final class DRMPipe {
  let card: DRMCard
  let connector: ConnectorInfo
  let isAtomic: Bool
  /// What the primary plane takes of what can be drawn.
  let formats: Set<PixelFormat>

  private let crtc: UInt32
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

  /// The most damage rectangles told to a driver; more become the one around them all.
  static let maxClips = 32
  /// DRM_MODE_ROTATE_0.
  private static let upright: UInt64 = 1

  /// Whether the driver is told what changed.
  var tellsDamage: Bool { isAtomic && planeIDs.damage != nil }

  /// - Parameter atomic: false: the older calls, whatever the driver has.
  init(card: DRMCard, connector: DRMCard.Connector, atomic: Bool) throws(DRMError) {
    self.card = card
    self.connector = connector.info
    clips = .allocate(capacity: Self.maxClips)
    let fd = card.fd
    // Set to 0 too: a descriptor that was passed on keeps what the process before asked for.
    isAtomic =
      drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_ATOMIC), atomic ? 1 : 0) == 0 && atomic
    // The kernel turns these off with it; without them a primary plane is not told.
    _ = drmSetClientCap(fd, UInt64(DRM_CLIENT_CAP_UNIVERSAL_PLANES), 1)
    guard let (crtc, place) = Self.crtc(card, connector) else {
      throw DRMError(
        .refused, "\(card.path): no display controller is free for \(connector.info.name)")
    }
    self.crtc = crtc
    guard let (plane, formats) = Self.primaryPlane(card, crtc: crtc, place: place) else {
      throw DRMError(.refused, "\(card.path): \(connector.info.name) has no primary plane")
    }
    (self.plane, self.formats) = (plane, formats)

    let p = DRMProperties(card: card, object: plane, type: UInt32(DRM_MODE_OBJECT_PLANE))
    planeIDs = PlaneIDs(
      framebuffer: p.id("FB_ID"), crtc: p.id("CRTC_ID"), sourceX: p.id("SRC_X"),
      sourceY: p.id("SRC_Y"), sourceWidth: p.id("SRC_W"), sourceHeight: p.id("SRC_H"),
      x: p.id("CRTC_X"), y: p.id("CRTC_Y"), width: p.id("CRTC_W"), height: p.id("CRTC_H"),
      rotation: p.id("rotation"), damage: p.id("FB_DAMAGE_CLIPS"))
    let c = DRMProperties(card: card, object: crtc, type: UInt32(DRM_MODE_OBJECT_CRTC))
    (crtcMode, crtcActive) = (c.id("MODE_ID"), c.id("ACTIVE"))
    let k = DRMProperties(
      card: card, object: connector.info.id, type: UInt32(DRM_MODE_OBJECT_CONNECTOR))
    (connectorCRTC, dpms) = (k.id("CRTC_ID"), k.id("DPMS"))
  }

  deinit { clips.deallocate() }

  /// The CRTC that drives the connector now, or else the first that can and drives no other.
  private static func crtc(
    _ card: DRMCard, _ connector: DRMCard.Connector
  ) -> (id: UInt32, place: Int)? {
    guard let resources = drmModeGetResources(card.fd) else { return nil }
    defer { drmModeFreeResources(resources) }
    let all = (0..<Int(max(resources.pointee.count_crtcs, 0))).prefix(32).map {
      (id: resources.pointee.crtcs[$0], place: $0)
    }
    let possible = all.filter { connector.possibleCRTCs & (1 << UInt32($0.place)) != 0 }
    if let now = possible.first(where: { $0.id == connector.crtc }) { return now }
    var taken: Set<UInt32> = []
    for index in 0..<Int(max(resources.pointee.count_encoders, 0)) {
      guard let encoder = drmModeGetEncoder(card.fd, resources.pointee.encoders[index]) else {
        continue
      }
      taken.insert(encoder.pointee.crtc_id)
      drmModeFreeEncoder(encoder)
    }
    return possible.first { !taken.contains($0.id) } ?? possible.first
  }

  private static func primaryPlane(
    _ card: DRMCard, crtc: UInt32, place: Int
  ) -> (id: UInt32, formats: Set<PixelFormat>)? {
    guard let planes = drmModeGetPlaneResources(card.fd) else { return nil }
    defer { drmModeFreePlaneResources(planes) }
    var found: (id: UInt32, formats: Set<PixelFormat>)?
    for index in 0..<Int(planes.pointee.count_planes) {
      guard let plane = drmModeGetPlane(card.fd, planes.pointee.planes[index]) else { continue }
      defer { drmModeFreePlane(plane) }
      let id = plane.pointee.plane_id
      guard plane.pointee.possible_crtcs & (1 << UInt32(place)) != 0 else { continue }
      let type = DRMProperties(card: card, object: id, type: UInt32(DRM_MODE_OBJECT_PLANE))
        .value("type")
      guard type == UInt64(DRM_PLANE_TYPE_PRIMARY) else { continue }
      let codes = (0..<Int(plane.pointee.count_formats)).map { plane.pointee.formats[$0] }
      let formats = Set(PixelFormat.allCases.filter { codes.contains(DRMBuffer.fourcc($0)) })
      // Where several could be it, the one that this CRTC shows already.
      if found == nil || plane.pointee.crtc_id == crtc { found = (id, formats) }
    }
    return found
  }

  // MARK: Commits

  /// Sets the mode with the buffer shown; blocks until it is lit. An unchanged mode is no more to
  /// the kernel than a flip: the picture does not go dark.
  ///
  /// - Parameter test: only asks whether it could be done; always 0 by the older calls.
  func setMode(_ timing: drmModeModeInfo, buffer: DRMBuffer, test: Bool) -> Int32 {
    var timing = timing
    guard isAtomic else {
      if test { return 0 }
      var connectors = [connector.id]
      let code = drmModeSetCrtc(
        card.fd, crtc, buffer.framebuffer, 0, 0, &connectors, 1, &timing)
      if code == 0, let dpms {
        _ = drmModeConnectorSetProperty(card.fd, connector.id, dpms, UInt64(DRM_MODE_DPMS_ON))
      }
      return -code
    }
    var blob: UInt32 = 0
    let made = drmModeCreatePropertyBlob(
      card.fd, &timing, MemoryLayout<drmModeModeInfo>.size, &blob)
    if made != 0 { return -made }
    // The CRTC's state keeps what it uses, so that nothing is left to a descriptor that is passed on.
    defer { _ = drmModeDestroyPropertyBlob(card.fd, blob) }
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
    // The console may have turned the plane for a panel mounted sideways; we turn in the copy.
    request.set(planeIDs.rotation, Self.upright)
    request.set(planeIDs.damage, 0)
    let flags = UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) | UInt32(test ? DRM_MODE_ATOMIC_TEST_ONLY : 0)
    return request.commit(card.fd, flags: flags, token: 0)
  }

  /// Shows `buffer` from the next refresh on, and has an event with `token` sent when it does.
  ///
  /// - Parameter damage: what differs from the frame before, for drivers that send on only that.
  func flip(to buffer: DRMBuffer, damage: [PixelRect], token: UInt32) -> Int32 {
    guard isAtomic else {
      return -drmModePageFlip(
        card.fd, crtc, buffer.framebuffer, UInt32(DRM_MODE_PAGE_FLIP_EVENT),
        UnsafeMutableRawPointer(bitPattern: UInt(token)))
    }
    var blob: UInt32 = 0
    if planeIDs.damage != nil {
      let count = writeClips(damage, on: buffer)
      // No rectangle at all is left to mean everything, as the kernel has it.
      if count > 0 {
        _ = drmModeCreatePropertyBlob(
          card.fd, clips, count * MemoryLayout<drm_mode_rect>.stride, &blob)
      }
    }
    defer { if blob != 0 { _ = drmModeDestroyPropertyBlob(card.fd, blob) } }
    request.clear()
    request.object(plane)
    request.set(planeIDs.framebuffer, UInt64(buffer.framebuffer))
    request.set(planeIDs.damage, UInt64(blob))
    return request.commit(
      card.fd, flags: UInt32(DRM_MODE_ATOMIC_NONBLOCK) | UInt32(DRM_MODE_PAGE_FLIP_EVENT),
      token: UInt64(token))
  }

  /// Shows `buffer` without an event, for drivers that cannot flip: by setting the mode it has, and
  /// then telling what changed, which not all drivers ask for.
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
      _ = drmModeDirtyFB(card.fd, buffer.framebuffer, list.baseAddress, UInt32(count))
    }
    return 0
  }

  /// Turns the panel off.
  func turnOff() -> Int32 {
    if isAtomic {
      request.clear()
      request.object(crtc)
      request.set(crtcActive, 0)
      return request.commit(card.fd, flags: UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET), token: 0)
    }
    if let dpms {
      return -drmModeConnectorSetProperty(
        card.fd, connector.id, dpms, UInt64(DRM_MODE_DPMS_OFF))
    }
    return -drmModeSetCrtc(card.fd, crtc, 0, 0, 0, nil, 0, nil)
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
