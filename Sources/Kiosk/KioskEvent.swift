import Inputs
import TileSources

/// What happened, for subscribers.
public enum KioskEvent {
  /// A change of a marker.
  public enum MarkerChange: String, Sendable {
    /// It was added or replaced.
    case set
    case removed
    /// A tap opened its callout; `selected`: a button did.
    case tapped
    case selected
    /// Its callout was closed.
    case closed
  }

  /// A change of a source.
  public enum SourceChange: String, Sendable {
    /// It became the base map on the screen.
    case used
    case added
    case removed
    /// Its file was replaced, and the new one is shown now.
    case changed
  }

  case view
  /// The source with that name changed; an empty name: there is no base map any more.
  case source(name: String, change: SourceChange)
  case tileError(source: String, TileError)
  case health
  case button(ButtonEvent)
  /// The power, brightness, theme, monitor or mode changed.
  case display
  /// A fix came, or fixes have stopped.
  case position
  /// The marker with that id changed.
  case marker(String, MarkerChange)
  /// The change is "added", "removed", "shown", "hidden", "moved" or, of its file, "changed".
  case overlay(name: String, change: String)
}
