import CDRM
import Glibc
import Platform

@testable import Displays

/// A card in memory, each of whose calls can be made to fail, with a log of what was asked of it.
///
/// One socket, HDMI-A-1, with 64x32 (preferred) and 32x16. Flips wait for `sendFlip`, which writes
/// the event as the kernel does.
final class FakeDRM: DRMDevice {
  enum Call: String, CaseIterable, Sendable {
    case capability, setClientCapability, setMaster, dropMaster
    case resources, connector, encoder, planes, plane, properties
    case createDumb, mapDumb, addFramebuffer
    case testCommit, modeCommit, flipCommit, createBlob, setCRTC, pageFlip, dirty
    case setConnectorProperty, readEvents
  }

  let descriptor: Int32
  private let eventEnd: Int32
  private(set) var isClosed = false
  /// What each call fails with, how often (-1: always) and after how many that succeed.
  private var failures: [Call: (code: Int32, times: Int, after: Int)] = [:]
  private(set) var counts: [Call: Int] = [:]

  var master = false
  var isPlugged = true
  /// Whether the monitor has only its preferred mode, as panels do.
  var hasOneMode = false
  /// Bytes a row has beside its pixels; negative for a driver that lies.
  var padding = 0
  private(set) var handles: Set<UInt32> = []
  private(set) var framebuffers: Set<UInt32> = []
  private(set) var blobs: Set<UInt32> = []
  /// The framebuffer of each picture put on the screen.
  private(set) var shown: [UInt32] = []
  private(set) var isLit = false
  private(set) var tokens: [UInt64] = []
  private var nextID: UInt32 = 100

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    (descriptor, eventEnd) = (ends[0], ends[1])
  }

  deinit {
    close()
    Glibc.close(eventEnd)
  }

  func fail(_ call: Call, _ code: Int32, times: Int = -1, after: Int = 0) {
    failures[call] = (code, times, after)
  }

  func mend(_ call: Call) { failures[call] = nil }

  /// The flip that waits is done.
  func sendFlip() {
    var event = drm_event_vblank()
    event.base.type = UInt32(DRM_EVENT_FLIP_COMPLETE)
    event.base.length = UInt32(MemoryLayout<drm_event_vblank>.size)
    event.user_data = tokens.last ?? 0
    _ = withUnsafeBytes(of: event) { write(eventEnd, $0.baseAddress, $0.count) }
  }

  /// 0, or what `call` is to fail with this time.
  private func code(_ call: Call) -> Int32 {
    counts[call, default: 0] += 1
    guard var failure = failures[call], failure.times != 0 else { return 0 }
    if failure.after > 0 {
      failure.after -= 1
      failures[call] = failure
      return 0
    }
    failure.times = max(failure.times - 1, -1)
    failures[call] = failure
    return failure.code
  }

  private func check(_ call: Call) throws(SystemError) {
    let code = code(call)
    if code != 0 { throw SystemError(call.rawValue, code: code) }
  }

  private func makeID() -> UInt32 {
    nextID += 1
    return nextID
  }

  // MARK: DRMDevice

  func close() {
    if isClosed { return }
    isClosed = true
    Glibc.close(descriptor)
  }

  func driverName() -> String { "fake" }

  func capability(_ name: Int32) throws(SystemError) -> UInt64 {
    try check(.capability)
    return name == DRM_CAP_DUMB_BUFFER ? 1 : 0
  }

  func setClientCapability(_ name: Int32, _ value: UInt64) throws(SystemError) {
    if name == DRM_CLIENT_CAP_ATOMIC, value == 1 { try check(.setClientCapability) }
  }

  func isMaster() -> Bool { master }

  func setMaster() throws(SystemError) {
    try check(.setMaster)
    master = true
  }

  func dropMaster() throws(SystemError) {
    try check(.dropMaster)
    master = false
  }

  func resources() throws(SystemError) -> DRMResources {
    try check(.resources)
    return DRMResources(
      framebuffers: framebuffers.sorted(), crtcs: [40], connectors: [10], encoders: [20])
  }

  func connector(_ id: UInt32) throws(SystemError) -> DRMConnector {
    try check(.connector)
    let all = [timing(64, 32, preferred: true), timing(32, 16)]
    let timings = isPlugged ? Array(all.prefix(hasOneMode ? 1 : 2)) : []
    return DRMConnector(
      info: ConnectorInfo(
        id: id, name: "HDMI-A-1", status: isPlugged ? .connected : .disconnected,
        modes: timings.map(DisplayMode.init)),
      timings: timings, possibleCRTCs: 1, encoder: 20)
  }

  private func timing(_ width: UInt16, _ height: UInt16, preferred: Bool = false) -> drmModeModeInfo
  {
    var timing = drmModeModeInfo()
    (timing.hdisplay, timing.vdisplay) = (width, height)
    (timing.htotal, timing.vtotal, timing.clock) = (1000, 1000, 60_000)
    if preferred { timing.type = UInt32(DRM_MODE_TYPE_PREFERRED) }
    return timing
  }

  func encoderCRTC(_ id: UInt32) throws(SystemError) -> UInt32 {
    try check(.encoder)
    return 40
  }

  func planes() throws(SystemError) -> [UInt32] {
    try check(.planes)
    return [50]
  }

  func plane(_ id: UInt32) throws(SystemError) -> DRMPlane {
    try check(.plane)
    return DRMPlane(
      id: id, possibleCRTCs: 1, crtc: 40, formats: [DRMBuffer.fourcc(.xrgb8888)])
  }

  func properties(of object: UInt32, type: UInt32) throws(SystemError) -> DRMProperties {
    try check(.properties)
    var found = DRMProperties()
    for (index, name) in Self.names.enumerated() {
      found.add(
        name, id: UInt32(index) + 1,
        value: name == "type" ? UInt64(DRM_PLANE_TYPE_PRIMARY) : 0)
    }
    return found
  }

  private static let names = [
    "type", "FB_ID", "CRTC_ID", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "CRTC_X", "CRTC_Y", "CRTC_W",
    "CRTC_H", "FB_DAMAGE_CLIPS", "MODE_ID", "ACTIVE", "DPMS",
  ]

  func createDumb(
    width: Int, height: Int, bitsPerPixel: Int
  ) throws(SystemError) -> DRMDumbBuffer {
    try check(.createDumb)
    let id = makeID()
    handles.insert(id)
    let rowBytes = width * bitsPerPixel / 8 + padding
    return DRMDumbBuffer(handle: id, rowBytes: rowBytes, size: rowBytes * height)
  }

  func destroyDumb(_ handle: UInt32) { handles.remove(handle) }

  func mapDumb(
    _ buffer: DRMDumbBuffer, protection: Int32
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    try check(.mapDumb)
    return mmap(nil, buffer.size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  }

  func addFramebuffer(
    _ buffer: DRMDumbBuffer, width: Int, height: Int, fourcc: UInt32
  ) throws(SystemError) -> UInt32 {
    try check(.addFramebuffer)
    let id = makeID()
    framebuffers.insert(id)
    return id
  }

  func removeFramebuffer(_ id: UInt32) { framebuffers.remove(id) }

  func commit(_ request: inout drm_mode_atomic) -> Int32 {
    let isTest = request.flags & UInt32(DRM_MODE_ATOMIC_TEST_ONLY) != 0
    let isFlip = request.flags & UInt32(DRM_MODE_PAGE_FLIP_EVENT) != 0
    let code = code(isTest ? .testCommit : isFlip ? .flipCommit : .modeCommit)
    if code != 0 || isTest { return code }
    if isFlip { tokens.append(request.user_data) }
    let properties = UnsafePointer<UInt32>(bitPattern: UInt(request.props_ptr))!
    let values = UnsafePointer<UInt64>(bitPattern: UInt(request.prop_values_ptr))!
    let counts = UnsafePointer<UInt32>(bitPattern: UInt(request.count_props_ptr))!
    let total = (0..<Int(request.count_objs)).reduce(0) { $0 + Int(counts[$1]) }
    for index in 0..<total {
      switch Self.names[Int(properties[index]) - 1] {
      case "FB_ID": shown.append(UInt32(values[index]))
      case "ACTIVE": isLit = values[index] == 1
      default: break
      }
    }
    return 0
  }

  func createBlob(_ bytes: UnsafeRawPointer, size: Int, id: inout UInt32) -> Int32 {
    let code = code(.createBlob)
    if code != 0 { return code }
    id = makeID()
    blobs.insert(id)
    return 0
  }

  func destroyBlob(_ id: UInt32) { blobs.remove(id) }

  func setCRTC(
    _ crtc: UInt32, framebuffer: UInt32, connector: UInt32, timing: drmModeModeInfo?
  ) -> Int32 {
    let code = code(.setCRTC)
    if code != 0 { return code }
    isLit = timing != nil
    if isLit { shown.append(framebuffer) }
    return 0
  }

  func pageFlip(_ crtc: UInt32, to framebuffer: UInt32, token: UInt32) -> Int32 {
    let code = code(.pageFlip)
    if code != 0 { return code }
    shown.append(framebuffer)
    tokens.append(UInt64(token))
    return 0
  }

  func dirty(_ framebuffer: UInt32, _ clips: UnsafeMutableBufferPointer<drmModeClip>) -> Int32 {
    code(.dirty)
  }

  func setConnectorProperty(_ connector: UInt32, _ property: UInt32, _ value: UInt64) -> Int32 {
    let code = code(.setConnectorProperty)
    if code == 0 { isLit = value == UInt64(DRM_MODE_DPMS_ON) }
    return code
  }

  func readEvents(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let code = code(.readEvents)
    if code != 0 {
      errno = code
      return -1
    }
    return read(descriptor, buffer.baseAddress, buffer.count)
  }
}
