import CEvdev
import Configuration
import Testing

@testable import Inputs

/// A device as its driver describes it.
struct DeviceModel: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var keys: [Int32] = []
  var axes: [Int32] = []
  var absolute: [Int32: Int32] = [:]
  var properties: [Int32] = []
  var isKeys = false
  var isDial = false
  var touch: DeviceUse.Touch?
}

private let slots: [Int32: Int32] = [
  ABS_MT_SLOT: 9, ABS_MT_TRACKING_ID: 65535, ABS_MT_POSITION_X: 799, ABS_MT_POSITION_Y: 479,
]

private let models: [DeviceModel] = [
  DeviceModel(testDescription: "a keyboard", keys: [KEY_A, KEY_ENTER, KEY_LEFT], isKeys: true),
  DeviceModel(testDescription: "a key pad without any known key", keys: [KEY_A], isKeys: true),
  DeviceModel(
    testDescription: "gpio-keys with one known key", keys: [KEY_ZOOMIN, KEY_UP], isKeys: true),
  DeviceModel(testDescription: "a power button is left to others", keys: [KEY_POWER, KEY_SLEEP]),
  DeviceModel(
    testDescription: "a mouse is a wheel", keys: [BTN_LEFT], axes: [REL_X, REL_Y, REL_WHEEL],
    isDial: true),
  DeviceModel(testDescription: "a knob", keys: [BTN_0], axes: [REL_DIAL], isDial: true),
  DeviceModel(testDescription: "a rotary-encoder without linux,axis", axes: [REL_X], isDial: true),
  DeviceModel(
    testDescription: "a trackball without a wheel", keys: [BTN_LEFT], axes: [REL_X, REL_Y]),
  DeviceModel(
    testDescription: "a touch screen", keys: [BTN_TOUCH],
    absolute: slots.merging([ABS_X: 799, ABS_Y: 479]) { $1 }, properties: [INPUT_PROP_DIRECT],
    touch: .slots(10)),
  DeviceModel(
    testDescription: "a touch screen whose driver forgot what it is", keys: [BTN_TOUCH],
    absolute: slots, touch: .slots(10)),
  DeviceModel(
    testDescription: "a touch pad", keys: [BTN_TOUCH, BTN_TOOL_FINGER, BTN_LEFT],
    absolute: slots.merging([ABS_X: 799, ABS_Y: 479]) { $1 }, properties: [INPUT_PROP_POINTER]),
  DeviceModel(
    testDescription: "a touch pad whose driver forgot what it is",
    keys: [BTN_TOUCH, BTN_TOOL_FINGER, BTN_LEFT], absolute: slots),
  DeviceModel(
    testDescription: "a resistive panel", keys: [BTN_TOUCH], absolute: [ABS_X: 4095, ABS_Y: 4095],
    touch: .single(UInt16(BTN_TOUCH))),
  DeviceModel(
    testDescription: "a virtual machine's tablet", keys: [BTN_LEFT, BTN_RIGHT],
    axes: [REL_WHEEL], absolute: [ABS_X: 32767, ABS_Y: 32767], isDial: true,
    touch: .single(UInt16(BTN_LEFT))),
  DeviceModel(
    testDescription: "a touch screen without a range", keys: [BTN_TOUCH],
    absolute: [ABS_X: 0, ABS_Y: 0]),
  DeviceModel(
    testDescription: "a joystick", keys: [BTN_TRIGGER], absolute: [ABS_X: 255, ABS_Y: 255]),
]

@Test(arguments: models)
func aDeviceIsUsedForWhatItIs(_ model: DeviceModel) throws {
  let device = try #require(libevdev_new())
  defer { libevdev_free(device) }
  for key in model.keys {
    libevdev_enable_event_code(device, UInt32(EV_KEY), UInt32(key), nil)
  }
  for axis in model.axes {
    libevdev_enable_event_code(device, UInt32(EV_REL), UInt32(axis), nil)
  }
  for (axis, maximum) in model.absolute {
    var info = input_absinfo()
    info.maximum = maximum
    libevdev_enable_event_code(device, UInt32(EV_ABS), UInt32(axis), &info)
  }
  for property in model.properties { libevdev_enable_property(device, UInt32(property)) }
  let use = DeviceUse(of: device, keys: KeyMap(Configuration().input))
  #expect(use.keys == model.isKeys)
  #expect(use.dial == model.isDial)
  #expect(use.touch == model.touch)
  #expect(use.isAny == (model.isKeys || model.isDial || model.touch != nil))
}
