import Drawing
import MapGeometry
import Pixels
import Platform
import TileSources

/// The whole configuration: checked, with all defaults filled in and every path absolute. Times are
/// in seconds, sizes in bytes. What nil means ("none", "never", "auto") each property says.
public struct Configuration: Sendable, Equatable {
  /// `[display]`: which display is opened, and how.
  public var display = Display()
  /// `[view]`: where the map starts, and where it may go.
  public var view = View()
  /// `[cache]`: the memory for decoded tiles.
  public var cache = Cache()
  /// `[control]`: the control socket.
  public var control = Control()
  /// A configuration may have at most this many sources.
  public static let mostSources = 1024

  /// `[[source]]`, in the order of the files. If it is empty, no map is shown.
  public var sources: [SourceSpec] = []
  /// `[media]`: folders in which maps may appear.
  public var media = Media()
  /// `[[overlay]]`, the lowest first; at most `Overlay.maxCount`.
  public var overlays: [Overlay] = []
  /// `[[marker]]`, in the order of the files; at most `Marker.most`.
  public var markers: [Marker] = []
  /// `[[notice]]`, in the order of the files; at most `Notice.most`.
  public var notices: [Notice] = []
  /// `[[tour]]`: the places that the tour shows, in their order; at most `TourStop.most`.
  public var tour: [TourStop] = []
  /// `[hud]`: what is shown over the map.
  public var hud = Hud()
  /// `[theme]`: colours by day and by night.
  public var theme = Theme()
  /// `[position]`: where the position comes from, and what the view does with it.
  public var position = Position()
  /// `[gpio]`: buttons, chords and encoders on GPIO lines.
  public var gpio = Gpio()
  /// `[input]`: keyboards, dials and touch screens.
  public var input = Input()
  /// `[state]`: what outlasts a restart.
  public var state = State()

  /// Creates the defaults, without any source.
  public init() {}

  /// `[display]`: which display is opened, and how.
  public struct Display: Sendable, Equatable {
    /// The kinds of display. `auto` is DRM, else the framebuffer, never headless.
    public enum Backend: String, Sendable, CaseIterable { case auto, drm, fbdev, headless }

    /// The kind of display to open.
    public var backend = Backend.auto
    /// The device file, /dev/dri/cardN or /dev/fbN; nil: the first card with a connected connector.
    public var device: String?
    /// The connector's name, "HDMI-A-1"; nil: the first connected one.
    public var connector: String?
    /// The mode to set; nil: the preferred one, or the best of at most 1920x1080 if that is larger.
    public var mode: VideoMode?
    /// The size in pixels of a headless display, and of the stand-in while there is no monitor.
    public var size = DisplaySize(width: 1280, height: 720)
    /// How the panel is mounted: degrees clockwise, 0, 90, 180 or 270.
    public var rotation = 0
    /// Pixels per point, 1 to 4.
    public var scale = 1
    /// The pixel format; nil: the one that the driver prefers.
    public var format: PixelFormat?
    /// The language of names on vector maps, for sources that name none: a BCP 47 tag; nil: the
    /// present one of `hud.languages`, or, where these are not given, names as written at the
    /// place.
    public var language: String?
    /// A name under /sys/class/backlight; nil: the backlight is found automatically.
    public var backlight: String?
    /// Seconds without use after which the panel goes dark; nil: never.
    public var sleepAfter: Double?
  }

  /// `[view]`: where the map starts, and where it may go.
  public struct View: Sendable, Equatable {
    /// The centre at the start; nil: the first source's.
    public var center: GeoPoint?
    /// The zoom at the start, 0 to 24; nil: the first source's.
    public var zoom: Double?
    /// The compass direction that points up at the start, in degrees, 0 ≤ bearing < 360.
    public var bearing = 0.0
    /// The lowest zoom that the view may have, 0 to 24.
    public var minZoom = 0.0
    /// The highest zoom that the view may have, 0 to 24.
    public var maxZoom = 20.0
    /// The area that the view's edges may not leave; nil: no limit.
    public var bounds: GeoBounds?
    /// Seconds without use after which the first view comes back; nil: never.
    public var homeAfter: Double?
    /// Seconds in which new tiles fade in while the view rests, 0 to 10; 0: they appear at once.
    public var fade = 0.15
    /// Seconds without use after which the tour begins; nil: never.
    public var tourAfter: Double?
  }

