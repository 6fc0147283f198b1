import Testing

@testable import Images

/// What the messages of C libraries say.
@Suite struct ImageErrorTests {
  @Test(arguments: [
    "insufficient memory", "Insufficient memory (case 4)", "Out of memory",
    "IDAT: insufficient memory", "png_image_read: out of memory",
  ])
  func aLibraryThatLacksMemoryIsNoDamage(message: String) {
    #expect(ImageError.said("PNG", message).lacksMemory)
  }

  @Test(arguments: ["IDAT: incorrect data check", "invalid memory read", "more than 24 scans"])
  func whatElseALibrarySaysIsTold(message: String) {
    let error = ImageError.said("JPEG", message)
    #expect(!error.lacksMemory && error.reason == "JPEG: \(message)")
  }
}
