/// Chooses which of several receivers to follow: the one with the best mode, and of equals the one
/// chosen before, so that the position does not jump between two antennas.
struct DeviceChoice {
  /// Nanoseconds without a report after which a receiver counts as silent.
  static let patience: UInt64 = 3_000_000_000
  /// The most receivers to remember.
  static let capacity = 8

  private struct Device {
    var name: String
    var mode: Int
    var heard: UInt64
  }

  private var devices: [Device] = []
  private(set) var chosen: String?

  /// Records a report of `device` at `now` in nanoseconds (mode nil: it has no fix). Returns
  /// whether to use its fix.
  mutating func takes(_ device: String, mode: Fix.Mode?, now: UInt64) -> Bool {
    let value = mode?.rawValue ?? 0
    if let i = devices.firstIndex(where: { $0.name == device }) {
      devices[i].mode = value
      devices[i].heard = now
    } else {
      if devices.count >= Self.capacity,
        let oldest = devices.indices.min(by: { devices[$0].heard < devices[$1].heard })
      {
        devices.remove(at: oldest)
      }
      devices.append(Device(name: device, mode: value, heard: now))
    }
    if mode == nil { return false }
    if device != chosen,
      let rival = devices.first(where: { $0.name == chosen }),
      rival.mode >= value, now &- rival.heard < Self.patience
    {
      return false
    }
    chosen = device
    return true
  }

  mutating func forget() { self = DeviceChoice() }
}
