// Copyright Waypost contributors. Licence: Apache-2.0.
//
// paint-check [DATA]
//
// Paints vector tiles for board/instructions/check, which counts the instructions between the two
// calls of sched_yield(2) around each. Prints a tile's name and kind before it paints it: "plain"
// is without labels, "labels" also collects them. DATA is the folder of the large test data;
// without it only the bundled world is painted.

import CBundled
import Drawing
import Glibc
import MapGeometry
import MapStyle
import TileLoading
import TileSources
import VectorMaps
import VectorPainting

func stop(_ reason: String) -> Never {
  say("paint-check: \(reason)\n")
  exit(1)
}

/// Writes without buffering: the counts come in between.
func say(_ text: String) {
  let bytes = Array(text.utf8)
  _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

func counted(_ name: String, _ kind: String, _ paint: () -> Void) {
  say("\(name) \(kind) ")
  sched_yield()
  paint()
  sched_yield()
}

func bytes(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { stop("\(path): cannot be read") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 65536)
  while true {
    let got = fread(&part, 1, part.count, file)
    if got == 0 { return bytes }
    bytes += part[..<got]
  }
}

struct PaintCheck {
  /// The folder of the large test data.
  let data: String
  let tools = PaintTools()
  let pixels = UnsafeMutableRawPointer.allocate(byteCount: 512 * 512 * 4, alignment: 64)

  func target(_ edge: Int) -> PaintTarget {
    PaintTarget(pixels: pixels, rowBytes: edge * 4, edge: edge, room: edge * edge * 4, tools: tools)
  }

  /// The bundled world in trailhead, as a kiosk paints it: tiles of 256 pixels, with labels.
  func paintWorld() {
    let world = StaticBytes(
      name: "natural-earth", start: UnsafeRawPointer(waypost_natural_earth_bytes()),
      count: waypost_natural_earth_size(), isPartOfProgram: true)
    let spec = SourceSpec(name: "world", location: .memory(world))
    guard let source = try? VectorMap.open(spec) as? any DrawnSource,
      let tile = TileID(z: 4, x: 8, y: 5), case .payload(let payload)? = try? source.read(tile)
    else { stop("the bundled world cannot be read") }
    for round in 0..<2 {
      VectorMemory.removeAll()
      let paint = {
        var target = target(256)
        guard case .painted = source.painter.paint(payload, tile, into: &target) else {
          stop("the bundled world is not painted")
        }
      }
      // The runtime prepares types when they are first used.
      if round == 0 { paint() } else { counted("world-z4", "labels", paint) }
    }
  }

  /// A vector tile of a pack at 512 pixels, from its uncompressed bytes.
  func paint(_ name: String, _ pack: String, _ style: String, _ z: Int, _ x: Int, _ y: Int) {
    let path = "\(data)/vector/packs/\(pack)"
    guard let source = try? SourceSpec(name: name, location: .path(path)).open(),
      let tile = TileID(z: z, x: x, y: y), case .payload(let payload)? = try? source.read(tile),
      let map = try? MapStyle(json: bytes(of: "\(data)/vector/styles/\(style).json"))
    else { stop("\(name): \(pack) or \(style) cannot be read") }
    for hasLabels in [false, true] {
      let painter = VectorPainter(style: map)
      counted(name, hasLabels ? "labels" : "plain") {
        var target = target(512)
        let request = VectorPaintRequest(tile: tile, zoom: Double(z), hasLabels: hasLabels)
        guard case .painted = painter.paint(payload.bytes, request, into: &target) else {
          stop("\(name) is not painted")
        }
      }
    }
  }
}

let check = PaintCheck(data: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "")
check.paintWorld()
if !check.data.isEmpty {
  let perth = "perth-protomaps-v4-z0-15.pmtiles"
  let paris = "paris-ruhr-openmaptiles-z0-14.mbtiles"
  check.paint("perth-z12", perth, "protomaps-light", 12, 3365, 2431)
  check.paint("perth-z15", perth, "protomaps-light", 15, 26927, 19455)
  check.paint("paris-z14", paris, "omt-osm-bright", 14, 8298, 5635)
  check.paint("europe-z6", paris, "omt-osm-bright", 6, 33, 21)
}
