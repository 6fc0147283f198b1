import Drawing
import MapGeometry
import Pixels
import TileSources

/// The whole configuration, checked, with its defaults and every path absolute. Times are seconds,
/// sizes bytes; nil stands for "none", "never" or "auto", as each key says.
public struct Configuration: Sendable, Equatable {
  public var display = Display()
  public var view = View()
  public var cache = Cache()
  public var control = Control()
  public var sources: [SourceSpec] = []
  public var media = Media()
  public var overlays: [Overlay] = []
  public var markers: [Marker] = []
  public var hud = Hud()
  public var theme = Theme()
  public var position = Position()
  public var gpio = Gpio()
  public var input = Input()
  public var state = State()

  public init() {}

  public struct Display: Sendable, Equatable {
    public enum Backend: String, Sendable, CaseIterable { case auto, drm, fbdev, headless }

    public var backend = Backend.auto
    /// nil: the first card with a connected connector.
    public var device: String?
    /// nil: the first connected one.
    public var connector: String?
    /// nil: the preferred one, or the best of at most 1920x1080 if that is larger.
    public var mode: VideoMode?
    /// Headless only.
    public var size = PixelSize(width: 1280, height: 720)
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

  public struct View: Sendable, Equatable {
    /// nil: the first source's.
    public var center: GeoPoint?
    /// nil: the first source's.
    public var zoom: Double?
    /// Degrees, 0 ≤ bearing < 360.
    public var bearing = 0.0
    public var minZoom = 0.0
    public var maxZoom = 20.0
    /// The view's edges stay inside; nil: none.
    public var bounds: GeoBounds?
    /// Seconds; nil: never.
    public var homeAfter: Double?
  }

  public struct Cache: Sendable, Equatable {
    /// Bytes of decoded tiles.
    public var memory = 32 << 20
  }

  public struct Control: Sendable, Equatable {
    public var socket = "/run/waypost/control.sock"
    /// Permission bits.
    public var mode: UInt32 = 0o660
    /// Empty: the process's own.
    public var group = ""
    public var maxClients = 32
    /// Paths given over the socket must lie below one of these.
    public var roots = ["/var/lib/waypost", "/media"]
  }

  public struct Media: Sendable, Equatable {
    /// Folders in which packs that appear become sources.
    public var watch: [String] = []
  }

  public struct Overlay: Sendable, Equatable {
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

    public var name: String
    public var content: Content
    public var level: SourceSpec.Level
    /// nil: simplestyle's, else a default.
    public var stroke: Color?
    /// Points.
    public var strokeWidth: Double?
    public var fill: Color?
    /// The property drawn as text.
    public var label: String?
    /// What tracks of GPX are coloured by.
    public enum ColorBy: String, Sendable, CaseIterable { case speed, elevation }
    /// nil: one colour.
    public var colorBy: ColorBy?
    public var minZoom = 0.0

    public init(name: String, content: Content, level: SourceSpec.Level) {
      self.name = name
      self.content = content
      self.level = level
    }
  }

  public struct Marker: Sendable, Equatable {
    public var id: String
    public var place: GeoPoint
    /// Stands beside it.
    public var label: String?
    /// Shown when it is tapped or selected.
    public var text: String?
    public var color: Color?
    public var icon: MarkerIcon?

    /// The most of them.
    public static let most = 20_000
    /// The most bytes of a label and of a text.
    public static let longestLabel = 500
    public static let longestText = 8192

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

  public struct Hud: Sendable, Equatable {
    public enum Units: String, Sendable, CaseIterable { case metric, imperial, nautical }

    public var attribution = true
    public var scaleBar = true
    public var north = true
    public var zoom = false
    public var coordinates = false
    public var buttons = false
    public var toasts = true
    public var units = Units.metric
    /// Font files, the first that has a character draws it; empty: the bundled one.
    public var fonts: [String] = []
  }

  public struct Theme: Sendable, Equatable {
    public enum Mode: String, Sendable, CaseIterable { case day, night, auto }

    public var mode = Mode.day
    /// What the night theme does to all that is drawn.
    public var night: [Filter] = [
      .brightness(0.55), .tint(Color(red: 255, green: 0, blue: 0, alpha: 0x22)),
    ]
  }

  public struct Position: Sendable, Equatable {
    /// HOST:PORT; nil: none.
    public var gpsd: String?
    public var follow = true
    public var headingUp = false
    public var track = true
  }

  public struct Gpio: Sendable, Equatable {
    public enum Bias: String, Sendable, CaseIterable {
      case pullUp = "pull-up"
      case pullDown = "pull-down"
      case disabled
      case asIs = "as-is"
    }
    public enum Active: String, Sendable, CaseIterable { case low, high }

    /// A line's offset on the chip or its name.
    public enum Line: Sendable, Hashable {
      case offset(Int)
      case named(String)
    }

    public enum Hold: Sendable, Equatable {
      case repeating
      case nothing
      case action(Action)
    }

    public struct Button: Sendable, Equatable {
      public var line: Line
      public var action: Action
      public var hold: Hold
      /// Seconds.
      public var holdAfter = 0.6
    }

    public struct Encoder: Sendable, Equatable {
      public var lines: [Line]
      public var clockwise: Action
      public var counterclockwise: Action
    }

    public struct Chord: Sendable, Equatable {
      public var lines: [Line]
      public var action: Action
    }

    /// nil: the chip that owns the named line, else gpiochip0.
    public var chip: String?
    /// Seconds.
    public var debounce = 0.008
    public var bias = Bias.pullUp
    public var active = Active.low
    public var buttons: [Button] = []
    public var encoders: [Encoder] = []
    public var chords: [Chord] = []
  }

  public struct Input: Sendable, Equatable {
    public struct Key: Sendable, Equatable {
      public var key: String
      public var action: Action
    }

    /// nil: where there is a screen. Without one the keyboards may be someone's who works there.
    public var evdev: Bool?
    public var grab = true
    /// Degrees; nil: the display's.
    public var touchRotation: Int?
    /// Beside or instead of the default keys.
    public var keys: [Key] = []
  }

  public struct State: Sendable, Equatable {
    /// nil: none is kept.
    public var path: String? = "/var/lib/waypost/state.json"
    /// Seconds, at most so often.
    public var writeEvery = 30.0
    public var restore = true
    public var keepAdded = false
  }
}