  /// `[cache]`: memory for decoded tiles.
  public struct Cache: Sendable, Equatable {
    /// The limit in bytes for decoded tiles. It is raised to what one view of the display needs.
    public var memory = 32 << 20
  }

  /// `[control]`: the control socket.
  public struct Control: Sendable, Equatable {
    /// The socket's path, absolute, at most 107 bytes (unix(7)).
    public var socket = "/run/waypost/control.sock"
    /// The permissions of the socket file, 0 to 0o777.
    public var mode: UInt32 = 0o660
    /// The group of the socket file, by name or number; empty: the process's own.
    public var group = ""
    /// How many clients may be connected at once, 1 to 1024.
    public var maxClients = 32
    /// The folders below which paths given over the socket must be. Root and the daemon's own user
    /// may give any path.
    public var roots = ["/var/lib/waypost", "/media"]
  }

  /// `[media]`: folders in which maps may appear.
  public struct Media: Sendable, Equatable {
    /// There may be at most this many folders.
    public static let mostWatched = 8

    /// Folders, absolute paths: packs that appear below them become sources, and go with them.
    public var watch: [String] = []
  }

  /// `[[overlay]]`: features drawn over the map.
  public struct Overlay: Sendable, Equatable {
    /// Where an overlay's features come from.
    public enum Content: Sendable, Equatable {
      /// A file of GeoJSON, GPX or KML, by its absolute path.
      case file(String)
      /// GeoJSON text that came over the socket.
      case geoJSON(String)
      /// The border of every tile, with its address and the source's name.
      case grid
    }

    /// Overlays of closed features get names with this prefix; no configured overlay may use it.
    public static let closurePrefix = "notice:"
    /// There may be at most this many overlays.
    public static let maxCount = 64
    /// The most properties on a card.
    public static let mostCardKeys = 16
    /// A title has at most this many bytes of UTF-8.
    public static let longestTitle = 100

    /// The overlay's name in messages and commands, 1 to 100 bytes, unique among overlays.
    public var name: String
    /// What is drawn: a file's features, features that came as text, or the tile grid.
    public var content: Content
    /// Which files may be opened for this overlay: limited if it came over the socket.
    public var trust = PathTrust.anywhere
    /// Whether it is drawn above the roads or above the labels of the map.
    public var level: SourceSpec.Level
    /// The colour of lines for features without their own (simplestyle-spec 1.1.0); nil: a default.
    public var stroke: Color?
    /// The width of lines in points, 0 to 100, for features without their own; nil: a default.
    public var strokeWidth: Double?
    /// The colour of areas for features without their own; nil: a default.
    public var fill: Color?
    /// The property that is drawn as text, in GPX and KML the element; nil: no text.
    public var label: String?
    /// What can decide the colour along a GPX track.
    public enum ColorBy: String, Sendable, CaseIterable { case speed, elevation }
    /// What decides the colour along a GPX track; nil: the track has one colour.
    public var colorBy: ColorBy?
    /// The line under lines.
    public enum Casing: Sendable, Equatable {
      /// The theme's, under lines of 2 points or more.
      case auto
      /// None.
      case none
      /// In this colour, under all lines and outlines.
      case color(Color)
    }
    /// The line under lines, 3 points wider in all.
    public var casing = Casing.auto
    /// Points drawn and left out in turn along lines; empty: lines are whole.
    public var dash: [Double] = []
    /// Shown on the screen while the overlay is, as plain text; nil: nothing.
    public var attribution: String?
    /// Its name for people, on cards and in the map key; nil: what its file says, or `name`.
    public var title: String?
    /// The title's translations, each of at most `longestTitle` bytes.
    public var titles: Translations = [:]
    /// The properties that the card of a line shows beside name, length, ascent and profile.
    public var card: [CardProperty] = []
    /// How the time of a card is calculated: on foot, by bicycle, or not at all.
    public enum Travel: String, Sendable, CaseIterable { case hiking, cycling, none }
    /// How people travel along its lines.
    public var travel = Travel.hiking
    /// Their speed on level ground in km/h, 0.1 to 200; nil: that of `travel`.
    public var travelSpeed: Double?
    /// The lowest zoom at which the overlay is drawn, 0 to 24.
    public var minZoom = 0.0

