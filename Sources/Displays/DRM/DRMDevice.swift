import CDRM
import Platform

/// An open card of the kernel (/dev/dri/cardN): each call that Waypost makes on it, as one thin
/// method. `KernelDRMDevice` is the real one; tests use one whose calls can each be made to fail.
///
/// Calls on a frame's path return 0 or errno, since EBUSY is routine there. The others throw.
protocol DRMDevice: AnyObject {
  /// Readable while page-flip events wait to be read.
  var descriptor: Int32 { get }
  /// Closes this copy of the descriptor. No other method may be called afterwards.
  func close()

  // MARK: The card

  /// The driver's name, "vc4"; empty if the driver does not tell it (DRM_IOCTL_VERSION).
  func driverName() -> String
  /// The value of a capability such as DRM_CAP_DUMB_BUFFER (DRM_IOCTL_GET_CAP).
  func capability(_ name: Int32) throws(SystemError) -> UInt64
  /// Enables a client capability, such as DRM_CLIENT_CAP_ATOMIC (DRM_IOCTL_SET_CLIENT_CAP).
  func setClientCapability(_ name: Int32, _ value: UInt64) throws(SystemError)
  /// Whether this descriptor may set modes.
  func isMaster() -> Bool
  func setMaster() throws(SystemError)
  func dropMaster() throws(SystemError)

  // MARK: What it has

  /// The IDs of the card's objects (DRM_IOCTL_MODE_GETRESOURCES).
  func resources() throws(SystemError) -> DRMResources
  /// Probes a connector, which takes milliseconds (DRM_IOCTL_MODE_GETCONNECTOR).
  func connector(_ id: UInt32) throws(SystemError) -> DRMConnector
  /// The CRTC that drives an encoder; 0: none (DRM_IOCTL_MODE_GETENCODER).
  func encoderCRTC(_ id: UInt32) throws(SystemError) -> UInt32
  /// The IDs of the planes (DRM_IOCTL_MODE_GETPLANERESOURCES).
  func planes() throws(SystemError) -> [UInt32]
  /// A plane as it is now (DRM_IOCTL_MODE_GETPLANE).
  func plane(_ id: UInt32) throws(SystemError) -> DRMPlane
  /// The properties of an object; `type` is DRM_MODE_OBJECT_PLANE or a similar constant
  /// (DRM_IOCTL_MODE_OBJ_GETPROPERTIES).
  func properties(of object: UInt32, type: UInt32) throws(SystemError) -> DRMProperties

  // MARK: Frame memory

  /// Allocates a dumb buffer (DRM_IOCTL_MODE_CREATE_DUMB).
  func createDumb(width: Int, height: Int, bitsPerPixel: Int) throws(SystemError) -> DRMDumbBuffer
  func destroyDumb(_ handle: UInt32)
  /// Maps a dumb buffer (DRM_IOCTL_MODE_MAP_DUMB and mmap); `protection` is PROT_READ or
  /// PROT_WRITE.
  func mapDumb(
    _ buffer: DRMDumbBuffer, protection: Int32
  ) throws(SystemError) -> UnsafeMutableRawPointer
  /// Creates a framebuffer from a dumb buffer and returns its ID (DRM_IOCTL_MODE_ADDFB2).
  func addFramebuffer(
    _ buffer: DRMDumbBuffer, width: Int, height: Int, fourcc: UInt32
  ) throws(SystemError) -> UInt32
  /// Removes a framebuffer. If it is being shown, the kernel turns its plane off.
  func removeFramebuffer(_ id: UInt32)

  // MARK: Frames: 0 or errno

  /// Commits an atomic request (DRM_IOCTL_MODE_ATOMIC).
  func commit(_ request: inout drm_mode_atomic) -> Int32
  /// Creates a property blob (DRM_IOCTL_MODE_CREATEPROPBLOB).
  func createBlob(_ bytes: UnsafeRawPointer, size: Int, id: inout UInt32) -> Int32
  func destroyBlob(_ id: UInt32)
  /// Sets a CRTC's mode and framebuffer; without a timing, turns it off (DRM_IOCTL_MODE_SETCRTC).
  func setCRTC(
    _ crtc: UInt32, framebuffer: UInt32, connector: UInt32, timing: drmModeModeInfo?
  ) -> Int32
  /// Flips to a framebuffer, with an event that carries `token` (DRM_IOCTL_MODE_PAGE_FLIP).
  func pageFlip(_ crtc: UInt32, to framebuffer: UInt32, token: UInt32) -> Int32
  /// Tells the driver which rectangles changed (DRM_IOCTL_MODE_DIRTYFB).
  func dirty(_ framebuffer: UInt32, _ clips: UnsafeMutableBufferPointer<drmModeClip>) -> Int32
  func setConnectorProperty(_ connector: UInt32, _ property: UInt32, _ value: UInt64) -> Int32
  /// Reads whole events (`drm_event` in drm.h) into `buffer`.
  ///
  /// - Returns: the number of bytes read, or -1 with `errno` set.
  func readEvents(into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// The IDs of a card's objects.
struct DRMResources: Equatable {
  /// The framebuffers of this open file, not those of the card's other users.
  var framebuffers: [UInt32] = []
  var crtcs: [UInt32] = []
  var connectors: [UInt32] = []
  var encoders: [UInt32] = []
}

/// A connector as the kernel describes it.
struct DRMConnector {
  var info: ConnectorInfo
  /// The kernel's timing of each of `info.modes`.
  var timings: [drmModeModeInfo]
  /// Bit n: the card's nth CRTC can drive it.
  var possibleCRTCs: UInt32
  /// The encoder in use; 0: none.
  var encoder: UInt32
  /// Whether it writes frames to memory and has no socket.
  var isWriteback = false
}

/// A plane as the kernel describes it.
struct DRMPlane {
  var id: UInt32
  /// Bit n: the card's nth CRTC can show it.
  var possibleCRTCs: UInt32
  /// The CRTC that shows it now; 0: none.
  var crtc: UInt32
  /// The pixel formats that it accepts, as codes of drm_fourcc.h.
  var formats: [UInt32]
}

/// Memory that the display can scan out.
struct DRMDumbBuffer: Equatable {
  var handle: UInt32
  var rowBytes: Int
  var size: Int
}
