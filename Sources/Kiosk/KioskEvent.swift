import Inputs
import TileSources

/// What happened, for whoever subscribed.
public enum KioskEvent {
  /// What was done with a marker.
  public enum MarkerChange: String, Sendable {
    /// It was put on the map, or another in its place.
    case set
    case removed
    /// It was tapped, or a button chose it: what it says is shown.
    case tapped
    case selected
    /// What it says is no longer shown.
    case closed
  }

  /// What was done with a source.
  public enum SourceChange: String, Sendable {
    /// It is the base map on the screen now.
    case used
    case added
    case removed
    /// Another file took the place of its own, and is shown now.
    case changed
  }

  case view
  /// What was done with the source of that name; empty: there is no base map any more.
  case source(name: String, change: SourceChange)
  case tileError(source: String, TileError)
  case health
  case button(ButtonEvent)
  /// Power, brightness, theme, monitor or mode.
  case display
  /// A fix came, or none comes any more.
  case position
  /// What was done with the marker of that id.
  case marker(String, MarkerChange)
  /// "added", "removed", "shown", "hidden", "moved" or, of its file, "changed".
  case overlay(name: String, change: String)
}