    /// Creates an overlay in the default style, visible at every zoom.
    public init(name: String, content: Content, level: SourceSpec.Level) {
      self.name = name
      self.content = content
      self.level = level
    }
  }

  /// `[hud]`: what is shown over the map, upright and at fixed parts of the screen.
  public struct Hud: Sendable, Equatable {
    /// The units that the scale bar can have.
    public enum Units: String, Sendable, CaseIterable { case metric, imperial, nautical }

    /// Whether the attribution of the sources on the screen is shown.
    public var attribution = true
    /// Whether a scale bar of a round length is shown.
    public var scaleBar = true
    /// Whether an arrow to the north is shown while the bearing is not 0.
    public var north = true
    /// Whether the zoom is shown as a number.
    public var zoom = false
    /// Whether the coordinates of the view's centre are shown.
    public var coordinates = false
    /// Whether a legend of the configured buttons is shown along the lower edge.
    public var buttons = false
    /// Whether a key of the signs on the map is shown while nothing is selected.
    public var mapKey = false
    /// Whether short notices of changes are shown. Notices of problems always are.
    public var toasts = true
    /// The units of the scale bar.
    public var units = Units.metric
    /// How large everything over the map is: 1 to be read at arm's length, 3 from across a room.
    public var size = 1.0
    /// Font files, absolute paths. The first one that has a character draws it; the bundled font
    /// draws what none of them has.
    public var fonts: [String] = []
    /// The languages that people can choose, BCP 47, starting with the one shown first. Empty:
    /// Waypost's words are English, and names appear as written at the place.
    public var languages: [String] = []
    /// The folder of files that correct Waypost's words, an absolute path; nil: none.
    public var words: String?
    /// What the map key calls the icons of markers instead of Waypost's own words.
    public var icons: [MarkerIcon: LocalText] = [:]
    /// There may be at most this many languages.
    public static let mostLanguages = 16

    /// The parts that can be shown and hidden one by one, by their keys in `[hud]`.
    public static let parts: [String: WritableKeyPath<Hud, Bool> & Sendable] = [
      "attribution": \.attribution, "scale_bar": \.scaleBar, "north": \.north, "zoom": \.zoom,
      "coordinates": \.coordinates, "buttons": \.buttons, "toasts": \.toasts,
      "map_key": \.mapKey,
    ]
  }

  /// `[theme]`: colours by day and night.
  public struct Theme: Sendable, Equatable {
    /// The themes that can be chosen. `auto` is night while the sun is down at the view's centre.
    public enum Mode: String, Sendable, CaseIterable { case day, night, auto }

    /// The theme to show.
    public var mode = Mode.day
    /// The filters of the night, applied in order to maps that have no colours of their own for it.
    /// What is drawn over the map has night colours of its own.
    public var night: [Filter] = [.dark]
    /// Whether everything is in reds at night, for eyes that must stay used to the dark.
    public var isRed: Bool { night.contains(.red) }
  }

  /// `[position]`: where the position comes from, and what the view does with it.
  public struct Position: Sendable, Equatable {
    /// The gpsd to connect to, as HOST:PORT on the loopback (`GPSDAddress`); nil: none.
    public var gpsd: String?
    /// Whether the view follows the position from the first fix.
    public var follow = true
    /// Whether the map is turned so that the course is up while the view follows.
    public var headingUp = false
    /// Whether the track so far is drawn as dots.
    public var track = true
  }

