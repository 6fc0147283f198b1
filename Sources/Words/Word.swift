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
  /// The sign for north on the compass, one or two letters.
  case northLetter = "north-letter"
  case select
  case selectNext = "select-next"
  case back
  case mapKey = "map-key"
  case languageNext = "language-next"
  case sleep
  // How to operate it: {0} is the action, {1} the button's number or the key's name.
  case holdFor = "hold-for"
  case turnForZoom = "turn-for-zoom"
  case turnForMap = "turn-for-map"
  case turnToTurn = "turn-to-turn"
  case turnLeftFor = "turn-left-for"
  case turnRightFor = "turn-right-for"
  case buttonsFor = "buttons-for"

  // Where there is no map.
  case noMapYet = "no-map-yet"
  case noMapHere = "no-map-here"
  case pressHome = "press-home"
  /// {0} is the name of a key.
  case pressKey = "press-key"
  /// {0} is what a short press of the same button does.
  case holdForHome = "hold-for-home"
  case mapReturns = "map-returns"
  case mapNeedsService = "map-needs-service"
  case settingsNeedService = "settings-need-service"

  /// The language's own name.
  case languageName = "language-name"
  /// What a closed line or area is called.
  case closed
  /// {0} is how many notices there are beside those on the screen.
  case moreNotices = "more-notices"
  /// {0} is how many signs of the map key there is no room for.
  case moreSigns = "more-signs"
  /// What is said where a card or the map key has no room.
  case noRoom = "no-room"

  // Numbers: the decimal sign, the sign between thousands, and the fewest digits that are grouped.
  case decimalSign = "decimal-sign"
  case groupSign = "group-sign"
  case groupFrom = "group-from"

  // Units. {0} is the number.
  case metres
  case kilometres
  case feet
  case miles
  case nauticalMiles = "nautical-miles"
  case kilometresPerHour = "kilometres-per-hour"
  case milesPerHour = "miles-per-hour"
  case knots
  case seconds
  case minutes
  case hours
  case days
  case hoursMinutes = "hours-minutes"

  // Where the view and the position are.
  case zoomLevel = "zoom-level"
  case degreesNorth = "degrees-north"
  case degreesSouth = "degrees-south"
  case degreesEast = "degrees-east"
  case degreesWest = "degrees-west"
  /// {0} is the latitude, {1} the longitude.
  case coordinates
  /// Whose coordinates are shown. In a right-to-left language it ends with a left-to-right mark,
  /// so that the degree sign stays with the number that follows.
  case mapCenter = "map-centre"
  /// {0} is the age of the last fix, with its unit.
  case noGPS = "no-gps"

  // The card of a line.
  case trailLength = "trail-length"
  case trailAscent = "trail-ascent"
  case trailDescent = "trail-descent"
  case trailTime = "trail-time"
  /// {0} is the lowest elevation, {1} the highest.
  case trailElevations = "trail-elevations"
  // Properties of OpenStreetMap on that card: `surface`, `difficulty` and `sac_scale`, and so on.
  case cardSurface = "card-surface"
  case cardDifficulty = "card-difficulty"
  case cardVisibility = "card-visibility"
  case cardOperator = "card-operator"
  case cardRef = "card-ref"
  case cardDistance = "card-distance"
  case cardNetwork = "card-network"
  case cardBicycle = "card-bicycle"
  case cardDog = "card-dog"
  case cardWheelchair = "card-wheelchair"
  case cardOpeningHours = "card-opening-hours"
  case cardWebsite = "card-website"
  // Values of `surface`, by their names.
  case surfaceAsphalt = "surface-asphalt"
  case surfaceConcrete = "surface-concrete"
  case surfacePaved = "surface-paved"
  case surfacePavingStones = "surface-paving-stones"
  case surfaceUnpaved = "surface-unpaved"
  case surfaceCompacted = "surface-compacted"
  case surfaceFineGravel = "surface-fine-gravel"
  case surfaceGravel = "surface-gravel"
  case surfaceGround = "surface-ground"
  case surfaceDirt = "surface-dirt"
  case surfaceGrass = "surface-grass"
  case surfaceSand = "surface-sand"
  case surfaceRock = "surface-rock"
  case surfaceWood = "surface-wood"
  // Values of `sac_scale`, the Swiss Alpine Club's scale of hikes, by their names.
  case sacHiking = "sac-hiking"
  case sacMountainHiking = "sac-mountain-hiking"
  case sacDemandingMountainHiking = "sac-demanding-mountain-hiking"
  case sacAlpineHiking = "sac-alpine-hiking"
  case sacDemandingAlpineHiking = "sac-demanding-alpine-hiking"
  case sacDifficultAlpineHiking = "sac-difficult-alpine-hiking"
  // Values of `bicycle`, `dog` and `wheelchair`, by their names.
  case accessYes = "access-yes"
  case accessNo = "access-no"
  case accessLimited = "access-limited"
  case accessLeashed = "access-leashed"

  // The map key.
  case keySpeed = "key-speed"
  case keyElevation = "key-elevation"
  // The ends of a recorded track.
  case keyStart = "key-start"
  case keyFinish = "key-finish"
  case keyPosition = "key-position"
  case keyLastPosition = "key-last-position"
  /// Markers that would cover each other and are drawn as their number.
  case keyCluster = "key-cluster"
  /// What is said if nothing on the screen needs a key.
  case keyEmpty = "key-empty"
  // What a vector map shows.
  case keyPath = "key-path"
  case keyTrack = "key-track"
  case keyFootway = "key-footway"
  case keyCycleway = "key-cycleway"
  case keyMotorway = "key-motorway"
  case keyMainRoad = "key-main-road"
  case keySecondaryRoad = "key-secondary-road"
  case keyStreet = "key-street"
  case keyRailway = "key-railway"
  case keyCableCar = "key-cable-car"
  case keyFerry = "key-ferry"
  case keyBorder = "key-border"
  case keyProtectedArea = "key-protected-area"
  case keyRiver = "key-river"
  case keyWater = "key-water"
  case keyGlacier = "key-glacier"
  case keyForest = "key-forest"
  case keyMeadow = "key-meadow"
  case keyFarmland = "key-farmland"
  case keyWetland = "key-wetland"
  case keyRock = "key-rock"
  case keySand = "key-sand"
  case keyBuiltUp = "key-built-up"
  case keyBuilding = "key-building"
  // What the icons of markers stand for.
  case iconHere = "icon-here"
  case iconPin = "icon-pin"
  case iconDot = "icon-dot"
  case iconStar = "icon-star"
  case iconFlag = "icon-flag"
  case iconInfo = "icon-info"
  case iconParking = "icon-parking"
  case iconCamp = "icon-camp"
  case iconWater = "icon-water"
  case iconSummit = "icon-summit"
  case iconViewpoint = "icon-viewpoint"
  case iconToilet = "icon-toilet"
  case iconFirstAid = "icon-first-aid"
  case iconShelter = "icon-shelter"
  case iconBus = "icon-bus"
  case iconHut = "icon-hut"
  case iconDanger = "icon-danger"
  case iconFood = "icon-food"
  case iconPicnic = "icon-picnic"
  case iconTrain = "icon-train"
  case iconPhoto = "icon-photo"
  case iconBike = "icon-bike"
  case iconBoat = "icon-boat"
  case iconTree = "icon-tree"

  /// Whether the files may have forms of it for numbers of things, such as `more-notices.one`.
  var isCounted: Bool { self == .moreNotices }
}
