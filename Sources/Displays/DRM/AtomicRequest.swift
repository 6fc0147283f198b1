import CDRM

/// The property list of an atomic commit, in memory that is reused from frame to frame.
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

  /// Selects the object whose properties are set next. Select each object once.
  func object(_ id: UInt32) {
    guard objectCount < Self.capacity else { return }
    objects[objectCount] = id
    counts[objectCount] = 0
    objectCount += 1
  }

  /// Sets a property; a nil one, which the driver does not have, is left out.
  func set(_ property: UInt32?, _ value: UInt64) {
    guard let property, objectCount > 0, propertyCount < Self.capacity else { return }
    properties[propertyCount] = property
    values[propertyCount] = value
    propertyCount += 1
    counts[objectCount - 1] += 1
  }

  /// Commits the properties.
  ///
  /// - Parameters:
  ///   - device: the card.
  ///   - flags: DRM_MODE_ATOMIC_NONBLOCK and similar flags.
  ///   - token: the value that the flip event will carry.
  /// - Returns: 0, or errno.
  func commit(_ device: any DRMDevice, flags: UInt32, token: UInt64) -> Int32 {
    var request = drm_mode_atomic()
    request.flags = flags
    request.count_objs = UInt32(objectCount)
    request.objs_ptr = UInt64(UInt(bitPattern: objects))
    request.count_props_ptr = UInt64(UInt(bitPattern: counts))
    request.props_ptr = UInt64(UInt(bitPattern: properties))
    request.prop_values_ptr = UInt64(UInt(bitPattern: values))
    request.user_data = token
    return device.commit(&request)
  }
}
