import Platform
import Testing

@testable import Configuration

@Test(
  arguments: [
    ("600ms", 0.6), ("8ms", 0.008), ("30s", 30), ("1.5m", 90), ("2h", 7200), ("1d", 86_400),
    ("0s", 0), ("", nil), ("10", nil), ("s", nil), ("-1s", nil), ("+1s", nil), ("1e3s", nil),
    (" 1s", nil), ("1 s", nil), (".5s", nil), ("1.s", nil), ("367d", nil), ("1.2.3s", nil),
    ("99999999999999999999s", nil), ("never", nil), ("infs", nil), ("0x10s", nil), ("١s", nil),
  ] as [(String, Double?)])
func aDurationIsDigitsAndAUnit(_ text: String, _ seconds: Double?) {
  #expect(Quantities.duration(text) == seconds)
}

@Test(
  arguments: [
    ("1000000", 1_000_000), ("48MiB", 50_331_648), ("512KiB", 524_288), ("1GiB", 1_073_741_824),
    ("1.5KiB", 1536), ("2kB", 2000), ("3MB", 3_000_000), ("7B", 7), ("1024GiB", 1 << 40),
    ("1025GiB", nil), ("999999999999999GiB", nil), ("", nil), ("MiB", nil), ("-1", nil),
    ("1 MiB", nil), ("1mib", 1 << 20), ("nan", nil),
  ] as [(String, Int?)])
func aSizeIsDigitsAndAUnitOrNone(_ text: String, _ bytes: Int?) {
  #expect(Quantities.bytes(text) == bytes)
}

@Test(
  arguments: [
    ("1280x720@60", "1280x720", 60.0), ("1920x1080@59.94", "1920x1080", 59.94),
    ("640x480", "640x480", nil), ("16384x1", "16384x1", nil), ("16385x1", nil, nil),
    ("0x1", nil, nil), ("1280x720@", nil, nil), ("1280x720@0", nil, nil), ("x", nil, nil),
    ("1280X720", nil, nil), ("1280x720@60@60", nil, nil), ("1280x720x3", nil, nil), ("", nil, nil),
  ] as [(String, String?, Double?)])
func aModeIsASizeAndPerhapsARate(_ text: String, _ size: String?, _ refresh: Double?) {
  let mode = Quantities.mode(text)
  #expect(mode?.size.description == size)
  #expect(mode?.refresh == refresh)
}

@Test(
  arguments: [
    ("#fff", "#ffffff"), ("#1a2B3c", "#1a2b3c"), ("#01020304", "#01020304"),
    ("#000000ff", "#000000"),
    ("#ffff", nil), ("fff", nil), ("#", nil), ("#gggggg", nil), ("#123456789", nil), ("red", nil),
  ] as [(String, String?)])
func aColourIsThreeSixOrEightDigits(_ text: String, _ color: String?) {
  #expect(Color(text)?.description == color)
}

@Test(
  arguments: [
    ("tint:#2040ff33", "tint:#2040ff33"), ("brightness:0.6", "brightness:0.6"),
    ("brightness:1", "brightness:1"), ("grayscale", "grayscale"), ("invert", "invert"),
    ("mosaic:0.2", "mosaic:0.2"), ("mosaic:0", nil), ("mosaic:1.1", nil), ("brightness:5", nil),
    ("brightness:-1", nil), ("brightness", nil), ("invert:1", nil), ("tint", nil), ("tint:", nil),
    ("blur:3", nil), ("", nil),
  ] as [(String, String?)])
func aFilterIsAWordAndPerhapsAValue(_ text: String, _ filter: String?) {
  #expect(Filter(text)?.description == filter)
}

@Test func everyActionReadsBackFromItsName() {
  let names = Action.allNames.map { $0.split(separator: ":")[0] == "source" ? "source:a:b" : $0 }
  for name in names { #expect(Action(name)?.description == name) }
  #expect(Action.allNames.count == 23)
  #expect(Action("source:") == nil)
  #expect(Action("overlay-toggle:") == nil)
  #expect(Action("pan") == nil)
  #expect(Action("source:topo") == .source("topo"))
  #expect(Action.allNames.filter { Action($0)?.repeats == true }.count == 6)
}
