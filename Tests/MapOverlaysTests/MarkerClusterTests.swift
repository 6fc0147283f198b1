import MapGeometry
import Pixels
import Testing

@testable import MapOverlays
@testable import MapScene

/// Markers that would cover each other.
@Suite struct MarkerClusterTests: MarkerLayerCase {
  @Test func whatWouldCoverEachOtherIsOneWithItsCount() throws {
    let near = (0..<7).map { marker("n\($0)", 46 + Double($0) * 1e-4, 7.75) }
    let layer = try layer(near + [marker("far", 46.05, 7.85)])
    _ = layer.update(view(), avoiding: [])
    #expect(layer.markerSprites.count == 2)
    #expect(
      layer.nearest(1).first.map {
        if case .cluster(let ids, _) = $0 { ids.count == 7 } else { false }
      } == true)
    // Closer they stand apart.
    _ = layer.update(view(zoom: 20), avoiding: [])
    #expect(layer.nearest(20).count < 7)
    #expect(MarkerArt.countText(7) == "7")
    #expect(MarkerArt.countText(999) == "999")
    #expect(MarkerArt.countText(1234) == "1.2k")
    #expect(MarkerArt.countText(20_000) == "20k")
  }

  @Test func whereOneIsIsNeverPartOfACluster() throws {
    let others = (0..<20).map { marker("n\($0)", 46, 7.75) }
    let layer = try layer(others + [marker("Here", 46, 7.75, "You are here", icon: .flag)])
    _ = layer.update(view(zoom: 5), avoiding: [])
    #expect(layer.markerSprites.count == 3)
    // In front of all, and its words too.
    let here = layer.markerSprites[1].image
    #expect(here.height > 60)
    #expect(layer.nearest(9).contains(.marker("Here")))
  }

  @Test func tenThousandMarkersAreFewOnTheScreen() throws {
    for spread in [0.01, 0.5, 20.0] {
      let layer = try layer(many(10_000, spread: spread))
      for zoom in stride(from: 4.0, through: 18, by: 1.4) {
        _ = layer.update(view(zoom: zoom, 1920, 1080), avoiding: [])
        #expect(layer.nearest(10_000).count <= MarkerLayer.mostShown, "\(spread) \(zoom)")
      }
      #expect(layer.bytes < 12 << 20)
    }
  }

  @Test func allMarkersAreSomewhere() throws {
    let layer = try layer(many(500, spread: 0.3))
    for zoom in [8.0, 10, 12] {
      _ = layer.update(view(zoom: zoom, 1920, 1080), avoiding: [])
      var ids: [String] = []
      for hit in layer.nearest(10_000) {
        switch hit {
        case .marker(let id): ids.append(id)
        case .cluster(let some, _): ids += some
        }
      }
      #expect(Set(ids).count == ids.count)
      if zoom < 12 { #expect(ids.count == 500) }
    }
  }

  @Test func aClusterTellsTheBoxOfItsMarkersAcrossTheDateline() throws {
    let layer = try layer([marker("a", 1, 179.9), marker("b", 2, -179.9)])
    _ = layer.update(view(1.5, 180, zoom: 3), avoiding: [])
    let hit = try #require(layer.nearest(1).first)
    guard case .cluster(let ids, let box) = hit else {
      Issue.record("\(hit)")
      return
    }
    #expect(ids == ["a", "b"])
    #expect(abs(box.west - 179.9) < 1e-6 && abs(box.east + 179.9) < 1e-6)
    #expect(abs(box.south - 1) < 1e-6 && abs(box.north - 2) < 1e-6)
  }

  @Test func aClusterIsAsLargeAsItsNumberAndNeverUnderAPlate() throws {
    #expect([2, 9, 10, 99, 100, 5000].map(MarkerArt.clusterWidth) == [34, 34, 42, 42, 50, 50])
    let layer = try layer((0..<12).map { marker("m\($0)", 46, 7.75 + Double($0) / 10_000) })
    _ = layer.update(view(), avoiding: [])
    let disc = try #require(layer.markerSprites.first?.rect)
    #expect(layer.markerSprites.count == 1 && disc.width / 2 == 21)
    let plates = [
      PixelRect(x: disc.x - 200, y: disc.y + 20, width: 420, height: 60),
      PixelRect(x: disc.x + 60, y: disc.y - 5, width: 15, height: 10),
    ]
    _ = layer.update(view(), avoiding: plates)
    let moved = try #require(layer.markerSprites.first?.rect)
    #expect(!plates.contains { $0.intersects(moved) })
    #expect(abs(moved.x - disc.x) + abs(moved.y - disc.y) <= disc.width)
    // A plate all around leaves no room.
    _ = layer.update(view(), avoiding: [PixelRect(x: 200, y: 100, width: 400, height: 300)])
    #expect(layer.markerSprites.isEmpty)
  }

  @Test func aClusterStandsBesideThePinOfHere() throws {
    // Two markers north-east of "here", partly under its pin.
    let layer = try layer([
      marker("here", 46, 7.75, icon: .here), marker("a", 46.006, 7.756),
      marker("b", 46.006, 7.7561),
    ])
    _ = layer.update(view(), avoiding: [])
    let sprites = layer.markerSprites
    let pin = try #require(sprites.max { $0.rect.height < $1.rect.height }).rect
    let cluster = try #require(sprites.first { $0.rect.width == $0.rect.height }).rect
    #expect(sprites.count == 2)
    #expect(!pin.intersects(cluster))
    // It is touched where it stands.
    let hit = layer.hit(
      x: Double(cluster.x + cluster.width / 2), y: Double(cluster.y + cluster.height / 2))
    guard case .cluster(let ids, _) = hit else {
      Issue.record("\(String(describing: hit))")
      return
    }
    #expect(ids.count == 2)
  }
}
