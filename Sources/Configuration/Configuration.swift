import Drawing
import MapGeometry
import Pixels
import Platform
import TileSources

/// The whole configuration, checked, with its defaults and every path absolute. Times are seconds,
/// sizes bytes; nil stands for "none", "never" or "auto", as each key says.
public struct Configuration: Sendable, Equatable {
  /// `[display]`.
  public var display = Display()
  /// `[view]`.
  public var view = View()
  /// `[cache]`.
  public var cache = Cache()
  /// `[control]`.
  public var control = Control()
  /// The most sources of a configuration.
  public static let mostSources = 1024

  /// `[[source]]`, in the order of the files.
  public var sources: [SourceSpec] = []
  /// `[media]`.
  public var media = Media()
  /// `[[overlay]]`, the lowest first.
  public var overlays: [Overlay] = []
  /// `[[marker]]`.
  public var markers: [Marker] = []
  /// `[hud]`.
  public var hud = Hud()
  /// `[theme]`.
  public var theme = Theme()
  /// `[position]`.
  public var position = Position()
  /// `[gpio]`.
  public var gpio = Gpio()
  /// `[input]`.
  public var input = Input()
  /// `[state]`.
  public var state = State()

  /// The defaults, without a source.
  public init() {}

  /// `[display]`: which display is opened, and how.
  public struct Display: Sendable, Equatable {
    /// The kind of display; `auto` takes the best one that can be opened.
    public enum Backend: String, Sendable, CaseIterable { case auto, drm, fbdev, headless }

    /// The kind of display.
    public var backend = Backend.auto
    /// nil: the first card with a connected connector.
    public var device: String?
    /// nil: the first connected one.
    public var connector: String?
    /// nil: the preferred one, or the best of at most 1920x1080 if that is larger.
    public var mode: VideoMode?
    /// Headless only.
    public var size = DisplaySize(width: 1280, height: 720)
    /// Mounting, clockwise in degrees: 0, 90, 180 or 270.
    public var rotation = 0
    /// Pixels a point, 1...4.
    public var scale = 1
    /// nil: auto.
    public var format: PixelFormat?
    /// A name under /sys/class/backlight; nil: auto.
    public var backlight: String?
    /// Seconds; nil: never.
    public var sleepAfter: Double?
  }

  /// `[view]`: where the map starts, and where it may go.
  public struct View: Sendable, Equatable {
    /// nil: the first source's.
    public var center: GeoPoint?
    /// nil: the first source's.
    public var zoom: Double?
    /// Degrees, 0 ≤ bearing < 360.
    public var bearing = 0.0
    /// The lowest zoom that the view may have, 0 to 24.
    public var minZoom = 0.0
    /// The highest zoom that the view may have, 0 to 24.
    public var maxZoom = 20.0
    /// The view's edges stay inside; nil: none.
    public var bounds: GeoBounds?
    /// Seconds; nil: never.
    public var homeAfter: Double?
  }

  /// `[cache]`: memory for decoded tiles.
  public struct Cache: Sendable, Equatable {
    /// Bytes of decoded tiles.
    public var memory = 32 << 20
  }

  /// `[control]`: the control socket.
  public struct Control: Sendable, Equatable {
    /// The socket's path, at most 107 bytes.
    public var socket = "/run/waypost/control.sock"
    /// Permission bits.
    public var mode: UInt32 = 0o660
    /// Empty: the process's own.
    public var group = ""
    /// The most clients at once, 1 to 1024.
    public var maxClients = 32
    /// Paths given over the socket must lie below one of these.
    public var roots = ["/var/lib/waypost", "/media"]
  }

  /// `[media]`: folders in which maps may appear.
  public struct Media: Sendable, Equatable {
    /// Folders in which packs that appear become sources.
    public var watch: [String] = []
  }

