/// The sources that there are, in order, each with a name of its own. What becomes of them once
/// they are opened is kept elsewhere.
public struct SourceCatalog: Sendable, Equatable {
  /// In the order of the configuration, which is that of drawing and of "next".
  public private(set) var specs: [SourceSpec] = []

  /// A catalog without sources.
  public init() {}

  /// The catalog of `specs`; of several with one name the last counts, in the first one's place.
  public init(_ specs: [SourceSpec]) {
    for spec in specs { insert(spec) }
  }

  /// The source `name`; nil where there is none.
  public subscript(name: String) -> SourceSpec? { specs.first { $0.name == name } }

  /// The names of the sources that can be the map, in order.
  public var baseNames: [String] { specs.filter { $0.role == .base }.map(\.name) }

  /// Puts `spec` in the place of the one with its name, else at the end.
  ///
  /// - Returns: the one that it replaced.
  @discardableResult
  public mutating func insert(_ spec: SourceSpec) -> SourceSpec? {
    guard let index = specs.firstIndex(where: { $0.name == spec.name }) else {
      specs.append(spec)
      return nil
    }
    let old = specs[index]
    specs[index] = spec
    return old
  }

  /// Takes the source `name` out and gives it back; nil where there is none.
  @discardableResult
  public mutating func remove(_ name: String) -> SourceSpec? {
    guard let index = specs.firstIndex(where: { $0.name == name }) else { return nil }
    return specs.remove(at: index)
  }

  /// The base source after `name`, after the last the first; the first where `name` is none. Nil
  /// without any.
  public func base(after name: String?) -> SourceSpec? { base(from: name, by: 1) }

  /// The base source before `name`, before the first the last; the last where `name` is none.
  public func base(before name: String?) -> SourceSpec? { base(from: name, by: -1) }

  private func base(from name: String?, by step: Int) -> SourceSpec? {
    let names = baseNames
    guard !names.isEmpty else { return nil }
    guard let name, let index = names.firstIndex(of: name) else {
      return self[names[step > 0 ? 0 : names.count - 1]]
    }
    return self[names[(index + step + names.count) % names.count]]
  }
}
