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

  /// A change of a notice.
  public enum NoticeChange: String, Sendable {
    /// It was added or replaced.
    case set
    case removed
    /// Its time is over.
    case ended
  }

  /// A change of a source or an overlay.
  public enum LayerChange: String, Sendable {
    /// A source became the base map on the screen.
    case used
    /// It is new, or replaces the one with its name. One that a call adds is open now.
    case added
    case removed
    /// It was configured differently, its file was replaced and the new one is shown now, or it can
    /// be opened now and could not be before.
    case changed
    /// An overlay was shown or hidden, or moved within the order.
    case shown
    case hidden
    case moved
    /// A line of an overlay was selected, or is not selected any more.
    case selected
    case deselected
  }

  case view
  /// The source with that name changed; an empty name: there is no base map any more.
  case source(name: String, change: LayerChange)
  case tileError(source: String, TileError)
  case health
  case button(ButtonEvent)
  /// The power, brightness, theme, monitor or mode changed.
  case display
  /// A fix came, or fixes have stopped.
  case position
  /// The marker with that id changed.
  case marker(String, MarkerChange)
  case overlay(name: String, change: LayerChange)
  /// The notice with that id changed.
  case notice(String, NoticeChange)
}
