import Testing

@testable import Platform

@Suite struct ByteCountTests {
  @Test(arguments: [
    ("0", 0), ("4194304", 4_194_304), ("512KiB", 512 << 10), ("48MiB", 48 << 20), ("1GiB", 1 << 30),
    ("48MB", 48_000_000), ("48mb", 48_000_000), ("48mib", 48 << 20), ("1.5GiB", 3 << 29),
    ("7kB", 7000), ("2GB", 2_000_000_000), ("12B", 12), ("1024GiB", 1 << 40),
  ])
  func sizesAreReadWithTheirUnits(_ text: String, _ bytes: Int) {
    #expect(ByteCount.parse(text) == bytes)
  }

  @Test(arguments: [
    "", "0.5", "0.5B", "MiB", "1.MiB", ".5MiB", "1 MiB", "-1", "1025GiB", "1TiB", "x",
  ])
  func whatIsNoSizeIsRefused(_ text: String) { #expect(ByteCount.parse(text) == nil) }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (48 << 20, "48 MiB"),
    (3 << 29, "1.5 GiB"),
  ])
  func sizesAreWrittenShort(_ bytes: Int, _ text: String) { #expect(ByteCount.text(bytes) == text) }
}
