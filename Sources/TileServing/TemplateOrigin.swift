import MapGeometry
import Platform
import TileSources
import TileStore

/// Tiles that have an address each.
final class TemplateOrigin: TileOrigin {
  private let spec: SourceSpec
  private let queueOf: (String) -> HostQueue
  private var templates: [Int: URLTemplate] = [:]

  init(_ spec: SourceSpec, queueOf: @escaping (String) -> HostQueue) {
    self.spec = spec
    self.queueOf = queueOf
  }

  var info: ArchiveInfo? { nil }

  func describe(_ done: @escaping () -> Void) { done() }

  func retry() {}

  private var address: String {
    guard case .url(let text) = spec.location else { return "" }
    return text
  }

  func variant(_ scale: Int) -> Int64 {
    let words = "\(address) \(spec.scheme ?? .xyz) \(storedScale(scale))"
    return Int64(bitPattern: FNV1a(words.utf8).value)
  }

  func storedScale(_ scale: Int) -> Int {
    ["{scale}", "{ratio}", "{r}"].contains { address.contains($0) } ? scale : 1
  }

  func ask(
    _ tile: TileID, scale: Int, stored: TileStore.Tile?, isBehind: Bool,
    _ reply: @escaping HostQueue.Reply
  ) {
    guard let template = template(scale) else {
      return reply(.success(.broken("its url is none")))
    }
    var question = FetchQuestion(address: template.filled(for: tile), headers: spec.headerLines)
    (question.tag, question.modified) = (stored?.tag ?? "", stored?.modified ?? "")
    queueOf(question.address).ask(question, isBehind: isBehind, reply)
  }

  private func template(_ scale: Int) -> URLTemplate? {
    if let template = templates[scale] { return template }
    let template = try? URLTemplate(
      address, scheme: spec.scheme ?? .xyz, subdomains: spec.subdomains, scale: scale)
    templates[scale] = template
    return template
  }
}

extension SourceSpec {
  /// The lines of its requests' headers.
  var headerLines: [String] {
    headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
  }
}
