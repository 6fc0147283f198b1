import CDRM
import Pixels

/// Which CRTC drives a connector, and which of its planes is the primary one.
struct DRMRoute {
  let crtc: UInt32
  let plane: UInt32
  /// The formats that the plane accepts and that can be drawn.
  let formats: Set<PixelFormat>

  /// Finds a route to `connector`. Parts of the card that cannot be read are skipped.
  ///
  /// - Throws: `DRMError` `refused` if there is none.
  init(
    _ device: any DRMDevice, to connector: DRMConnector, on path: String
  ) throws(DRMError) {
    guard let (crtc, place) = Self.crtc(device, connector) else {
      throw DRMError(.refused, "\(path): no display controller is free for \(connector.info.name)")
    }
    guard let plane = Self.primaryPlane(device, crtc: crtc, place: place) else {
      throw DRMError(.refused, "\(path): \(connector.info.name) has no primary plane")
    }
    (self.crtc, self.plane) = (crtc, plane.id)
    formats = Set(
      PixelFormat.allCases.filter { plane.formats.contains(DRMBuffer.fourcc($0)) })
  }

  /// The CRTC that drives the connector now, else the first one that can and drives no other.
  private static func crtc(
    _ device: any DRMDevice, _ connector: DRMConnector
  ) -> (id: UInt32, place: Int)? {
    guard let resources = try? device.resources() else { return nil }
    let possible = resources.crtcs.prefix(32).enumerated()
      .filter { connector.possibleCRTCs & (1 << UInt32($0.offset)) != 0 }
      .map { (id: $0.element, place: $0.offset) }
    let now = connector.encoder == 0 ? nil : try? device.encoderCRTC(connector.encoder)
    if let now, let same = possible.first(where: { $0.id == now }) { return same }
    let taken = Set(resources.encoders.compactMap { try? device.encoderCRTC($0) })
    return possible.first { !taken.contains($0.id) } ?? possible.first
  }

  private static func primaryPlane(
    _ device: any DRMDevice, crtc: UInt32, place: Int
  ) -> DRMPlane? {
    var found: DRMPlane?
    for id in (try? device.planes()) ?? [] {
      guard let plane = try? device.plane(id), plane.possibleCRTCs & (1 << UInt32(place)) != 0,
        let properties = try? device.properties(of: id, type: UInt32(DRM_MODE_OBJECT_PLANE)),
        properties.value("type") == UInt64(DRM_PLANE_TYPE_PRIMARY)
      else { continue }
      // If several are possible, the one that this CRTC shows already.
      if found == nil || plane.crtc == crtc { found = plane }
    }
    return found
  }
}