  /// `[gpio]`: buttons and encoders on GPIO lines.
  public struct Gpio: Sendable, Equatable {
    /// The resistor that the kernel sets for the lines (gpiod's bias).
    public enum Bias: String, Sendable, CaseIterable {
      case pullUp = "pull-up"
      case pullDown = "pull-down"
      case disabled
      case asIs = "as-is"
    }
    /// The level of a line while its button is pressed.
    public enum Active: String, Sendable, CaseIterable { case low, high }

    /// A GPIO line: by its offset on the chip, from 0, or by its name.
    public enum Line: Sendable, Hashable {
      case offset(Int)
      case named(String)
    }

    /// What a button does while it is held: repeats its action, nothing more, or another action.
    public enum Hold: Sendable, Equatable {
      case repeating
      case nothing
      case action(Action)
    }

    /// `[[gpio.button]]`: one line, one action.
    public struct Button: Sendable, Equatable {
      /// The line that the button is connected to.
      public var line: Line
      /// What a press does.
      public var action: Action
      /// What happens once the button has been held for `holdAfter`.
      public var hold: Hold
      /// Seconds until a pressed button counts as held, more than 0.
      public var holdAfter = 0.6
    }

    /// `[[gpio.encoder]]`: a quadrature encoder on two lines.
    public struct Encoder: Sendable, Equatable {
      /// Its two lines, A and B; each is used by nothing else.
      public var lines: [Line]
      /// What one detent clockwise does: A becomes active before B.
      public var clockwise: Action
      /// What one detent counterclockwise does.
      public var counterclockwise: Action
    }

    /// `[[gpio.chord]]`: buttons pressed together.
    public struct Chord: Sendable, Equatable {
      /// The lines of its buttons, two or more, all different.
      public var lines: [Line]
      /// What happens once when all of them are down.
      public var action: Action
    }

    /// There may be at most this many buttons, encoders and chords each: no machine has more lines.
    public static let mostLines = 1024

    /// A chip's name, label, path or number; nil: for a named line the chip that has it, for an
    /// offset the header's chip on a Raspberry Pi 5, else gpiochip0.
    public var chip: String?
    /// Seconds for which a level must be stable, 0 to 1. It does not apply to encoders.
    public var debounce = 0.008
    /// The bias of every line.
    public var bias = Bias.pullUp
    /// The level of every line while its button is pressed or its contact closed.
    public var active = Active.low
    /// `[[gpio.button]]`, in the order of the files.
    public var buttons: [Button] = []
    /// `[[gpio.encoder]]`, in the order of the files.
    public var encoders: [Encoder] = []
    /// `[[gpio.chord]]`, in the order of the files.
    public var chords: [Chord] = []
  }

  /// `[input]`: keyboards, dials and touch screens.
  public struct Input: Sendable, Equatable {
    /// `[[input.key]]`: what a key does.
    public struct Key: Sendable, Equatable {
      /// The kernel's name of the key, such as "KEY_HOME" (input-event-codes.h).
      public var key: String
      /// What pressing the key does; `none` disables a default key.
      public var action: Action
    }

    /// There may be at most this many keys: the kernel knows no more (KEY_CNT in
    /// input-event-codes.h).
    public static let mostKeys = 768

    /// Whether evdev devices are used; nil: only if there is a screen, because without one somebody
    /// may be working at the keyboard.
    public var evdev: Bool?
    /// Whether devices are grabbed, so that no other program and no console receives their events.
    public var grab = true
    /// How touch screens are mounted: 0, 90, 180 or 270 degrees clockwise; nil: as the display.
    public var touchRotation: Int?
    /// Keys that add to the default keys or replace them.
    public var keys: [Key] = []
  }

  /// `[state]`: what is kept over a restart, and where.
  public struct State: Sendable, Equatable {
    /// The state file, an absolute path; nil: no state is kept.
    public var path: String? = "/var/lib/waypost/state.json"
    /// The shortest time between two writes, in seconds.
    public var writeEvery = 30.0
    /// Whether the saved state is restored at the start.
    public var restore = true
    /// Whether sources and overlays that were added over the socket are saved too.
    public var keepAdded = false
  }
}