  /// `[[overlay]]`: features drawn over the map.
  public struct Overlay: Sendable, Equatable {
    /// Where an overlay's features come from.
    public enum Content: Sendable, Equatable {
      /// GeoJSON, GPX or KML.
      case file(String)
      /// GeoJSON's text itself, as it came over the socket.
      case geoJSON(String)
      /// Tile borders.
      case grid
    }

    /// The most overlays at once.
    public static let maxCount = 64

    /// Its name in messages and commands, unique among overlays.
    public var name: String
    /// Where the features come from.
    public var content: Content
    /// Which files may be opened for it: limited where it came over the socket.
    public var trust = PathTrust.anywhere
    /// Which of the map's levels it lies above.
    public var level: SourceSpec.Level
    /// nil: simplestyle's, else a default.
    public var stroke: Color?
    /// Points.
    public var strokeWidth: Double?
    /// The colour of areas; nil: simplestyle's, else a default.
    public var fill: Color?
    /// The property drawn as text.
    public var label: String?
    /// What tracks of GPX are coloured by.
    public enum ColorBy: String, Sendable, CaseIterable { case speed, elevation }
    /// nil: one colour.
    public var colorBy: ColorBy?
    /// Below this zoom it is not drawn, 0 to 24.
    public var minZoom = 0.0

    /// An overlay in the default style.
    public init(name: String, content: Content, level: SourceSpec.Level) {
      self.name = name
      self.content = content
      self.level = level
    }
  }

  /// `[[marker]]`: a pin on the map.
  public struct Marker: Sendable, Equatable {
    /// Its name in messages and commands, unique among markers.
    public var id: String
    /// Where it stands.
    public var place: GeoPoint
    /// Stands beside it.
    public var label: String?
    /// Shown when it is tapped or selected.
    public var text: String?
    /// The pin's colour; nil: the default.
    public var color: Color?
    /// What the marker looks like; nil: a pin.
    public var icon: MarkerIcon?

    /// The most of them.
    public static let most = 20_000
    /// The most bytes of a label.
    public static let longestLabel = 500
    /// The most bytes of a text.
    public static let longestText = 8192

    /// A marker; what is nil is left to the defaults.
    public init(
      id: String, place: GeoPoint, label: String? = nil, text: String? = nil, color: Color? = nil,
      icon: MarkerIcon? = nil
    ) {
      self.id = id
      self.place = place
      self.label = label
      self.text = text
      self.color = color
      self.icon = icon
    }
  }

  /// `[hud]`: what is drawn over the map.
  public struct Hud: Sendable, Equatable {
    /// Units of the scale bar.
    public enum Units: String, Sendable, CaseIterable { case metric, imperial, nautical }

    /// Whether the sources' attribution is shown.
    public var attribution = true
    /// Whether a scale bar is shown.
    public var scaleBar = true
    /// Whether an arrow to the north is shown while the map is turned.
    public var north = true
    /// Whether the zoom is shown.
    public var zoom = false
    /// Whether the centre's coordinates are shown.
    public var coordinates = false
    /// Whether a legend of the configured buttons is shown along the edge.
    public var buttons = false
    /// Whether short notices are shown.
    public var toasts = true
    /// The units of the scale bar.
    public var units = Units.metric
    /// Font files, the first that has a character draws it; empty: the bundled one.
    public var fonts: [String] = []

    /// The parts that can be shown and hidden, by their keys.
    public static let parts: [String: WritableKeyPath<Hud, Bool> & Sendable] = [
      "attribution": \.attribution, "scale_bar": \.scaleBar, "north": \.north, "zoom": \.zoom,
      "coordinates": \.coordinates, "buttons": \.buttons, "toasts": \.toasts,
    ]
  }

  /// `[theme]`: colours by day and night.
  public struct Theme: Sendable, Equatable {
    /// Which colours; `auto` follows the sun.
    public enum Mode: String, Sendable, CaseIterable { case day, night, auto }

    /// Which colours are shown.
    public var mode = Mode.day
    /// The night theme's colour filters, for everything that is drawn.
    public var night: [Filter] = [
      .brightness(0.55), .tint(Color(red: 255, green: 0, blue: 0, alpha: 0x22)),
    ]
  }

