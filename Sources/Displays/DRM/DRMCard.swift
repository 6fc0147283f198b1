import CDRM
import Glibc
import Platform

/// One open card (/dev/dri/cardN) that can show something. Belongs to the loop's thread.
///
/// The first process to open a card is its master, and only the master may set modes. Without
/// CAP_SYS_ADMIN, `drmSetMaster` works only on a descriptor that was master before, so a process
/// that came too late opens the card again for every try.
final class DRMCard {
  let device: any DRMDevice
  let path: String
  let driver: String
  /// Whether the descriptor came from the service manager, with the framebuffers of the previous
  /// process.
  let isAdopted: Bool
  /// DRM_CAP_DUMB_PREFERRED_DEPTH in bits; 0 if the driver has none.
  let preferredDepth: Int
  /// The framebuffers of the previous process, one of them on the screen.
  private var inherited: [UInt32] = []
  /// Whether the screen may still show a framebuffer of the previous process.
  var hasInherited: Bool { !inherited.isEmpty }
  /// Why a connector could not be read at the last look; nil: all could, or were gone.
  private(set) var probeFailure: SystemError?
  private(set) var isOpen = true

  /// Examines an open card.
  ///
  /// A descriptor that was passed on is the same open file: still master, with its framebuffers,
  /// buffer handles and whatever is on the screen. The kernel frees all that only when the last
  /// copy is closed. Removing a framebuffer that is being shown turns its plane off, so the
  /// previous process's last frame is removed after our first one (`dropInherited`). The buffer
  /// handles can go at once, because a framebuffer keeps its memory itself.
  ///
  /// - Parameters:
  ///   - device: the open card; it is closed with this object, also if this throws.
  ///   - path: its file, for messages.
  ///   - isAdopted: whether the service manager kept the descriptor for us.
  /// - Throws: `DRMError` `notADisplay` if it has no frame memory or no connectors; another kind if
  ///   it could not be asked.
  init(_ device: any DRMDevice, path: String, isAdopted: Bool) throws(DRMError) {
    self.device = device
    self.path = path
    self.isAdopted = isAdopted
    driver = device.driverName()
    let depth = try? device.capability(DRM_CAP_DUMB_PREFERRED_DEPTH)
    preferredDepth = depth.map { Int(clamping: $0) } ?? 0
    let resources: DRMResources
    do throws(SystemError) {
      guard try device.capability(DRM_CAP_DUMB_BUFFER) == 1 else {
        throw SystemError("DRM_CAP_DUMB_BUFFER", code: EOPNOTSUPP, on: path)
      }
    } catch {
      throw DRMCard.explain(error, path, "driver \"\(driver)\" has no frame memory to draw into")
    }
    do throws(SystemError) {
      resources = try device.resources()
    } catch {
      throw DRMCard.explain(error, path, "driver \"\(driver)\" cannot show anything (no KMS)")
    }
    if resources.connectors.isEmpty {
      throw DRMError(.notADisplay, "\(path): it has no connectors")
    }
    if isAdopted {
      inherited = resources.framebuffers
      // Handles are small numbers counted from 1, and none of this descriptor's are ours yet.
      for handle in UInt32(1)...64 { device.destroyDumb(handle) }
    }
  }

  deinit { close() }

  /// A card that never shows anything, or one that could not be asked this time.
  private static func explain(
    _ error: SystemError, _ path: String, _ reason: String
  ) -> DRMError {
    switch error.code {
    case EIO, ENOMEM, EBUSY, EAGAIN, EINTR: DRMError(error, on: path)
    default: DRMError(.notADisplay, "\(path): \(reason)")
    }
  }

  /// Closes the descriptor. Unless the service manager has a copy, the kernel removes the
  /// framebuffers, turns off what showed them, and gives the screen to the next user or to its
  /// console.
  func close() {
    guard isOpen else { return }
    isOpen = false
    device.close()
  }

  /// Becomes DRM master, unless this descriptor already is.
  ///
  /// - Throws: `DRMError` `gone`, or `masterRefused` while another process is master.
  func takeMaster() throws(DRMError) {
    guard isOpen else { throw DRMError(.gone, "\(path): closed") }
    if device.isMaster() { return }
    do throws(SystemError) {
      try device.setMaster()
    } catch {
      if error.code == ENODEV || error.code == ENXIO { throw DRMError(error, on: path) }
      throw DRMError(.masterRefused, "\(path): \(DRMError.holders)")
    }
  }

  /// Drops DRM master. Returns false if the kernel refuses: a descriptor that another process
  /// opened can only be closed (drm_master_check_perm; CAP_SYS_ADMIN may drop it).
  func dropMaster() -> Bool {
    if !isOpen || !device.isMaster() { return true }
    return (try? device.dropMaster()) != nil
  }

  /// Removes the framebuffers of the previous process.
  func dropInherited() {
    for id in inherited { device.removeFramebuffer(id) }
    inherited = []
  }

  /// All connectors with a socket, and the monitors plugged in. Probes the monitors, which takes
  /// some milliseconds each.
  ///
  /// - Throws: `DRMError` `gone` if the device was removed.
  func connectors() throws(DRMError) -> [DRMConnector] {
    guard isOpen, let resources = try? device.resources() else {
      throw DRMError(.gone, "\(path): the device was taken away")
    }
    var connectors: [DRMConnector] = []
    probeFailure = nil
    for id in resources.connectors {
      do throws(SystemError) {
        let connector = try device.connector(id)
        if !connector.isWriteback { connectors.append(connector) }
      } catch {
        // One that goes with its hub is no longer there.
        if error.code != ENOENT { probeFailure = error }
      }
    }
    return connectors
  }
}
