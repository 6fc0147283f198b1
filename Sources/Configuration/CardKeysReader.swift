/// The keys of `[[overlay]]` that are about cards of lines and the map key.
extension ConfigurationReader {
  /// What an overlay's table says about its cards.
  struct CardKeys {
    var title: String?
    var keys: [String] = []
    var travel: Configuration.Overlay.Travel?
    var speed: Double?
  }

  func cardKeys(_ t: TableReader) -> CardKeys {
    var found = CardKeys()
    found.title = t.read("title", "a string of 1 to 100 bytes") { value in
      value.string.flatMap { (1...100).contains($0.utf8.count) ? $0 : nil }
    }
    let most = Configuration.Overlay.mostCardKeys
    found.keys =
      t.read("card", "a list of at most \(most) names of properties") { value in
        guard let list = value.array, list.count <= most else { return nil }
        var names: [String] = []
        for item in list {
          guard let name = item.string, (1...100).contains(name.utf8.count) else { return nil }
          if !names.contains(name) { names.append(name) }
        }
        return names
      } ?? []
    found.travel = t.choice("travel", Configuration.Overlay.Travel.self)
    found.speed = t.number("travel_speed", 0.1...200, "kilometres an hour")
    return found
  }
}