  /// `[position]`: where the position comes from, and what the view does with it.
  public struct Position: Sendable, Equatable {
    /// HOST:PORT; nil: none.
    public var gpsd: String?
    /// Whether the view follows the position from the start.
    public var follow = true
    /// Whether the map is turned so that the direction of travel is up.
    public var headingUp = false
    /// Whether the track so far is drawn.
    public var track = true
  }

  /// `[gpio]`: buttons and encoders on GPIO lines.
  public struct Gpio: Sendable, Equatable {
    /// What holds an open line at its level (gpiod's bias).
    public enum Bias: String, Sendable, CaseIterable {
      case pullUp = "pull-up"
      case pullDown = "pull-down"
      case disabled
      case asIs = "as-is"
    }
    /// The level of a line while its button is pressed.
    public enum Active: String, Sendable, CaseIterable { case low, high }

    /// A line's offset on the chip or its name.
    public enum Line: Sendable, Hashable {
      case offset(Int)
      case named(String)
    }

    /// What a button does while it is held.
    public enum Hold: Sendable, Equatable {
      case repeating
      case nothing
      case action(Action)
    }

    /// `[[gpio.button]]`: one line, one action.
    public struct Button: Sendable, Equatable {
      /// The button's line.
      public var line: Line
      /// What a press does.
      public var action: Action
      /// What holding it does.
      public var hold: Hold
      /// Seconds.
      public var holdAfter = 0.6
    }

    /// `[[gpio.encoder]]`: a quadrature encoder on two lines.
    public struct Encoder: Sendable, Equatable {
      /// Its two lines, A and B.
      public var lines: [Line]
      /// What a step clockwise does.
      public var clockwise: Action
      /// What a step counterclockwise does.
      public var counterclockwise: Action
    }

    /// `[[gpio.chord]]`: buttons pressed together.
    public struct Chord: Sendable, Equatable {
      /// The lines of its buttons, at least two.
      public var lines: [Line]
      /// What pressing them together does.
      public var action: Action
    }

    /// The most buttons, encoders and chords, each: no machine has more lines.
    public static let mostLines = 1024

    /// nil: the chip that owns the named line, else gpiochip0.
    public var chip: String?
    /// Seconds.
    public var debounce = 0.008
    /// The lines' bias.
    public var bias = Bias.pullUp
    /// The level of a line while its button is pressed.
    public var active = Active.low
    /// `[[gpio.button]]`.
    public var buttons: [Button] = []
    /// `[[gpio.encoder]]`.
    public var encoders: [Encoder] = []
    /// `[[gpio.chord]]`.
    public var chords: [Chord] = []
  }

  /// `[input]`: keyboards, dials and touch screens.
  public struct Input: Sendable, Equatable {
    /// `[[input.key]]`: what a key does.
    public struct Key: Sendable, Equatable {
      /// The kernel's name of the key: "KEY_HOME".
      public var key: String
      /// What pressing it does.
      public var action: Action
    }

    /// The most keys: the kernel knows no more (input-event-codes.h, KEY_CNT).
    public static let mostKeys = 768

    /// nil: only where there is a screen. Without one the keyboards may belong to somebody who
    /// works there.
    public var evdev: Bool?
    /// Whether the devices are taken for this program alone.
    public var grab = true
    /// Degrees; nil: the display's.
    public var touchRotation: Int?
    /// Beside or instead of the default keys.
    public var keys: [Key] = []
  }

  /// `[state]`: what is kept over a restart.
  public struct State: Sendable, Equatable {
    /// nil: none is kept.
    public var path: String? = "/var/lib/waypost/state.json"
    /// Seconds, at most so often.
    public var writeEvery = 30.0
    /// Whether the saved state is restored at the start.
    public var restore = true
    /// Whether sources and overlays added over the socket are kept.
    public var keepAdded = false
  }
}
