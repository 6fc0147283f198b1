import Configuration
import Drawing
import Inputs
import Kiosk
import MapOverlays
import TileSources

/// `--check-config`: reads everything, opens every source, decodes some of its tiles, and prints
/// one line a finding.
struct ConfigCheck {
  /// The most warnings reported for an overlay.
  private static let told = 8

  let files: [String]
  /// How long a source's tiles are examined, in nanoseconds. One read can take longer.
  var patience: UInt64 = 20_000_000_000

  /// Prints the findings; 0 without errors, else 78 (EX_CONFIG).
  func run() -> Int32 {
    var findings = [Finding]()
    if files.isEmpty { print("no configuration in /etc/waypost: the defaults hold") }
    let result = ConfigurationLoader().load(files: files)
    findings += result.findings
    if let configuration = result.configuration ?? result.partial {
      let places = result.places
      let (keys, sources) = (places.inputKeys(), places.sources())
      let overlays = places.overlays()
      for (key, nearest) in EvdevInputs.unknownKeys(in: configuration.input) {
        let place = keys[key] ?? places.key("input.key")
        findings.append(
          Finding(
            file: place.file, line: place.line, severity: .error,
            text: "input.key: no key is called \"\(key)\"; perhaps \"\(nearest)\""))
      }
      let text = ConfigCheck.text(of: configuration)
      for tag in configuration.hud.languages where text?.hasLetters(of: tag) == false {
        let place = places.key("hud.languages")
        findings.append(
          Finding(
            file: place.file, line: place.line, severity: .warning,
            text: "hud.languages: " + LetterProblem.text(tag)))
      }
      for problem in text?.problems ?? [] {
        let place = places.key("hud.font")
        findings.append(
          Finding(
            file: place.file, line: place.line, severity: .error,
            text: "hud.font: \(problem.path): \(problem.reason)"))
      }
      // Beside an error, names would seem to refer to nothing that only could not be read.
      if result.configuration != nil {
        findings += ConfigRules(configuration: configuration).findings(in: places)
      }
      let (isSound, isSoundOverlay) = sound(result)
      for spec in configuration.sources where isSound(spec.name) {
        let place = sources[spec.name] ?? places.key("source")
        findings += check(spec, configuration, isPart: result.configuration == nil).map {
          Finding(file: place.file, line: place.line, severity: $0.0, text: $0.1)
        }
      }
      for overlay in configuration.overlays where isSoundOverlay(overlay.name) {
        let place = overlays[overlay.name] ?? places.key("overlay")
        findings += check(overlay).map {
          Finding(file: place.file, line: place.line, severity: $0.0, text: $0.1)
        }
      }
    }
    for finding in findings { print(finding) }
    return findings.contains { $0.severity == .error } ? 78 : 0
  }

  /// The letters that the daemon would draw with.
  private static func text(of configuration: Configuration) -> TextRenderer? {
    let hud = configuration.hud
    return Bundled.text(
      hud.fonts.isEmpty ? ScriptFonts.read(for: hud.languages) : FontFile.all(hud.fonts))
  }

  /// Which sources and which overlays to open, by their names: those whose own tables have no
  /// error.
  private func sound(_ result: LoadResult) -> ((String) -> Bool, (String) -> Bool) {
    if result.configuration != nil { return ({ _ in true }, { _ in true }) }
    let sources = result.places.faultless("source", result.findings)
    let overlays = result.places.faultless("overlay", result.findings)
    return ({ sources.contains($0) }, { overlays.contains($0) })
  }

  /// The findings on a source. `isPart`: other parts of the configuration have errors, so that what
  /// depends on them is not told.
  func check(
    _ spec: SourceSpec, _ configuration: Configuration, isPart: Bool = false
  ) -> [(Finding.Severity, String)] {
    var check = SourceCheck(spec, configuration, isPart: isPart, patience: patience)
    check.run()
    return check.found
  }

  private func check(_ overlay: Configuration.Overlay) -> [(Finding.Severity, String)] {
    guard case .file = overlay.content else { return [] }
    let features: FeatureSource
    do throws(SourceError) {
      features = try overlay.openFeatures()
    } catch {
      return [(.error, "overlay \"\(overlay.name)\": \(error)")]
    }
    let set = features.features.features
    var found: [(Finding.Severity, String)] = set.warnings.prefix(ConfigCheck.told).map {
      (.warning, "overlay \"\(overlay.name)\": \($0)")
    }
    if set.warningCount > found.count {
      found.append(
        (.warning, "overlay \"\(overlay.name)\": \(set.warningCount - found.count) more like that"))
    }
    if set.features.isEmpty, set.warningCount == 0 {
      found.append((.warning, "overlay \"\(overlay.name)\": it has no features to draw"))
    }
    return found
  }
}
