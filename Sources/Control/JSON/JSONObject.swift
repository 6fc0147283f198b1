/// A JSON object's members, in the order they were sent or set. Names are unique. Objects of this
/// protocol are small, so a name is searched in line.
public struct JSONObject: Sendable {
  /// Names and values, in their order.
  public private(set) var members: [(key: String, value: JSON)] = []

  /// An object without members.
  public init() {}

  /// From members whose names the caller knows to be unique.
  init(unique members: [(key: String, value: JSON)]) { self.members = members }

  /// How many members it has.
  public var count: Int { members.count }
  /// Whether it has none.
  public var isEmpty: Bool { members.isEmpty }
  /// The members' names, in their order.
  public var keys: [String] { members.map { $0.key } }

  /// The member of that name; setting nil removes it, a new name goes to the end.
  public subscript(key: String) -> JSON? {
    get {
      for member in members where member.key == key { return member.value }
      return nil
    }
    set {
      if let index = members.firstIndex(where: { $0.key == key }) {
        if let newValue {
          members[index].value = newValue
        } else {
          members.remove(at: index)
        }
      } else if let newValue {
        members.append((key, newValue))
      }
    }
  }
}

extension JSONObject: Equatable {
  /// The order of members has no meaning.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// The names are written down in the code, so each is there once.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    members.reserveCapacity(elements.count)
    for (key, value) in elements {
      assert(!members.contains { $0.key == key }, "\"\(key)\" is there twice")
      members.append((key, value))
    }
  }
}
