import EventLoop
import Glibc
import Platform

/// A panel's backlight, through the kernel's backlight class
/// (Documentation/ABI/stable/sysfs-class-backlight).
///
/// Brightness is in percent. 0 is the panel's lowest value, dark on many panels; 1 to 100 never
/// reach it. A value that is read back is the one that was set, even on panels with few steps.
public final class Backlight {
  /// The folder of the kernel's backlights.
  public static let folder = "/sys/class/backlight"

  /// The backlight's name below the folder: "10-0045", "rpi_backlight".
  public let name: String
  /// The highest raw value, at least 1.
  public let maximum: Int

  private let path: String
  private var sleeping: Sleep?
  /// The value that was set last. A panel with 15 steps shows 50 % as 8 of 15, and still reads
  /// "50".
  private var set: (percent: Int, raw: Int)?
  /// The raw value before the first change; nil while nothing was changed.
  private var found: Int?

  /// How the backlight was turned off.
  private enum Sleep {
    case power
    case brightness(raw: Int)
  }

  // FB_BLANK_UNBLANK and FB_BLANK_POWERDOWN in bl_power.
  private static let powerOn = 0
  private static let powerOff = 4

  /// - Parameters:
  ///   - name: the backlight's name; nil: the preferred one (see `names(in:)`).
  ///   - folder: the folder to look in.
  /// - Throws: `BacklightError` if there is none, or none with this name.
  public init(name: String? = nil, folder: String = Backlight.folder) throws(BacklightError) {
    let names = Self.names(in: folder)
    guard let chosen = name ?? names.first else {
      throw BacklightError(folder, "there is no backlight; the panel's driver offers none")
    }
    guard names.contains(chosen) else {
      let there = names.isEmpty ? "there is none" : "there is " + names.joined(separator: ", ")
      throw BacklightError("\(folder)/\(chosen)", "no backlight of that name; \(there)")
    }
    self.name = chosen
    path = "\(folder)/\(chosen)"
    let maximum = try SysfsFile.number("\(path)/max_brightness")
    guard maximum >= 1, maximum <= Int(Int32.max) else {
      throw BacklightError("\(path)/max_brightness", "\(maximum): at least 1 is expected")
    }
    self.maximum = maximum
  }

  /// The names of the backlights in `folder`, the preferred one first: firmware before platform
  /// before raw, as the kernel's documentation advises, then by name.
  public static func names(in folder: String = Backlight.folder) -> [String] {
    let order = ["firmware", "platform", "raw"]
    let found = Directory.visibleNames(in: folder).map { name in
      let type = (try? SysfsFile.text("\(folder)/\(name)/type")) ?? ""
      return (rank: order.firstIndex(of: type) ?? order.count, name: name)
    }
    return found.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map(\.name)
  }

  // MARK: Brightness

  /// The brightness in percent; while asleep, the one that waking restores.
  ///
  /// - Throws: `BacklightError` if it cannot be read.
  public func brightness() throws(BacklightError) -> Int {
    if case .brightness(let raw) = sleeping { return percent(raw) }
    return percent(try SysfsFile.number("\(path)/brightness"))
  }

  /// Sets the brightness. While asleep it is only stored, and takes effect on waking.
  ///
  /// - Parameter percent: 0 to 100; values outside are clamped.
  /// - Throws: `BacklightError` if the kernel refuses it.
  public func setBrightness(_ percent: Int) throws(BacklightError) {
    let wanted = min(max(percent, 0), 100)
    let raw = raw(wanted)
    if case .brightness = sleeping {
      sleeping = .brightness(raw: raw)
    } else {
      if found == nil { found = try SysfsFile.number("\(path)/brightness") }
      try SysfsFile.write(raw, to: "\(path)/brightness")
    }
    set = (wanted, raw)
  }

  /// The raw value of 0 to 100 percent, rounded, but 0 only for 0.
  func raw(_ percent: Int) -> Int {
    percent == 0 ? 0 : max(1, (percent * maximum + 50) / 100)
  }

  /// The percentage of a raw value, rounded, but 0 only for 0.
  func percent(_ raw: Int) -> Int {
    if let set, set.raw == raw { return set.percent }
    let clamped = min(max(raw, 0), maximum)
    return clamped == 0 ? 0 : max(1, (clamped * 100 + maximum / 2) / maximum)
  }

  // MARK: Sleep

  /// Whether `sleep()` turned it off.
  public var isAsleep: Bool { sleeping != nil }

  /// Turns the backlight off through `bl_power`, or by brightness 0 if that is missing or refused.
  ///
  /// - Throws: `BacklightError` if neither is possible.
  public func sleep() throws(BacklightError) {
    guard sleeping == nil else { return }
    do throws(BacklightError) {
      try SysfsFile.write(Self.powerOff, to: "\(path)/bl_power")
      sleeping = .power
    } catch {
      let raw = try SysfsFile.number("\(path)/brightness")
      if found == nil { found = raw }
      try SysfsFile.write(0, to: "\(path)/brightness")
      sleeping = .brightness(raw: raw)
    }
  }

  /// Turns the backlight on as it was before `sleep()`. If it is not asleep, lights a panel that an
  /// earlier process left off. One left at brightness 0 gets its highest, since nothing tells how
  /// bright it was.
  ///
  /// - Throws: `BacklightError` if the kernel refuses it.
  public func wake() throws(BacklightError) {
    switch sleeping {
    case .brightness(let raw):
      try SysfsFile.write(raw, to: "\(path)/brightness")
    case .power:
      try SysfsFile.write(Self.powerOn, to: "\(path)/bl_power")
    case nil:
      if (try? SysfsFile.number("\(path)/brightness")) == 0 {
        try SysfsFile.write(maximum, to: "\(path)/brightness")
      }
      if let power = try? SysfsFile.number("\(path)/bl_power"), power != Self.powerOn {
        try SysfsFile.write(Self.powerOn, to: "\(path)/bl_power")
      }
    }
    sleeping = nil
  }

  /// Lights the panel, and restores its original brightness if that was changed and was not 0. So
  /// the console is neither dark nor dimmed afterwards, and the system saves its own value at
  /// shutdown.
  public func close() {
    try? wake()
    if let found, found > 0 { try? SysfsFile.write(found, to: "\(path)/brightness") }
    found = nil
    set = nil
  }
}
