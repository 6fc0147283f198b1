import Drawing
import MapGeometry
import Pixels
import Synchronization
import Testing
import TileSources

@testable import TileLoading

/// Draws tiles of level `level` and above as one colour; says of the western half that there is
/// nothing.
private final class Sketch: TilePainter {
  private let drawnTiles = Mutex<[TileID]>([])
  private let asked = Mutex(0)
  private let isEmpty: @Sendable (TileID) -> Bool

  init(isEmpty: @escaping @Sendable (TileID) -> Bool = { _ in false }) { self.isEmpty = isEmpty }

  var drawn: [TileID] { drawnTiles.withLock { $0 } }
  var questions: Int { asked.withLock { $0 } }

  func mayPaint(_ tile: TileID) -> Bool {
    asked.withLock { $0 += 1 }
    return tile.z == 0 || tile.x >= 1 << (tile.z - 1)
  }

  var needsPayload: Bool { false }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    drawnTiles.withLock { $0.append(tile) }
    guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
    if isEmpty(tile) { return .nothing }
    for y in 0..<canvas.height { canvas.pixels[y * canvas.stride + y] = 0x8080_0000 }
    target.applyColors()
    return .painted(.argb8888)
  }
}

private final class SketchSource: DrawnSource {
  let info = SourceInfo(kind: "sketch", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter
  init(_ painter: Sketch) { self.painter = painter }
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    .nothing
  }
}

extension Rig {
  fileprivate func add(_ sketch: Sketch, colors: TileColors = .none) {
    loader?.setSource(0, name: "sketch", colors: colors) { .success(SketchSource(sketch)) }
    loader?.open(0)
  }

  fileprivate func openAll() -> Bool { run { !$0.opened.isEmpty } }
}

@Test(arguments: [TilePixelFormat.xrgb8888, .rgb565])
func aSourceThatDrawsHasItsTilesDrawnWithTransparency(_ opaque: TilePixelFormat) throws {
  let rig = Rig(opaque: opaque)
  let sketch = Sketch()
  rig.add(sketch)
  #expect(rig.openAll())
  let id = tile(2, 3, 1)
  rig.want(rig.request(id))
  #expect(rig.runUntilIdle())
  let entry = try #require(rig.entry(id))
  #expect(entry.format == .argb8888)
  let pixels = rig.pixels(id)
  // The canvas was transparent, whatever its memory held before.
  #expect(pixels.enumerated().allSatisfy { $1 == ($0 % 17 == 0 ? 0x8080_0000 : 0) })
}

@Test func whatIsAskedBeforeASourceIsKnownToDrawIsDrawnToo() throws {
  let rig = Rig(opaque: .rgb565)
  let sketch = Sketch()
  rig.loader?.setSource(0, name: "sketch") { .success(SketchSource(sketch)) }
  let (id, empty) = (tile(2, 3, 1), tile(2, 0, 1))
  rig.want(rig.request(id), rig.request(empty))
  #expect(rig.runUntilIdle())
  #expect(rig.entry(id)?.format == .argb8888)
  #expect(rig.missing.find(TileKey(source: 0, tile: empty)) != nil)
}

@Test func whereNothingIsToBeDrawnNoMemoryIsTakenAndNoThreadAsked() throws {
  let rig = Rig()
  let sketch = Sketch()
  rig.add(sketch)
  #expect(rig.openAll())
  let empty = tile(2, 0, 1)
  #expect(
    rig.missing.find(TileKey(source: 0, tile: empty)) == .init(ancestorLevel: nil, failed: false))
  rig.want(rig.request(empty))
  #expect(rig.loader?.isIdle == true)
  #expect(rig.cache.stats.bytes == 0)
  #expect(sketch.drawn == [])
  // It is asked once.
  let before = sketch.questions
  for _ in 0..<10 { _ = rig.missing.find(TileKey(source: 0, tile: empty)) }
  #expect(sketch.questions == before)
}

@Test func aTileOnWhichNothingWasDrawnIsMissingAndItsMemoryComesBack() throws {
  let rig = Rig()
  let sketch = Sketch(isEmpty: { _ in true })
  rig.add(sketch)
  #expect(rig.openAll())
  let id = tile(2, 3, 1)
  rig.want(rig.request(id))
  #expect(rig.runUntilIdle())
  #expect(rig.absent == [TileKey(source: 0, tile: id)])
  #expect(rig.entry(id) == nil)
  rig.cache.clear()
  #expect(rig.cache.stats.bytes == 0)
  rig.want(rig.request(id))
  #expect(sketch.drawn == [id])
}

@Test func emptyPlacesOfADrawnSourcePushOutNothingThatWasRead() {
  let missing = MissingTiles()
  let hole = TileKey(source: 5, tile: tile(3, 1, 1))
  missing.insert(hole, .init(ancestorLevel: 2, failed: false))
  missing.setPainter(Sketch(), of: 1)
  for x in 0..<40_000 {
    _ = missing.find(TileKey(source: 1, tile: tile(17, x, 9)))
  }
  #expect(missing.find(hole)?.ancestorLevel == 2)
  #expect(missing.count <= MissingTiles.drawnCapacity + 1)
}

@Test func filtersApplyToWhatIsDrawn() throws {
  let rig = Rig()
  rig.add(Sketch(), colors: TileColors([.colors([.invert])], source: "sketch"))
  #expect(rig.openAll())
  let id = tile(2, 3, 1)
  rig.want(rig.request(id))
  #expect(rig.runUntilIdle())
  #expect(Set(rig.pixels(id)) == [0, 0x8000_8080])
}

@Test func aDrawnSourceGoesOnDrawingInOtherColours() throws {
  let rig = Rig()
  rig.add(Sketch())
  #expect(rig.openAll())
  rig.loader?.recolor(0, to: 3, colors: TileColors([.colors([.invert])], source: "sketch"))
  let id = tile(2, 3, 1)
  rig.want(rig.request(id, source: 3))
  #expect(rig.runUntilIdle())
  #expect(Set(rig.pixels(id, source: 3)) == [0, 0x8000_8080])
  #expect(rig.missing.find(TileKey(source: 3, tile: tile(2, 0, 1))) != nil)
  #expect(rig.missing.find(TileKey(source: 0, tile: tile(2, 0, 1))) == nil)
}

@Test func aPictureMadeAtOnceHasDrawnTilesToo() {
  let (cache, missing) = (TileCache(limit: 1 << 20), MissingTiles())
  let loader = SynchronousLoader(cache: cache, missing: missing, opaque: .xrgb8888)
  loader.setSource(0, SketchSource(Sketch(isEmpty: { $0.y == 0 })))
  func load(_ id: TileID) -> Bool {
    loader.load(
      TileLoader.Request(
        key: TileKey(source: 0, tile: id), tile: id, levels: 0, edge: 16, standing: .needed))
  }
  #expect(load(tile(2, 3, 1)) && load(tile(2, 3, 0)))
  #expect(cache.peek(TileKey(source: 0, tile: tile(2, 3, 1))) != nil)
  #expect(cache.peek(TileKey(source: 0, tile: tile(2, 3, 0))) == nil)
  #expect(missing.find(TileKey(source: 0, tile: tile(2, 3, 0))) != nil)
}
