import Drawing
import EventLoop
import LineNames
import MapGeometry
import MapLabels
import MapOverlays
import MapScene
import TileLoading

/// Owns the labels of a painted base map, and the names along lines of overlays: their placement
/// and their sprites.
///
/// A worker places and draws labels for the view and a margin around it, from what the visible
/// tiles carry. Until the next placement arrives, the present one moves with the map: labels of
/// points stay upright, labels along lines turn.
final class BaseLabels {
  /// The shortest time from one placement to the next while the view moves or tiles arrive, in
  /// nanoseconds.
  static let pause: UInt64 = 100_000_000
  /// How long to wait before placing labels again that found no memory, in nanoseconds.
  static let patience: UInt64 = 1_000_000_000
  /// How far beyond the view labels are placed, in points.
  static let margin = 128

  private let outbox: Outbox
  private let worker: Worker
  private(set) var timer: LoopTimer?
  private let fonts: ([FontFile]) -> LabelFonts
  /// The files of `hud.font`.
  private(set) var files: [FontFile] = []
  /// A language for each script with letters in names on the map that no font has.
  private(set) var lackingLanguages: Set<String> = []
  /// The base map's icons, and the night's colours for its labels; nil: it has no labels.
  private var base: (icons: LabelIcons, tint: LabelTint?)?
  /// The overlays whose lines are named along them.
  private var lines: [OverlayLines] = []
  /// The lines of all overlays, which those names keep clear of.
  private var allLines: [OverlayLines] = []
  /// Places and draws; nil while there is nothing to place.
  private var desk: LabelDesk?
  /// Whether the system had no memory for it.
  private var isLacking = false
  /// Increases with each new desk: the results of others are dropped.
  private var generation = 0
  private(set) var placement: LabelPlacement?
  private var pictures = LabelPictures()
  /// What the worker's placer and artist keep, in bytes.
  private var deskBytes = 0
  /// The view that `sprites` were made for; nil: make them again.
  private var shown: Viewport?
  /// How many labels are on the screen.
  private(set) var count = 0
  /// The array in which sprites are passed on, reused so that a frame allocates none.
  private var sprites: [Sprite] = []
  /// What the worker is to free with its next placement: thousands of small objects.
  private var retired: (placement: LabelPlacement?, pictures: LabelPictures)?

  /// What the last placement was requested for, and what the current frame shows.
  private var asked = LabelQuestion()
  private var present = LabelQuestion()
  private var askedAt: UInt64 = 0
  private var held = HeldLabels()
  private var isBusy = false

  /// `fonts` returns the fonts, given the files of `hud.font`, when a map with labels is first
  /// shown.
  init(loop: EventLoop, outbox: Outbox, fonts: @escaping ([FontFile]) -> LabelFonts) {
    self.outbox = outbox
    self.fonts = fonts
    worker = Worker("labels", loop: loop, capacity: 1)
    timer = loop.timer { [outbox] in outbox.add(.picture) }
  }

  /// Whether labels of the present view are still to be placed, or fade.
  var isPending: Bool {
    desk != nil
      && (isBusy || asked != present || mayFindSides || placement?.isFading == true)
  }

  /// Whether labels that lost their side while the map turned are to be placed once more at rest.
  /// That placement loses none, as its bearing is the same.
  private var mayFindSides: Bool {
    placement?.hasLostSides == true && placement?.lacksMemory == false
  }

  /// Bytes of the pictures, and of what placing keeps.
  var bytes: Int {
    deskBytes + pictures.bytes + (retired?.pictures.bytes ?? 0) + held.bytes
  }

  /// Takes the icons of the base map's labels, and the night's colours for them; nil: it has no
  /// labels, or keeps the style's colours.
  func use(_ icons: LabelIcons?, tint: LabelTint? = nil) {
    if icons === base?.icons, icons == nil || tint == base?.tint { return }
    base = icons.map { ($0, tint) }
    open()
  }

