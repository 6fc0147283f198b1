import ArgumentParser
import Control

struct ViewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Shows where the view is.",
    discussion: """
      Examples:
        waypost view
        waypost --json view
      """)
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try daemon.perform(ViewGet.self, NoParams(), show: Tables.view)
  }
}

struct GotoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goto", abstract: "Moves the view to a place.",
    discussion: """
      Examples:
        waypost goto 46.0207 7.7491
        waypost goto -33.92 18.42 12 --animate
      """)
  @Argument(help: "Latitude in degrees, -90 to 90.") var lat: Number
  @Argument(help: "Longitude in degrees, east positive.") var lon: Number
  @Argument(help: "Zoom level; fractions allowed. Stays as it is if absent.") var zoom: Number?
  @Flag(help: "Move there smoothly.") var animate = false
  @OptionGroup var daemon: SocketOptions

  func validate() throws { try PlaceArguments.check(lat: lat, lon: lon) }

  func run() throws {
    let params = ViewSetParams(
      lat: lat.value, lon: lon.value, zoom: zoom?.value, animate: animate)
    try daemon.perform(ViewSet.self, params, show: Tables.view)
  }
}

struct PanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pan", abstract: "Moves the view left, right, up or down on the screen.",
    discussion: """
      Without POINTS it moves by a quarter of the screen's shorter side.

      Examples:
        waypost pan left
        waypost pan down 100 --animate
      """)
  @Argument(help: "left, right, up or down.") var direction: PanDirection
  @Argument(help: "How far, in points of the screen.") var points: Number?
  @Flag(help: "Move smoothly.") var animate = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    var way = ViewPanParams.Way.direction(direction)
    if let points = points?.value {
      switch direction {
      case .left: way = .by(dx: -points, dy: 0)
      case .right: way = .by(dx: points, dy: 0)
      case .up: way = .by(dx: 0, dy: -points)
      case .down: way = .by(dx: 0, dy: points)
      }
    }
    try daemon.perform(ViewPan.self, ViewPanParams(way, animate: animate), show: Tables.view)
  }
}

struct ZoomCommand: ParsableCommand {
  /// `in`, `out`, or the level to go to.
  enum Target {
    case zoomIn, out
    case level(Double)

    @Sendable static func parse(_ word: String) throws -> Target {
      switch CommandWords.restore(word) {
      case "in": return .zoomIn
      case "out": return .out
      case let other:
        guard let level = Number.parse(other) else {
          throw ValidationError("it is in, out or a zoom level, such as 12.5")
        }
        return .level(level)
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "zoom", abstract: "Zooms in or out by a level, or to a level.",
    discussion: """
      Examples:
        waypost zoom in
        waypost zoom 12.5 --animate
      """)
  @Argument(
    help: "in, out or a zoom level.", completion: .list(["in", "out"]), transform: Target.parse)
  var target: Target
  @Flag(help: "Zoom smoothly.") var animate = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    switch target {
    case .zoomIn:
      try daemon.perform(
        ViewZoom.self, ViewZoomParams(delta: 1, animate: animate), show: Tables.view)
    case .out:
      try daemon.perform(
        ViewZoom.self, ViewZoomParams(delta: -1, animate: animate), show: Tables.view)
    case .level(let level):
      try daemon.perform(
        ViewSet.self, ViewSetParams(zoom: level, animate: animate), show: Tables.view)
    }
  }
}

struct RotateCommand: ParsableCommand {
  /// `left`, `right`, or the bearing to turn to.
  enum Target {
    case left, right
    case bearing(Double)

    @Sendable static func parse(_ word: String) throws -> Target {
      switch CommandWords.restore(word) {
      case "left": return .left
      case "right": return .right
      case let other:
        guard let bearing = Number.parse(other) else {
          throw ValidationError("it is left, right or degrees, such as 90")
        }
        return .bearing(bearing)
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Turns the map.",
    discussion: """
      DEGREES is the compass direction that points up; left and right do what the buttons
      rotate-left and rotate-right do.

      Examples:
        waypost rotate 90
        waypost rotate left
        waypost rotate 0
      """)
  @Argument(
    help: "Degrees, left or right.", completion: .list(["left", "right"]),
    transform: Target.parse)
  var target: Target
  @Flag(help: "Turn smoothly (to a bearing).") var animate = false
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    switch target {
    case .left: try turn("rotate-left")
    case .right: try turn("rotate-right")
    case .bearing(let bearing):
      try daemon.perform(
        ViewSet.self, ViewSetParams(bearing: bearing, animate: animate), show: Tables.view)
    }
  }
}

extension RotateCommand {
  /// Carries out a button's action, and shows the resulting view.
  private func turn(_ action: String) throws {
    let connection = try daemon.connect()
    do throws(ClientError) {
      _ = try connection.call(Press.self, PressParams(action: action))
    } catch {
      throw daemon.failure(error)
    }
    try daemon.perform(ViewGet.self, NoParams(), over: connection, show: Tables.view)
  }
}

struct HomeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "home", abstract: "Goes back to the configured view.",
    discussion: """
      Examples:
        waypost home
      """)
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    try daemon.perform(ViewHome.self, NoParams(), show: Tables.view)
  }
}

struct FitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit", abstract: "Shows a whole box, as large as possible.",
    discussion: """
      West beyond east means a box across the dateline.

      Examples:
        waypost fit 5.9 45.8 10.5 47.8
        waypost fit 170 -20 -170 10 --padding 16
      """)
  @Argument(help: "Longitude of the left edge, in degrees.") var west: Number
  @Argument(help: "Latitude of the lower edge.") var south: Number
  @Argument(help: "Longitude of the right edge.") var east: Number
  @Argument(help: "Latitude of the upper edge.") var north: Number
  @Option(help: "Points to keep free on each side.") var padding: Number?
  @OptionGroup var daemon: SocketOptions

  func run() throws {
    let params = ViewFitParams(
      bounds: [west.value, south.value, east.value, north.value], padding: padding?.value ?? 0)
    try daemon.perform(ViewFit.self, params, show: Tables.view)
  }
}
