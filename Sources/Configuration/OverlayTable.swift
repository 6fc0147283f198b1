/// Checks one overlay, from `[[overlay]]` in a file or from `overlay.add` over the socket.
///
/// - Parameters:
///   - table: the overlay's table.
///   - baseDirectory: the folder that relative paths start from; nil: only absolute paths are
///     accepted.
///   - geoJSON: the features' text if it comes with the call instead of a file.
/// - Returns: the overlay, or nil if a finding is an error; and the findings.
public func parseOverlay(
  _ table: ConfigValue, baseDirectory: String?, geoJSON: String? = nil
) -> (Configuration.Overlay?, [Finding]) {
  let findings = Findings()
  let table = table.rebased(baseDirectory)
  guard let entries = table.table else {
    findings.error("overlay = \(table.shown): a table", at: table.origin)
    return (nil, findings.all)
  }
  let reader = TableReader("overlay", entries, table.origin, findings)
  var overlay = ConfigurationReader(findings: findings).overlay(
    reader, isInline: geoJSON != nil, isCall: true)
  reader.finish()
  if let geoJSON { overlay?.content = .geoJSON(geoJSON) }
  let bad = findings.all.contains { $0.severity == .error }
  return (bad ? nil : overlay, findings.all)
}
