#if canImport(Glibc)
  import Glibc
#endif

/// Where the tests find real map data.
public enum TestData {
  /// The small fixtures that the project carries: `Tests/Fixtures`, absolute.
  public static let fixtures = testsFolder + "/Fixtures"

  /// The large data set, when it lies beside the checkout (`../shared/data`) or where
  /// `WAYPOST_TEST_DATA` says; nil otherwise, and a test that needs it says that it is skipped.
  public static let large: String? = {
    let candidates = [
      getenv("WAYPOST_TEST_DATA").map { String(cString: $0) },
      testsFolder + "/../../shared/data",
    ]
    return candidates.compactMap { $0 }.first { access($0 + "/README.md", R_OK) == 0 }
  }()

  private static let testsFolder: String = {
    // .../Tests/TestSupport/SharedData.swift
    let file = #filePath
    return file.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
      .joined(separator: "/")
  }()
}
