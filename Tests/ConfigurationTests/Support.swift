import Platform
import TestSupport

@testable import Configuration

/// The result of loading `toml` as the file /etc/waypost/a.toml.
func load(_ toml: String) -> LoadResult {
  load([("/etc/waypost/a.toml", toml)])
}

func load(_ files: [(String, String)]) -> LoadResult {
  ConfigurationLoader().load(
    texts: files.map {
      ConfigurationText(
        file: $0.0, directory: Paths.directory(of: $0.0), bytes: Array($0.1.utf8))
    })
}

/// Findings as "LINE: severity: text".
func findings(_ toml: String) -> [String] {
  load(toml).findings.map { "\($0.line): \($0.severity): \($0.text)" }
}

let fixtures = TestData.fixtures + "/configuration/"
