import Testing

@testable import Platform

@Suite struct ByteCountTests {
  @Test(
    arguments: [
      ("0", 0), ("4194304", 4_194_304), ("512KiB", 524_288), ("48MiB", 50_331_648),
      ("1GiB", 1_073_741_824),
      ("48MB", 48_000_000), ("48mb", 48_000_000), ("48mib", 50_331_648), ("1.5GiB", 1_610_612_736),
      ("7kB", 7000), ("2GB", 2_000_000_000), ("12B", 12), ("1024GiB", 1_099_511_627_776),
    ] as [(String, Int)])
  func sizesAreReadWithTheirUnits(_ text: String, _ bytes: Int) {
    #expect(ByteCount.parse(text) == bytes)
  }

  @Test(arguments: [
    "", "0.5", "0.5B", "MiB", "1.MiB", ".5MiB", "1 MiB", "-1", "1025GiB", "1TiB", "x",
  ])
  func whatIsNoSizeIsRefused(_ text: String) { #expect(ByteCount.parse(text) == nil) }

  @Test(
    arguments: [
      (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (50_331_648, "48 MiB"),
      (1_610_612_736, "1.5 GiB"),
      (1 << 41, "2 TiB"), (1_000_000_000_000_000_000, "888.2 PiB"), (Int.max, "8 EiB"),
    ] as [(Int, String)])
  func sizesAreWrittenShort(_ bytes: Int, _ text: String) { #expect(ByteCount.text(bytes) == text) }
}