  /// Takes the overlays whose lines are named along them, the topmost first, and the lines of all
  /// overlays, which those names keep clear of.
  func use(_ lines: [OverlayLines], among all: [OverlayLines]) {
    (self.lines, allLines) = (lines, all)
  }

  /// Takes the selected line, which all labels keep clear of; nil: none is.
  func use(selected: SelectedLine?) { present.selected = selected }

  /// Takes the look of such names, before the frame's labels are moved.
  func use(_ words: OverlayNames.Words, at zoom: Double) {
    let names =
      lines.isEmpty
      ? nil
      : OverlayNames(lines, among: allLines, selected: present.selected, zoom: zoom, words)
    if names == present.names { return }
    let isFirst = present.names == nil || names == nil
    present.names = names
    if isFirst, base == nil { open() }
  }

  /// Takes the files of `hud.font`. Those that are the same as before change nothing.
  func use(_ files: [FontFile]) {
    if files.elementsEqual(self.files, by: ===) { return }
    self.files = files
    if desk != nil { open() }
  }

  private func open() {
    let isNeeded = base != nil || present.names != nil
    desk =
      isNeeded
      ? LabelDesk(icons: base?.icons ?? .none, tint: base?.tint, fonts: fonts(files)) : nil
    isLacking = isNeeded && desk == nil
    if isLacking { timer?.arm(after: BaseLabels.patience) }
    outbox.note(
      "labels", .warning,
      isLacking ? "there is no memory for the fonts of the map's names; they are tried again" : nil)
    generation += 1
    asked = LabelQuestion()
    lackingLanguages = []
    held.removeAll()
    // Labels of the former map stay until those of the new one are there.
    if desk == nil { (placement, pictures, shown, deskBytes) = (nil, LabelPictures(), nil, 0) }
  }

  // MARK: The frame

  /// Moves the labels to `view`; call it before the frame is planned. Returns whether they changed;
  /// if so, `pass` hands them over.
  func move(to view: Viewport, now: UInt64) -> Bool {
    let isFaded = placement?.fade(at: now) ?? false
    if placement?.isFading == true, timer?.isArmed != true {
      timer?.arm(after: LabelPlacement.fadeTime / 8)
    }
    if shown == view, !isFaded { return false }
    shown = view
    if count == 0, placement?.labels.isEmpty ?? true { return false }
    placement?.turn(to: view)
    sprites.removeAll(keepingCapacity: true)
    if let placement {
      let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
      pictures.draw(placement, on: screen, into: &sprites)
    }
    count = sprites.count
    return true
  }

  /// Hands over the sprites of the labels on the screen, bottom first. `body` may swap the array
  /// for one that it no longer needs.
  func pass(_ body: (inout [Sprite]) -> Void) {
    body(&sprites)
    if count == 0 { sprites = [] }
  }

  /// Asks for another placement if the planned frame differs from what the last one was for.
  ///
  /// `obstacles` appends the parts of the screen to keep clear of, in view pixels.
  func follow(
    _ scene: Scene, _ view: Viewport, isMoving: Bool, now: UInt64,
    obstacles: (inout [PixelRect]) -> Void
  ) {
    if isLacking, timer?.isArmed != true { open() }
    guard let desk else { return }
    if base == nil {
      held.removeAll()
      present.tiles.removeAll()
      present.isComplete = true
    } else {
      collect(scene, view)
    }
    present.view = view
    present.obstacles.removeAll(keepingCapacity: true)
    obstacles(&present.obstacles)
    if isBusy { return }
    if isMoving ? !present.differsMuch(from: asked) : present == asked && !mayFindSides {
      guard placement?.lacksMemory == true else { return }
      if now < askedAt &+ BaseLabels.patience {
        if timer?.isArmed != true { timer?.arm(at: askedAt &+ BaseLabels.patience) }
        return
      }
    }
    if isMoving || !present.isComplete, placement != nil, now < askedAt &+ BaseLabels.pause {
      timer?.arm(at: askedAt &+ BaseLabels.pause)
      return
    }
    ask(desk, scene.cache, now)
  }

