import MapGeometry
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

/// Markers change between two frames: what is touched then is what there is, never what there was.
@Suite struct MarkerChangeTests {
  private let view = Viewport(
    center: GeoPoint(lat: 46, lon: 7.75), zoom: 12, width: 800, height: 480)

  private func marker(_ id: String, _ lat: Double = 46, _ lon: Double = 7.75) -> Marker {
    Marker(id: id, place: GeoPoint(lat: lat, lon: lon), label: id)
  }

  private func layer(_ markers: [Marker]) throws -> MarkerLayer {
    let layer = MarkerLayer(painter())
    for marker in markers { try layer.set(marker) }
    return layer
  }

  @Test func aMarkerThatWasRemovedSinceTheFrameIsNoHit() throws {
    let layer = try layer([marker("v")])
    _ = layer.update(view, avoiding: [])
    #expect(layer.nearest(5) == [.marker("v")])
    layer.remove("v")
    #expect(layer.nearest(5) == [])
    #expect(layer.hit(x: 400, y: 230) == nil)
    #expect(layer.update(view, avoiding: []))
    #expect(layer.markerSprites.isEmpty)
  }

  @Test func aClusterHitNamesTheMarkersThatAreLeft() throws {
    let layer = try layer((0..<5).map { marker("n\($0)", 46 + Double($0) * 1e-4) })
    _ = layer.update(view, avoiding: [])
    layer.remove("n0")
    layer.remove("n3")
    guard case .cluster(let ids, _) = layer.nearest(1).first else {
      Issue.record("\(layer.nearest(1))")
      return
    }
    #expect(ids == ["n1", "n2", "n4"])
    layer.remove("n1")
    layer.remove("n2")
    #expect(layer.nearest(1) == [.marker("n4")])
  }

  @Test func aMarkerSetSinceTheFrameIsHit() throws {
    let layer = MarkerLayer(painter())
    #expect(!layer.update(view, avoiding: []))
    try layer.set(marker("a"))
    #expect(layer.nearest(5) == [.marker("a")])
    // The frame still learns of it.
    #expect(layer.update(view, avoiding: []))
    #expect(!layer.markerSprites.isEmpty)
  }

  @Test func aMarkerThatTookTheIdOfAnotherIsTheOneThatIsHit() throws {
    let layer = try layer([marker("a"), marker("b", 46.05, 7.85)])
    _ = layer.update(view, avoiding: [])
    layer.remove("a")
    try layer.set(marker("a", 47, 9))
    #expect(layer.hit(x: 400, y: 230) == nil)
    #expect(layer.nearest(5) == [.marker("b")])
  }

  @Test func removingAllLeavesNothingToHit() throws {
    let layer = try layer((0..<50).map { marker("n\($0)", 46 + Double($0) / 500) })
    layer.select("n3")
    _ = layer.update(view, avoiding: [])
    layer.removeAll()
    #expect(layer.nearest(50) == [])
    #expect(layer.selected == nil)
    try layer.set(marker("after"))
    #expect(layer.nearest(50) == [.marker("after")])
  }

