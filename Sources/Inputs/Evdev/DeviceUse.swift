import CEvdev

/// What an input device is used for: keys, a dial, a touch screen, or several of them.
struct DeviceUse: Equatable {
  /// How a touch screen reports fingers.
  enum Touch: Equatable {
    /// ABS_MT_*, with that many slots, one per finger (the kernel's multi-touch-protocol.rst, type
    /// B).
    case slots(Int)
    /// ABS_X and ABS_Y while this key (BTN_TOUCH, BTN_LEFT) is down.
    case single(UInt16)
  }

  var keys = false
  var dial = false
  var touch: Touch?

  var isAny: Bool { keys || dial || touch != nil }

  /// The most fingers to follow at once.
  static let mostFingers = 10

  /// The keys that type on a console: KEY_ESC to KEY_DELETE, the block that every keyboard has. A
  /// device with neither these nor a mapped key is left alone, so that a power button still shuts
  /// the board down.
  private static let typing = UInt32(KEY_ESC)...UInt32(KEY_DELETE)

  init(of device: OpaquePointer, keys map: KeyMap) {
    func has(_ type: Int32, _ code: Int32) -> Bool {
      libevdev_has_event_code(device, UInt32(type), UInt32(code)) != 0
    }
    func isSpan(_ code: Int32) -> Bool {
      libevdev_get_abs_maximum(device, UInt32(code))
        > libevdev_get_abs_minimum(device, UInt32(code))
    }
    func isProperty(_ property: Int32) -> Bool {
      libevdev_has_property(device, UInt32(property)) != 0
    }
    keys =
      map.codes.contains { has(EV_KEY, Int32($0)) }
      || Self.typing.contains { has(EV_KEY, Int32($0)) }
    dial =
      has(EV_REL, REL_DIAL) || has(EV_REL, REL_WHEEL) || has(EV_REL, REL_HWHEEL)
      || Self.isAxisAlone(device)

    // Touch pads move a pointer, and there is none here.
    let isPad =
      isProperty(INPUT_PROP_POINTER) || isProperty(INPUT_PROP_BUTTONPAD)
      || (has(EV_KEY, BTN_TOOL_FINGER) && !isProperty(INPUT_PROP_DIRECT))
    let slots = Int(libevdev_get_num_slots(device))
    if isPad {
      touch = nil
    } else if slots > 0, isSpan(ABS_MT_POSITION_X), isSpan(ABS_MT_POSITION_Y) {
      touch = .slots(min(slots, Self.mostFingers))
    } else if isSpan(ABS_X), isSpan(ABS_Y) {
      if has(EV_KEY, BTN_TOUCH) {
        touch = .single(UInt16(BTN_TOUCH))
      } else if has(EV_KEY, BTN_LEFT) {
        touch = .single(UInt16(BTN_LEFT))
      }
    }
  }

  /// Whether the device has only REL_X, which the kernel's rotary-encoder driver reports unless its
  /// device tree names another axis. A mouse also has REL_Y.
  static func isAxisAlone(_ device: OpaquePointer) -> Bool {
    libevdev_has_event_code(device, UInt32(EV_REL), UInt32(REL_X)) != 0
      && libevdev_has_event_code(device, UInt32(EV_REL), UInt32(REL_Y)) == 0
  }
}
