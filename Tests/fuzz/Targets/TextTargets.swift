import MapGeometry
import RangeWire

@testable import Configuration
@testable import Fetching
@testable import TileSources

/// Texts that people and servers write. TOML has at most 1 MiB; an address, a header or a title is
/// short and takes no more than a few times its own length.
extension FuzzTarget {
  static let texts: [FuzzTarget] = [
    FuzzTarget("toml", of: ["Configuration", "CTOML"], mebibytes: 64) { bytes in
      let text = ConfigurationText(file: "fuzz.toml", directory: "/nowhere", bytes: [UInt8](bytes))
      let result = ConfigurationLoader().load(texts: [text])
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      for finding in result.findings {
        try promise(
          (1...lines).contains(finding.line), "line \(finding.line) of \(lines): \(finding.text)")
        try promise(!finding.text.isEmpty, "a finding without a text")
      }
      // A second file, as from conf.d.
      _ = ConfigurationLoader().load(texts: [text, text])
    },
    FuzzTarget(
      "template",
      of: [
        "TileSources/Folders/URLTemplate.swift", "TileSources/SourceSpec+Name.swift",
        "RangeWire/TileServerPolicy.swift",
      ]
    ) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      _ = TileServerPolicy.host(of: text)
      _ = SourceSpec.namesArchive(text)
      _ = SourceSpec.defaultName(for: .url(text))
      _ = FetchSocket.name(for: text)
      for (scheme, scale) in [(SourceSpec.Scheme.xyz, 1), (.tms, 2)] {
        guard
          let template = try? URLTemplate(
            text, scheme: scheme, subdomains: ["a", "b"], scale: scale)
        else { continue }
        for tile in [TileID(z: 0, x: 0, y: 0), TileID(z: 3, x: 5, y: 2)] {
          guard let tile else { continue }
          _ = try? URLTemplate.filePath(template.filled(for: tile), of: text)
        }
        _ = template.fixedStart
      }
    },
    FuzzTarget("http", of: ["Fetching/HTTPHead.swift", "Fetching/HTTPDate.swift"]) { bytes in
      var head = HTTPHead()
      for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      where !head.add(UnsafeRawBufferPointer(rebasing: line)) {
        break
      }
      try promise((0...999).contains(head.status), "status \(head.status)")
      if let age = head.freshness(now: 1_700_000_000) { try promise(age >= 0, "fresh for \(age)") }
      if let range = head.range {
        try promise(range.first <= range.last && range.last < range.size, "a range beyond the file")
      }
    },
    FuzzTarget(
      "html", of: ["TileSources/Text/PlainText.swift", "TileSources/Text/LenientPlace.swift"]
    ) { bytes in
      let text = PlainText.stripping(html: String(decoding: bytes, as: UTF8.self))
      try promise(text.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "a control character")
      try promise(text.count <= 300, "\(text.count) characters")
      _ = LenientPlace.numbers(text).flatMap(LenientPlace.bounds)
    },
    FuzzTarget("metadata", of: ["TileSources/Text/PackMetadata.swift"], mebibytes: 32) { bytes in
      // What the JSON metadata of an archive say.
      _ = try? PackMetadata.strings(ofJSON: [UInt8](bytes), keys: ["name", "attribution"])
    },
  ]
}
