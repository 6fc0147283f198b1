import CDRM
import Glibc

/// The properties of one object of a card's: their numbers and present values by name.
struct DRMProperties {
  private var entries: [String: (id: UInt32, value: UInt64)] = [:]

  /// - Parameters:
  ///   - object: the number of a plane, CRTC or connector.
  ///   - type: DRM_MODE_OBJECT_PLANE or its kin.
  init(card: DRMCard, object: UInt32, type: UInt32) {
    guard let list = drmModeObjectGetProperties(card.fd, object, type) else { return }
    defer { drmModeFreeObjectProperties(list) }
    for index in 0..<Int(list.pointee.count_props) {
      guard let property = drmModeGetProperty(card.fd, list.pointee.props[index]) else { continue }
      let name = withUnsafeBytes(of: property.pointee.name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      entries[name] = (property.pointee.prop_id, list.pointee.prop_values[index])
      drmModeFreeProperty(property)
    }
  }

  /// The property's number; nil: the driver does not have it.
  func id(_ name: String) -> UInt32? { entries[name]?.id }
  func value(_ name: String) -> UInt64? { entries[name]?.value }
}

/// An atomic commit's list of properties, in memory that is kept from frame to frame.
final class AtomicRequest {
  private static let capacity = 32
  private let objects = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  private let counts = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  private let properties = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
  private let values = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
  private var objectCount = 0
  private var propertyCount = 0

  deinit {
    objects.deallocate()
    counts.deallocate()
    properties.deallocate()
    values.deallocate()
  }

  func clear() { (objectCount, propertyCount) = (0, 0) }

  /// What is set from here on is set on this object; each object once.
  func object(_ id: UInt32) {
    guard objectCount < Self.capacity else { return }
    objects[objectCount] = id
    counts[objectCount] = 0
    objectCount += 1
  }

  /// Sets a property; one that the driver does not have is left out.
  func set(_ property: UInt32?, _ value: UInt64) {
    guard let property, objectCount > 0, propertyCount < Self.capacity else { return }
    properties[propertyCount] = property
    values[propertyCount] = value
    propertyCount += 1
    counts[objectCount - 1] += 1
  }

  /// Commits. 0, or errno.
  func commit(_ fd: Int32, flags: UInt32, token: UInt64) -> Int32 {
    var request = drm_mode_atomic()
    request.flags = flags
    request.count_objs = UInt32(objectCount)
    request.objs_ptr = UInt64(UInt(bitPattern: objects))
    request.count_props_ptr = UInt64(UInt(bitPattern: counts))
    request.props_ptr = UInt64(UInt(bitPattern: properties))
    request.prop_values_ptr = UInt64(UInt(bitPattern: values))
    request.user_data = token
    return waypost_drm_atomic(fd, &request) == 0 ? 0 : errno
  }
}
