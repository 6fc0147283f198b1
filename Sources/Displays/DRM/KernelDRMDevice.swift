import CDRM
import Glibc
import Platform

/// A card of the running kernel, through libdrm.
final class KernelDRMDevice: DRMDevice {
  let descriptor: Int32

  /// - Throws: `SystemError` if the file cannot be opened.
  init(path: String) throws(SystemError) {
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { throw SystemError("open", on: path) }
  }

  /// Takes over an open descriptor.
  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  /// The path of an open card's file; nil if it is not a DRM card.
  static func path(of descriptor: Int32) -> String? {
    guard let name = drmGetDeviceNameFromFd2(descriptor) else { return nil }
    defer { free(name) }
    return String(cString: name)
  }

  func close() { Glibc.close(descriptor) }

  // MARK: The card

  func driverName() -> String {
    guard let version = drmGetVersion(descriptor) else { return "" }
    defer { drmFreeVersion(version) }
    return String(cString: version.pointee.name)
  }

  func capability(_ name: Int32) throws(SystemError) -> UInt64 {
    var value: UInt64 = 0
    if drmGetCap(descriptor, UInt64(name), &value) != 0 { throw SystemError("drmGetCap") }
    return value
  }

  func setClientCapability(_ name: Int32, _ value: UInt64) throws(SystemError) {
    if drmSetClientCap(descriptor, UInt64(name), value) != 0 {
      throw SystemError("drmSetClientCap")
    }
  }

  func isMaster() -> Bool { drmIsMaster(descriptor) != 0 }

  func setMaster() throws(SystemError) {
    if drmSetMaster(descriptor) != 0 { throw SystemError("drmSetMaster") }
  }

  func dropMaster() throws(SystemError) {
    if drmDropMaster(descriptor) != 0 { throw SystemError("drmDropMaster") }
  }

  // MARK: What it has

  func resources() throws(SystemError) -> DRMResources {
    guard let raw = drmModeGetResources(descriptor) else {
      throw SystemError("drmModeGetResources")
    }
    defer { drmModeFreeResources(raw) }
    let found = raw.pointee
    return DRMResources(
      framebuffers: Self.array(found.fbs, found.count_fbs),
      crtcs: Self.array(found.crtcs, found.count_crtcs),
      connectors: Self.array(found.connectors, found.count_connectors),
      encoders: Self.array(found.encoders, found.count_encoders))
  }

  func connector(_ id: UInt32) throws(SystemError) -> DRMConnector {
    guard let raw = drmModeGetConnector(descriptor, id) else {
      throw SystemError("drmModeGetConnector")
    }
    defer { drmModeFreeConnector(raw) }
    let timings = Self.array(raw.pointee.modes, raw.pointee.count_modes)
    let type =
      drmModeGetConnectorTypeName(raw.pointee.connector_type).map { String(cString: $0) }
      ?? "Unknown"
    let status: ConnectorInfo.Status =
      switch raw.pointee.connection {
      case DRM_MODE_CONNECTED: .connected
      case DRM_MODE_DISCONNECTED: .disconnected
      default: .unknown
      }
    return DRMConnector(
      info: ConnectorInfo(
        id: raw.pointee.connector_id, name: "\(type)-\(raw.pointee.connector_type_id)",
        status: status, modes: timings.map(DisplayMode.init)),
      timings: timings, possibleCRTCs: drmModeConnectorGetPossibleCrtcs(descriptor, raw),
      encoder: raw.pointee.encoder_id,
      isWriteback: raw.pointee.connector_type == UInt32(DRM_MODE_CONNECTOR_WRITEBACK))
  }

  func encoderCRTC(_ id: UInt32) throws(SystemError) -> UInt32 {
    guard let raw = drmModeGetEncoder(descriptor, id) else {
      throw SystemError("drmModeGetEncoder")
    }
    defer { drmModeFreeEncoder(raw) }
    return raw.pointee.crtc_id
  }

  func planes() throws(SystemError) -> [UInt32] {
    guard let raw = drmModeGetPlaneResources(descriptor) else {
      throw SystemError("drmModeGetPlaneResources")
    }
    defer { drmModeFreePlaneResources(raw) }
    return Self.array(raw.pointee.planes, Int32(clamping: raw.pointee.count_planes))
  }

  func plane(_ id: UInt32) throws(SystemError) -> DRMPlane {
    guard let raw = drmModeGetPlane(descriptor, id) else { throw SystemError("drmModeGetPlane") }
    defer { drmModeFreePlane(raw) }
    return DRMPlane(
      id: raw.pointee.plane_id, possibleCRTCs: raw.pointee.possible_crtcs,
      crtc: raw.pointee.crtc_id,
      formats: Self.array(raw.pointee.formats, Int32(clamping: raw.pointee.count_formats)))
  }

