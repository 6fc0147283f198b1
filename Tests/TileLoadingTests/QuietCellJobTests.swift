import MapGeometry
import Pixels
import Synchronization
import Testing
import TileSources

@testable import TileLoading

/// Paints cells of one colour, and waits where it is told to.
private final class Cell: TilePainter {
  let color: UInt32
  let mayEnd: Mutex<Bool>
  let begun = Mutex(0)
  init(_ color: UInt32, waits: Bool = false) {
    self.color = color
    mayEnd = Mutex(!waits)
  }
  var needsPayload: Bool { false }
  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    begun.withLock { $0 += 1 }
    while !mayEnd.withLock({ $0 }) {}
    fill(target.pixels.assumingMemoryBound(to: UInt32.self), color, target.edge * target.edge)
    return .painted(target.opaque)
  }
}

@Suite struct QuietCellJobTests {
  private func request(_ source: Int) -> TileLoader.Request {
    TileLoader.Request(
      key: TileKey(quietCellOf: source), tile: .world, levels: 0, edge: 16, standing: .needed)
  }

  private func color(_ rig: Rig, _ source: Int) -> UInt32? {
    rig.cache.peek(TileKey(quietCellOf: source)).map {
      rig.cache.entry($0).pixels.load(as: UInt32.self)
    }
  }

  @Test func aQuietCellIsPaintedLikeATileAndItsSourceIsNotRead() {
    let (rig, control) = (Rig(), SourceControl())
    rig.add(0, control) { _ in flatPNG(0xFF) }
    rig.want(request(0))
    // Nobody paints it yet.
    #expect(rig.cache.stats.bytes == 0)
    var asked: [Int] = []
    rig.loader?.provideQuietCell = { index in
      asked.append(index)
      return Cell(0xFF11_2233)
    }
    rig.want(request(0), request(0))
    #expect(rig.runUntilIdle())
    #expect(asked == [0] && control.reads == [] && color(rig, 0) == 0xFF11_2233)
    rig.want(request(0))
    #expect(rig.loader?.isIdle == true)
    rig.loader?.removeSource(0)
    #expect(rig.cache.stats.tiles == 0)
  }

  @Test func aCellThatIsToBePaintedAgainIsNotKeptAsItWasUnderWay() {
    let rig = Rig()
    rig.add(0) { _ in flatPNG(0xFF) }
    rig.loader?.open(0)
    #expect(rig.run { $0.opened == [0] })
    let old = Cell(0xFF00_0001, waits: true)
    rig.loader?.provideQuietCell = { _ in old }
    rig.want(request(0))
    while old.begun.withLock({ $0 == 0 }) {}
    rig.loader?.repaintQuietCell(of: 0)
    rig.loader?.provideQuietCell = { _ in Cell(0xFF00_0002) }
    old.mayEnd.withLock { $0 = true }
    #expect(rig.runUntilIdle())
    #expect(color(rig, 0) == 0xFF00_0002)
  }

  @Test func aPictureMadeAtOnceHasQuietCellsToo() {
    let rig = Rig()
    let loader = SynchronousLoader(cache: rig.cache, missing: rig.missing, opaque: .xrgb8888)
    loader.setSource(
      0, FunctionSource(SourceControl(), maxZoom: 3, has: { _ in true }) { _ in flatPNG(0xFF) })
    #expect(!loader.load(request(0)))
    loader.setQuietCell(Cell(0xFF33_2211), of: 0)
    #expect(loader.load(request(0)) && color(rig, 0) == 0xFF33_2211)
  }
}
