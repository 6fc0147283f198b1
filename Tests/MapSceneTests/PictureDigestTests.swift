import Foundation
import MapGeometry
import Pixels
import Platform
import TestSupport
import Testing

@testable import MapScene

/// Every kind of view gives the picture that it always gave, bit for bit.
///
/// The digests of `Tests/Fixtures/pictures/digests.tsv` are compared, a line a view. With
/// `WAYPOST_RECORD_PICTURES` set each test prints its lines instead, and says which views depend on
/// the last bit of a coordinate: those differ from machine to machine and are to be left out.
@Suite struct PictureDigestTests {
  /// What the views of one test have in common.
  enum Group: String, CaseIterable {
    case zoomed, turned, mounted, sprites, standIns, overzoom, edges, flat, large
  }

  @Test(arguments: Group.allCases)
  func picturesAreTheSameBitForBit(group: Group) throws {
    let pictures = TilePictures()
    let cases = Self.cases(group)
    if getenv("WAYPOST_RECORD_PICTURES") != nil {
      for one in cases {
        let digest = Self.digest(one.picture(pictures))
        let isFirm = Self.neighbours(one).allSatisfy {
          Self.digest(one.picture(pictures, view: $0)) == digest
        }
        print("\(isFirm ? "DIGEST" : "UNSTABLE")\t\(one.name)\t\(digest)")
      }
      return
    }
    let known = try Self.known.get()
    var wrong: [String] = []
    for one in cases where known[one.name] != Self.digest(one.picture(pictures)) {
      wrong.append(one.name)
    }
    #expect(wrong == [], "\(wrong.count) of \(cases.count) views")
  }

  @Test(arguments: Group.allCases)
  func twoThreadsGiveTheSamePictures(group: Group) throws {
    let pictures = TilePictures()
    let known = try Self.known.get()
    let wrong = Self.cases(group).filter {
      known[$0.name] != Self.digest($0.picture(pictures, leastShared: 1))
    }
    #expect(wrong.map(\.name) == [])
  }

  @Test func thereAreHundredsOfViewsAndEachIsCompared() throws {
    let names = Group.allCases.flatMap { Self.cases($0) }.map(\.name)
    #expect(names.count >= 300)
    #expect(try Set(names) == Set(Self.known.get().keys))
    #expect(Set(names).count == names.count)
  }

  private static let known = Result {
    var digests: [String: String] = [:]
    let text = try String(
      contentsOfFile: TestData.fixtures + "/pictures/digests.tsv", encoding: .utf8)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t")
      digests[String(parts[0])] = String(parts[1])
    }
    return digests
  }

  /// FNV-1a over words of 64 bits.
  private static func digest(_ bytes: [UInt8]) -> String {
    var hash = FNV1a()
    bytes.withUnsafeBytes { raw in
      let words = raw.bindMemory(to: UInt64.self)
      var i = 0
      while i < words.count {
        hash.combine(UInt64(littleEndian: words[i]))
        i += 1
      }
    }
    return String(hash.value, radix: 16)
  }

  /// Views that differ from the case's by less than can matter.
  private static func neighbours(_ one: PictureCase) -> [Viewport] {
    [1.0, -1.0].map { sign in
      var view = one.view
      view.center.lat += sign * 3e-13
      view.center.lon += sign * 3e-13
      if view.zoom != view.zoom.rounded() { view.zoom += sign * 4e-15 }
      if view.bearing != 0 { view.bearing += sign * 1e-13 }
      return view
    }
  }

  private static func cases(_ group: Group) -> [PictureCase] {
    var all: [PictureCase] = []
    func add(_ change: (inout PictureCase) -> Void) {
      for format in PixelFormat.allCases {
        var one = PictureCase()
        one.format = format
        change(&one)
        all.append(one)
      }
    }
    switch group {
    case .zoomed:
      for zoom in [4, 4.27, 4.49, 4.52, 4.83] {
        for layers in PictureCase.Layers.allCases {
          add {
            $0.zoom = zoom
            $0.layers = layers
          }
        }
      }
    case .turned:
      for zoom in [4, 4.37, 3.61] {
        for bearing in [17.0, 90, 203.7, 341] {
          for layers in [PictureCase.Layers.map, .faded, .seeThrough] {
            add {
              $0.zoom = zoom
              $0.bearing = bearing
              $0.layers = layers
            }
          }
        }
      }
    case .mounted:
      for rotation in [MountingRotation.right, .half, .left] {
        for (zoom, bearing) in [(4.0, 0.0), (4.3, 0), (4, 33)] {
          for layers in [PictureCase.Layers.map, .faded] {
            add {
              $0.zoom = zoom
              $0.bearing = bearing
              $0.rotation = rotation
              $0.layers = layers
            }
          }
        }
      }
    case .sprites:
      for rotation in [MountingRotation.none, .right] {
        for (zoom, bearing) in [(4.0, 0.0), (4.37, 0), (4, 61)] {
          for layers in [PictureCase.Layers.map, .lined] {
            for inParts in [false, true] {
              add {
                $0.zoom = zoom
                $0.bearing = bearing
                $0.rotation = rotation
                $0.layers = layers
                $0.hasSprites = true
                $0.inParts = inParts
              }
            }
          }
        }
      }
    case .standIns:
      for tiles in PictureCase.Tiles.allCases where tiles != .all {
        for (zoom, bearing) in [(4.0, 0.0), (4.3, 0), (4.3, 25)] {
          for layers in [PictureCase.Layers.map, .seeThrough] {
            add {
              $0.zoom = zoom
              $0.bearing = bearing
              $0.layers = layers
              $0.tiles = tiles
            }
          }
        }
      }
    case .overzoom:
      for (zoom, bearing) in [(5.6, 0.0), (7, 0), (7.3, 0), (9.41, 0), (12, 0), (6.7, 48)] {
        add {
          $0.zoom = zoom
          $0.bearing = bearing
          $0.levels = 0...4
        }
        add {
          $0.zoom = zoom
          $0.bearing = bearing
          $0.levels = 0...4
          $0.layers = .lined
          $0.inParts = true
        }
      }
      // Levels below the view's: four or sixteen tiles make one.
      for zoom in [3, 3.3] {
        add {
          $0.zoom = zoom
          $0.levels = 4...5
        }
      }
    case .edges:
      for zoom in [0.7, 1, 1.31, 2] {
        for (lat, lon, bearing) in [(80.3, -179.1, 0.0), (-83.7, 3.3, 0), (71.9, 175.7, 130)] {
          add {
            $0.zoom = zoom
            $0.lat = lat
            $0.lon = lon
            $0.bearing = bearing
          }
        }
      }
    case .flat:
      for rotation in [MountingRotation.none, .left] {
        for layers in [PictureCase.Layers.lined, .faded] {
          for hasSprites in [false, true] {
            add {
              $0.layers = layers
              $0.rotation = rotation
              $0.hasSprites = hasSprites
              $0.keepsFlatTiles = true
            }
          }
        }
      }
    case .large:
      for (zoom, bearing) in [(4.0, 0.0), (4.4, 0), (4.4, 77)] {
        add {
          $0.zoom = zoom
          $0.bearing = bearing
          $0.tileSize = 512
        }
        add {
          $0.zoom = zoom
          $0.bearing = bearing
          $0.scale = 2
          $0.layers = .lined
        }
      }
    }
    return all
  }
}
