import MapGeometry
import Platform
import TileLoading

/// The map with the sprites that stand on it, kept in memory while the view is panned.
///
/// A frame of a pan copies it to the panel, and blends only sprites that do not stand on the map:
/// those that fade, come, go, or belong to the screen. What came into view, what changed on the
/// map, and the place of sprites that came or went is drawn into it before. A label is thus blended
/// once, and not in each frame.
///
/// It is filled over several frames, from the top.
final class Backdrop {
  /// A sprite of a frame.
  private struct Entry {
    /// Kept alive, so that no other picture gets its address.
    var image: SpriteImage
    /// The grid position of its upper left corner.
    var x: Int
    var y: Int
    /// Whether it is blended into the backdrop.
    var stands: Bool
    /// Whether the next frame has it, too.
    var isFound = false

    /// The part of a view at `corner` that it covers, upright.
    func rect(_ corner: (x: Int, y: Int)) -> PixelRect {
      PixelRect(x: x &- corner.x, y: y &- corner.y, width: image.width, height: image.height)
    }
  }

  /// What the pixels depend on, besides the plan's cells and the sprites.
  private struct Look: Equatable {
    var level: Int
    var cell: Int
    var width: Int
    var height: Int
    var palette: Compositor.Palette

    /// Bytes of a view.
    var bytes: Int { width * height * 4 }
  }

  /// The part of the view that the sprites on it must cover to be worth it: 1/32.
  private static let leastStanding = 32
  /// The part of the view that may change, or be covered by other sprites, in one frame: 1/4.
  private static let mostChanging = 4
  /// The most sprites of a frame. With more, comparing them would cost more than it saves.
  static let mostSprites = 512
  /// The most of them that do not stand on the map.
  static let mostOthers = 128
  /// The part of the view by which it is filled in each frame: 1/8.
  private static let fillPart = 8

  /// The sprites that stand on the map.
  let standing = SpriteIndex()
  /// The other ones.
  let others = SpriteIndex()

  private var memory: UnsafeMutableRawPointer?
  private var look: Look?
  /// The grid position of the last view; nil: there was none of this look.
  private var corner: (x: Int, y: Int)?
  /// The rows of the grid that it holds, all of that view.
  private var held = 0..<0
  /// The sprites of the frame before, and of this one.
  private var former: [Entry] = []
  private var entries: [Entry] = []
  private var cells = CellSignatures()
  /// Whether a frame since the last `age` was copied from it, or compared with the one before.
  private var (isUsed, isCompared) = (false, false)

  // The outcome of comparing a frame's sprites with the last one's.
  private var stands: [Bool] = []
  private var otherRects: [PixelRect] = []
  private var reordered: [Int] = []
  /// The parts of the view that must be drawn into it anew.
  private var damage: [PixelRect] = []

  deinit { memory?.deallocate() }

  /// Bytes of its pixels, and of what it knows of sprites and cells.
  var bytes: Int {
    let pixels = memory == nil ? 0 : look?.bytes ?? 0
    return pixels + (former.capacity + entries.capacity) * MemoryLayout<Entry>.stride + cells.bytes
      + standing.bytes + others.bytes
  }

  /// Whether it keeps pixels, or pictures of sprites.
  var isKeepingAnything: Bool { memory != nil || !former.isEmpty || !entries.isEmpty }

  /// Frees the pixels unless a frame used them since the last call, and everything unless one was
  /// compared.
  func age() {
    if !isCompared {
      free()
    } else if !isUsed {
      freePixels()
    }
    (isUsed, isCompared) = (false, false)
  }

  private func freePixels() {
    memory?.deallocate()
    memory = nil
    held = 0..<0
  }

  /// Frees everything.
  func free() {
    freePixels()
    former = []
    entries = []
    cells = CellSignatures()
  }

  /// Forgets the sprites that were placed.
  func removeSprites() {
    standing.removeAll()
    others.removeAll()
  }

  /// Prepares for drawing the whole view: compares the plan and the sprites with what it holds, and
  /// notes what must be drawn into it.
  ///
  /// - Parameters:
  ///   - plan: The plan, which must be exact, with all its tiles in the cache.
  ///   - sprites: The sprites over it, bottom first.
  ///   - palette: The colours where there is no map.
  /// - Returns: What to draw into and to copy from; nil: it is of no use for this frame.
  func prepare(
    _ plan: borrowing FramePlan, _ sprites: [Sprite], _ palette: Compositor.Palette
  ) -> BackdropRows? {
    let t = plan.transform
    let look = Look(
      level: t.level, cell: t.cell, width: t.width, height: t.height, palette: palette)
    let corner = (x: Int(t.originX), y: Int(t.originY))
    if look != self.look { reset(to: look) }
    let hasMoved = self.corner.map { $0 != corner } ?? false
    // Nobody pans, so nothing begins.
    if held.isEmpty, !hasMoved {
      self.corner = corner
      return nil
    }
    isCompared = true
    damage.removeAll(keepingCapacity: true)
    swap(&former, &entries)
    entries.removeAll(keepingCapacity: true)
    let screen = PixelRect(x: 0, y: 0, width: t.width, height: t.height)
    let kept = kept(at: corner, screen)
    guard compare(sprites, corner, screen, kept, hasMoved: hasMoved),
      cells.update(plan, within: kept, to: &damage),
      damage.reduce(0, { $0 + $1.width * $1.height }) * Backdrop.mostChanging
        <= t.width * t.height,
      reserve(look)
    else {
      held = 0..<0
      for i in entries.indices { entries[i].stands = false }
      self.corner = corner
      return nil
    }
    isUsed = true
    extend(kept, to: corner, screen)
    self.corner = corner
    standing.place(sprites, where: { stands[$0] }, width: t.width, height: t.height)
    others.place(sprites, where: { !stands[$0] }, width: t.width, height: t.height)
    return rows
  }