  @Test(arguments: [1, 2, 3, 4])
  func anyOrderOfChangesAndHitsNamesOnlyWhatIsThere(seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    let layer = MarkerLayer(painter())
    var model: [String: Marker] = [:]
    for _ in 0..<1500 {
      let id = "m\(numbers.next(0..<60))"
      switch numbers.next(0..<12) {
      case 0...3:
        let one = marker(
          id, numbers.number(45.95...46.05), numbers.number(7.6...7.9))
        try layer.set(one)
        model[id] = one
      case 4...6:
        let isThere = model.removeValue(forKey: id) != nil
        #expect(layer.remove(id) == isThere)
      case 7: layer.select(id)
      case 8: _ = layer.update(view, avoiding: [])
      case 9:
        if numbers.next(0..<20) == 0 {
          layer.removeAll()
          model = [:]
        }
      default:
        var hits = layer.nearest(100)
        if let hit = layer.hit(x: numbers.number(0...800), y: numbers.number(0...480)) {
          hits.append(hit)
        }
        for hit in hits {
          switch hit {
          case .marker(let id): #expect(model[id] != nil)
          case .cluster(let ids, _):
            #expect(ids.count > 1)
            #expect(ids.allSatisfy { model[$0] != nil })
          }
        }
      }
      if let selected = layer.selected { #expect(model[selected] != nil) }
      #expect(layer.store.count == model.count)
    }
  }

  @Test func theStoreKeepsItsOrderWhileMarkersGo() throws {
    var numbers = SeededNumbers(5)
    var store = MarkerStore()
    var model: [String] = []
    for step in 0..<4000 {
      if numbers.next(0..<5) < 2, let index = model.indices.randomElement(using: &numbers) {
        let isRemoved = store.remove(model.remove(at: index))
        #expect(isRemoved)
      } else {
        try store.set(marker("m\(step)"))
        model.append("m\(step)")
      }
    }
    #expect(store.all.map(\.id) == model)
    for id in model { #expect(store.entry(of: id)?.marker.id == id) }
    for id in model { store.remove(id) }
    #expect(store.isEmpty && store.bytes == 0 && store.all.isEmpty)
  }

  @Test(arguments: [false, true])
  func removingOneOfManyMarkersCostsHardlyMoreThanOneOfFew(isFromTheFront: Bool) throws {
    /// The slots that the removal of one of `count` markers takes, on average.
    func cost(of count: Int) throws -> Double {
      var store = MarkerStore()
      for i in 0..<count { try store.set(marker("m\(i)")) }
      for i in 0..<count {
        let isRemoved = store.remove("m\(isFromTheFront ? i : count - 1 - i)")
        #expect(isRemoved)
      }
      return Double(store.visitedByRemovals) / Double(count)
    }
    let (few, many) = (try cost(of: 1000), try cost(of: MarkerStore.capacity))
    // Looking for a slot takes the logarithm of their number, and each is cleared away once.
    #expect(few >= 1 && many >= 1)
    #expect(many < 20, "\(few) slots of 1000, \(many) of \(MarkerStore.capacity)")
  }

  @Test func theNumberOfARemovedMarkerIsNeverUsedAgain() throws {
    var store = MarkerStore()
    try store.set(marker("a"))
    let number = try #require(store.entry(of: "a")?.number)
    store.remove("a")
    for i in 0..<300 { try store.set(marker("b\(i)")) }
    try store.set(marker("a"))
    #expect(store[number] == nil)
    store.removeAll()
    try store.set(marker("a"))
    #expect(store[number] == nil)
  }

  // MARK: Labels

  /// Where no icon is in its way or near it, the label of "here" stands where it would stand alone,
  /// although the neighbours were added first.
  @Test func hereHasItsLabelBeforeAllOthers() throws {
    func here(_ label: String) -> Marker {
      Marker(id: "here", place: GeoPoint(lat: 46, lon: 7.75), label: label)
    }
    let alone = try layer([here("You are here")])
    _ = alone.update(view, avoiding: [])
    let rect = try #require(alone.markerSprites.last?.rect)
    var numbers = SeededNumbers(9)
    var tried = 0
    for _ in 0..<60 {
      let places = (0..<5).map { _ in
        GeoPoint(lat: numbers.number(45.96...46.04), lon: numbers.number(7.68...7.82))
      }
      func all(_ label: String, _ own: String) -> [Marker] {
        places.indices.map { Marker(id: "n\($0)", place: places[$0], label: label) }
          + [here(own)]
      }
      let bare = try layer(all("", ""))
      _ = bare.update(view, avoiding: [])
      if bare.markerSprites.dropLast().contains(where: { $0.rect.intersects(rect) }) { continue }
      let icons = bare.layout.placed.filter { !$0.isHere }.map { $0.rect(ViewTransform(view)) }
      let around = rect.widened(by: 8)
      if icons.contains(where: { $0.intersects(around) }) { continue }
      tried += 1
      let labelled = try layer(all("A neighbour with a long name", "You are here"))
      _ = labelled.update(view, avoiding: [])
      #expect(labelled.markerSprites.last?.rect == rect)
    }
    #expect(tried > 5)
  }
}