  /// The tiles of the base map in view.
  private func collect(_ scene: Scene, _ view: Viewport) {
    present.isComplete = scene.collectBaseTiles(into: &present.tiles)
    if scene.isHeldBack {
      held.add(present.tiles, level: scene.plan.transform.level, view, scene.cache)
      (present.tiles, present.isComplete) = (held.tiles, false)
    } else {
      held.removeAll()
    }
  }

  private func ask(_ desk: LabelDesk, _ cache: TileCache, _ now: UInt64) {
    var tiles: [LabelTile] = []
    tiles.reserveCapacity(present.tiles.count)
    for tile in present.tiles {
      let labels = held.labels(of: tile) ?? cache.companion(tile.slot) as? TileLabels
      tiles.append(LabelTile(tile.tile, world: tile.world, labels: labels ?? .empty))
    }
    // The obstacles are a copy: the next frame fills the same array again.
    let request = LabelRequest(
      tiles: tiles, view: present.view, margin: BaseLabels.margin * present.view.scale,
      obstacles: present.obstacles.map { $0 }, isComplete: present.isComplete, time: now)
    let job = LabelJob(
      desk: desk, request: request, names: present.names, selected: present.selected,
      former: placement, retired: retired)
    let generation = generation
    let deliver = { [weak self] (result: LabelJob.Result) in self?.take(result, generation) ?? () }
    askedAt = now
    retired = nil
    isBusy = worker.post({ job.run() }, then: deliver)
    if isBusy {
      asked = present
    } else {
      // The system has no room for the thread.
      timer?.arm(after: BaseLabels.patience)
    }
  }

  /// Frees what the labels on the screen do not need. Their pictures stay, so the next placement is
  /// as fast as before.
  ///
  /// `done` is called on the loop afterwards, or never if labels are still being placed or fade.
  func rest(_ done: @escaping () -> Void) {
    guard let desk, !isBusy, placement?.isFading != true else { return }
    (sprites, retired) = ([], nil)
    let shapes = Set(placement?.labels.lazy.map { ObjectIdentifier($0.shape) } ?? [])
    let generation = generation
    let deliver = { [weak self] (bytes: Int) in
      self?.rested(bytes, generation)
      done()
    }
    isBusy = worker.post({ desk.rest(keeping: shapes) }, then: deliver)
  }

  private func rested(_ bytes: Int, _ generation: Int) {
    isBusy = false
    if generation == self.generation { deskBytes = bytes }
    // What was to be asked meanwhile.
    if asked != present { outbox.add(.picture) }
  }

  private func take(_ result: LabelJob.Result, _ generation: Int) {
    isBusy = false
    guard generation == self.generation else {
      // These labels belong to another map; request those of the present one.
      outbox.add(.picture)
      return
    }
    retired = (placement, pictures)
    placement = result.placement
    pictures = result.pictures
    deskBytes = result.bytes
    lackingLanguages = result.lackingLanguages
    shown = nil
    outbox.add(.picture)
  }
}

/// What a placement depends on.
struct LabelQuestion: Equatable {
  var view = Viewport(center: GeoPoint(lat: 0, lon: 0), zoom: 0, width: 0, height: 0)
  var tiles: [BaseTile] = []
  var obstacles: [PixelRect] = []
  var isComplete = false
  var names: OverlayNames?
  var selected: SelectedLine?

  /// Whether labels placed for `other` no longer fill the view: it has other tiles, or has moved
  /// far.
  func differsMuch(from other: LabelQuestion) -> Bool {
    if tiles != other.tiles || names != other.names || selected != other.selected { return true }
    if view == other.view { return false }
    let turn = abs(view.bearing - other.view.bearing)
    if abs(view.zoom - other.view.zoom) > 0.25 || min(turn, 360 - turn) > 10 { return true }
    let (a, b) = (view.centerPixel, other.view.centerPixel)
    let far = Double(BaseLabels.margin / 2 * view.scale)
    return view.width != other.view.width || view.height != other.view.height
      || abs(a.x - b.x) > far || abs(a.y - b.y) > far
  }
}
