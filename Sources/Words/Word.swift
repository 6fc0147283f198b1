/// A text that Waypost itself shows to people, by its key in the files of words.
///
/// Files of words are UTF-8 text, one word a line: `key = text`. `{0}`, `{1}` … stand for values. A
/// line that begins with `#` is a comment. The bundled files are Sources/CBundled/data/words.
public enum Word: String, CaseIterable, Sendable {
  // Day and night.
  case day
  case night

  // What buttons do.
  case left
  case right
  case up
  case down
  case zoomIn = "zoom-in"
  case zoomOut = "zoom-out"
  case home
  case nextMap = "next-map"
  case previousMap = "previous-map"
  case dayOrNight = "day-or-night"
  case follow
  case turnLeft = "turn-left"
  case turnRight = "turn-right"
  case northUp = "north-up"
  case select
  case sleep

  // Where there is no map.
  case noMapYet = "no-map-yet"
  case noMapHere = "no-map-here"
  case pressHome = "press-home"
  case mapNeedsService = "map-needs-service"
}
