/// A JSON object's members, in the order in which they were sent or set. Names are unique. Looking
/// a name up takes time in proportion to the number of members, which is small in this protocol.
public struct JSONObject: Sendable {
  /// The members in their order.
  public private(set) var members: [(key: String, value: JSON)] = []

  /// Creates an object without members.
  public init() {}

  /// Creates an object from members whose names the caller knows to be unique.
  init(unique members: [(key: String, value: JSON)]) { self.members = members }

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The members' names, in the members' order.
  public var keys: [String] { members.map { $0.key } }

  /// The member named `key`, or nil. Setting nil removes it; a new name is added at the end.
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
  /// Whether both have the same members. Their order does not matter.
  public static func == (a: JSONObject, b: JSONObject) -> Bool {
    a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Creates an object from a literal. The names must be different.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    members.reserveCapacity(elements.count)
    for (key, value) in elements {
      assert(!members.contains { $0.key == key }, "\"\(key)\" is there twice")
      members.append((key, value))
    }
  }
}