  private func reset(to look: Look) {
    if look.width != self.look?.width || look.height != self.look?.height { free() }
    self.look = look
    corner = nil
    held = 0..<0
    entries.removeAll(keepingCapacity: true)
    cells = CellSignatures()
  }

  /// Makes room for the pixels of a view. Returns whether there is.
  private func reserve(_ look: Look) -> Bool {
    if memory != nil { return true }
    guard SpareMemory.has(look.height, of: look.width * 4) else { return false }
    memory = .allocate(byteCount: look.bytes, alignment: 64)
    return true
  }

  /// The part of the view at `corner` that it holds from the frame before.
  private func kept(at corner: (x: Int, y: Int), _ screen: PixelRect) -> PixelRect {
    PixelRect(
      x: (self.corner?.x ?? 0) - corner.x, y: held.lowerBound - corner.y, width: screen.width,
      height: held.count
    ).intersection(screen)
  }

  /// Adds the part of the view at `corner` that it will hold beyond `kept` to `damage`.
  private func extend(_ kept: PixelRect, to corner: (x: Int, y: Int), _ screen: PixelRect) {
    var top = kept.isEmpty ? 0 : kept.y
    var bottom = kept.isEmpty ? 0 : kept.maxY
    if kept.x > 0 {
      add(PixelRect(x: 0, y: top, width: kept.x, height: kept.height))
    } else if kept.maxX < screen.width {
      add(
        PixelRect(
          x: kept.maxX, y: top, width: screen.width - kept.maxX, height: kept.height))
    }
    // The rows that came into view, and some of those that it never held.
    var most = screen.height / Backdrop.fillPart
    if !kept.isEmpty, let former = self.corner { most += abs(corner.y - former.y) }
    let below = min(screen.height - bottom, most)
    add(PixelRect(x: 0, y: bottom, width: screen.width, height: below))
    bottom += below
    most -= below
    let above = min(top, most)
    add(PixelRect(x: 0, y: top - above, width: screen.width, height: above))
    top -= above
    held = corner.y + top..<corner.y + bottom
  }

  /// Decides which sprites stand on the map: those that are opaque and upright and were at the same
  /// place of the grid in the frame before, with nothing below them that does not stand on it.
  /// Adds the places of those that came and went, as far as they are in `kept`, to `damage`.
  /// Returns whether those that stand are worth it.
  private func compare(
    _ sprites: [Sprite], _ corner: (x: Int, y: Int), _ screen: PixelRect, _ kept: PixelRect,
    hasMoved: Bool
  ) -> Bool {
    if sprites.count > Backdrop.mostSprites { return false }
    stands.removeAll(keepingCapacity: true)
    otherRects.removeAll(keepingCapacity: true)
    reordered.removeAll(keepingCapacity: true)
    var (area, otherArea, next, last) = (0, 0, 0, -1)
    for i in sprites.indices {
      let rect = sprites[i].rect
      let seen = rect.intersection(screen)
      var entry = Entry(
        image: sprites[i].image, x: rect.x &+ corner.x, y: rect.y &+ corner.y, stands: false)
      if let found = find(entry, from: next) {
        next = found + 1
        former[found].isFound = true
        if sprites[i].opacity >= 256, sprites[i].turn == nil,
          seen.isEmpty || !otherRects.contains(where: { $0.intersects(seen) })
        {
          entry.stands = former[found].stands || hasMoved
        }
        if entry.stands != former[found].stands {
          // If it is turned now, it covers another part.
          add(former[found].rect(corner).intersection(kept))
        } else if entry.stands {
          if found < last { reordered.append(i) }
          last = max(last, found)
        }
      }
      stands.append(entry.stands)
      entries.append(entry)
      if entry.stands {
        area += seen.width * seen.height
      } else if !seen.isEmpty {
        otherArea += seen.width * seen.height
        otherRects.append(seen)
        if otherRects.count > Backdrop.mostOthers { return false }
      }
    }
    // What was below those that are gone is damaged.
    for old in former where old.stands && !old.isFound {
      add(old.rect(corner).intersection(kept))
    }
    // Of two that changed their order, the one now on top is in the list.
    for i in reordered where hasNeighbour(i, sprites) { add(sprites[i].rect.intersection(kept)) }
    let all = screen.width * screen.height
    return area * Backdrop.leastStanding >= all && otherArea * Backdrop.mostChanging <= all
  }

  /// The index in `former` of the sprite `entry`, which is usually the first one from `next`.
  private func find(_ entry: Entry, from next: Int) -> Int? {
    for step in former.indices {
      let n = next + step < former.count ? next + step : next + step - former.count
      if former[n].x == entry.x, former[n].y == entry.y, former[n].image === entry.image,
        !former[n].isFound
      {
        return n
      }
    }
    return nil
  }

  /// Whether another sprite that stands on the map overlaps sprite `i`.
  private func hasNeighbour(_ i: Int, _ sprites: [Sprite]) -> Bool {
    let rect = sprites[i].rect
    for n in sprites.indices where n != i && stands[n] && sprites[n].rect.intersects(rect) {
      return true
    }
    return false
  }

  private func add(_ rect: PixelRect) { if !rect.isEmpty { damage.append(rect) } }

  private var rows: BackdropRows? {
    guard let memory, let look, let corner, !held.isEmpty else { return nil }
    return BackdropRows(
      memory: memory, width: look.width, height: look.height, corner: corner,
      rows: held.lowerBound - corner.y..<held.upperBound - corner.y, damage: damage,
      standing: standing.lists, others: others.lists)
  }
}