  func properties(of object: UInt32, type: UInt32) throws(SystemError) -> DRMProperties {
    guard let list = drmModeObjectGetProperties(descriptor, object, type) else {
      throw SystemError("drmModeObjectGetProperties")
    }
    defer { drmModeFreeObjectProperties(list) }
    var found = DRMProperties()
    for index in 0..<Int(list.pointee.count_props) {
      guard let property = drmModeGetProperty(descriptor, list.pointee.props[index]) else {
        continue
      }
      let name = withUnsafeBytes(of: property.pointee.name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      found.add(name, id: property.pointee.prop_id, value: list.pointee.prop_values[index])
      drmModeFreeProperty(property)
    }
    return found
  }

  private static func array<T>(_ items: UnsafeMutablePointer<T>?, _ count: Int32) -> [T] {
    Array(UnsafeBufferPointer(start: items, count: items == nil ? 0 : max(Int(count), 0)))
  }

  // MARK: Frame memory

  func createDumb(
    width: Int, height: Int, bitsPerPixel: Int
  ) throws(SystemError) -> DRMDumbBuffer {
    var (handle, pitch, size): (UInt32, UInt32, UInt64) = (0, 0, 0)
    let code = drmModeCreateDumbBuffer(
      descriptor, UInt32(width), UInt32(height), UInt32(bitsPerPixel), 0, &handle, &pitch, &size)
    if code != 0 { throw SystemError("drmModeCreateDumbBuffer", code: -code) }
    return DRMDumbBuffer(handle: handle, rowBytes: Int(pitch), size: Int(clamping: size))
  }

  func destroyDumb(_ handle: UInt32) { _ = drmModeDestroyDumbBuffer(descriptor, handle) }

  func mapDumb(
    _ buffer: DRMDumbBuffer, protection: Int32
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    var offset: UInt64 = 0
    let code = drmModeMapDumbBuffer(descriptor, buffer.handle, &offset)
    if code != 0 { throw SystemError("drmModeMapDumbBuffer", code: -code) }
    // The offset is an opaque token.
    let map = mmap(
      nil, buffer.size, protection, MAP_SHARED, descriptor, off_t(truncatingIfNeeded: offset))
    guard let map, map != MAP_FAILED else { throw SystemError("mmap") }
    return map
  }

  func addFramebuffer(
    _ buffer: DRMDumbBuffer, width: Int, height: Int, fourcc: UInt32
  ) throws(SystemError) -> UInt32 {
    var id: UInt32 = 0
    let code = drmModeAddFB2(
      descriptor, UInt32(width), UInt32(height), fourcc, [buffer.handle, 0, 0, 0],
      [UInt32(buffer.rowBytes), 0, 0, 0], [0, 0, 0, 0], &id, 0)
    if code != 0 { throw SystemError("drmModeAddFB2", code: -code) }
    return id
  }

  func removeFramebuffer(_ id: UInt32) { _ = drmModeRmFB(descriptor, id) }

  // MARK: Frames

  func commit(_ request: inout drm_mode_atomic) -> Int32 {
    waypost_drm_atomic(descriptor, &request) == 0 ? 0 : errno
  }

  func createBlob(_ bytes: UnsafeRawPointer, size: Int, id: inout UInt32) -> Int32 {
    -drmModeCreatePropertyBlob(descriptor, bytes, size, &id)
  }

  func destroyBlob(_ id: UInt32) { _ = drmModeDestroyPropertyBlob(descriptor, id) }

  func setCRTC(
    _ crtc: UInt32, framebuffer: UInt32, connector: UInt32, timing: drmModeModeInfo?
  ) -> Int32 {
    guard var timing else { return -drmModeSetCrtc(descriptor, crtc, 0, 0, 0, nil, 0, nil) }
    var connector = connector
    return -drmModeSetCrtc(descriptor, crtc, framebuffer, 0, 0, &connector, 1, &timing)
  }

  func pageFlip(_ crtc: UInt32, to framebuffer: UInt32, token: UInt32) -> Int32 {
    -drmModePageFlip(
      descriptor, crtc, framebuffer, UInt32(DRM_MODE_PAGE_FLIP_EVENT),
      UnsafeMutableRawPointer(bitPattern: UInt(token)))
  }

  func dirty(_ framebuffer: UInt32, _ clips: UnsafeMutableBufferPointer<drmModeClip>) -> Int32 {
    -drmModeDirtyFB(descriptor, framebuffer, clips.baseAddress, UInt32(clips.count))
  }

  func setConnectorProperty(_ connector: UInt32, _ property: UInt32, _ value: UInt64) -> Int32 {
    -drmModeConnectorSetProperty(descriptor, connector, property, value)
  }

  func readEvents(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
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
