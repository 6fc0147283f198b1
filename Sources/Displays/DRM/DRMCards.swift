import Glibc
import Platform

/// The machine's cards, and how to open one.
struct DRMCards {
  /// Returns the paths of all cards, or only the configured one.
  var paths: (_ device: String?) -> [String]
  var open: (_ path: String) throws(SystemError) -> any DRMDevice
  /// Takes over a descriptor that the service manager kept, and finds its path; nil if it is not a
  /// DRM card.
  var adopt: (_ descriptor: Int32) -> (device: any DRMDevice, path: String)?

  /// The cards of the running kernel.
  static var kernel: DRMCards {
    DRMCards(
      paths: { device in
        if let device { return [device] }
        return (0..<64).map { "/dev/dri/card\($0)" }.filter { access($0, F_OK) == 0 }
      },
      open: { (path: String) throws(SystemError) -> any DRMDevice in
        try KernelDRMDevice(path: path)
      },
      adopt: { descriptor in
        guard let path = KernelDRMDevice.path(of: descriptor) else {
          Glibc.close(descriptor)
          return nil
        }
        return (KernelDRMDevice(adopting: descriptor), path)
      })
  }

  /// Opens the card at `path`.
  ///
  /// - Throws: `DRMError` `cannotOpen`, or `notADisplay` if it can show nothing.
  func card(at path: String) throws(DRMError) -> DRMCard {
    let device: any DRMDevice
    do throws(SystemError) {
      device = try open(path)
    } catch {
      throw DRMError.cannotOpen(path, error)
    }
    return try DRMCard(device, path: path, isAdopted: false)
  }

  /// The card behind a descriptor that the service manager kept. The descriptor is closed if that
  /// fails.
  ///
  /// - Throws: `DRMError` `notADisplay` if it is not a card that can show something.
  func card(adopting descriptor: Int32) throws(DRMError) -> DRMCard {
    guard let (device, path) = adopt(descriptor) else {
      throw DRMError(.notADisplay, "the descriptor kept by the service manager is not a DRM card")
    }
    return try DRMCard(device, path: path, isAdopted: true)
  }
}
