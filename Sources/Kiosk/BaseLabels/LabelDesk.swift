import Drawing
import LineNames
import MapGeometry
import MapLabels
import MapOverlays
import MapScene
import TileLoading

/// The tools with which the labels of one map are placed and drawn.
///
/// Unchecked: the worker's thread alone uses the placer, the artist and the names, whatever a tile,
/// a style or an overlay holds.
final class LabelDesk: @unchecked Sendable {
  fileprivate let type: LabelType
  fileprivate let placer: LabelPlacer
  fileprivate let artist: LabelArtist
  fileprivate var names = OverlayNameTiles()

  /// Nil if there is no memory for the fonts.
  init?(icons: LabelIcons, tint: LabelTint?, fonts: LabelFonts) {
    guard let type = try? LabelType(fonts) else { return nil }
    self.type = type
    placer = LabelPlacer(type: type, icons: icons)
    artist = LabelArtist(type: type, tint: tint)
  }

  /// Bytes that are kept. On the worker's thread.
  fileprivate var bytes: Int { placer.bytes + artist.bytes + names.bytes }

  /// Frees what was placed and drawn before. `shapes` are those of the labels on the screen.
  /// Returns the bytes that are still kept. On the worker's thread.
  func rest(keeping shapes: Set<ObjectIdentifier>) -> Int {
    artist.keep(shapes)
    placer.keep(shapes)
    names.removeAll()
    return bytes
  }
}

/// One placement, on the worker's thread.
///
/// Unchecked: the request and the former placement are values of immutable objects. What a tile
/// holds is in the immutable `TileLabels`, what an overlay holds in its immutable drawing.
struct LabelJob: @unchecked Sendable {
  let desk: LabelDesk
  let request: LabelRequest
  /// The lines of overlays that are named along them; nil: none.
  var names: OverlayNames?
  /// The selected line, which all labels keep clear of; nil: none is.
  var selected: SelectedLine?
  let former: LabelPlacement?
  /// Freed with the job, on the worker's thread.
  var retired: (placement: LabelPlacement?, pictures: LabelPictures)?

  /// A placement with its pictures on their way to the loop.
  ///
  /// Unchecked: pictures do not change once they are drawn.
  struct Result: @unchecked Sendable {
    let placement: LabelPlacement
    let pictures: LabelPictures
    /// Bytes that the desk keeps.
    let bytes: Int
    /// A language for each script whose letters no font has.
    let lackingLanguages: Set<String>
  }

  func run() -> Result {
    var request = request
    if let names {
      request.tiles += desk.names.tiles(request, names)
      request.lacksMemory = desk.names.lacksMemory
    }
    request.lines = OverlayLineSearch(names?.lines ?? [], selected: selected, in: request.view)
    var placement = desk.placer.place(request, after: former)
    var pictures = LabelPictures()
    desk.artist.beginPlacement()
    // The highest lie above all others, so they come first where memory ends.
    for label in placement.labels.reversed() {
      pictures.add(desk.artist.picture(of: label.shape), of: label.shape)
    }
    if desk.artist.lacksMemory { placement.lacksMemory = true }
    return Result(
      placement: placement, pictures: pictures, bytes: desk.bytes,
      lackingLanguages: desk.type.lackingLanguages)
  }
}
