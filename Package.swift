// swift-tools-version: 6.0
// Copyright Waypost contributors. Licence: Apache-2.0.
import PackageDescription

/// What every Swift module of the house is built with.
let swift: [SwiftSetting] = [.swiftLanguageMode(.v6)]

/// For tests that look at few pixels. Built as a release they check optimised modules, and need not
/// be optimised themselves, which takes Swift 6.0 minutes for each of the larger ones.
let plainTests = swift + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
/// The modules that these test.
let plain: Set = [
  "Platform", "TileFormats", "Fetching", "TileSources", "EventLoop", "Inputs", "Control",
  "Configuration", "Kiosk", "Daemon", "TileStore", "TileServing", "LineNames",
]

/// A C library of the system, found by pkg-config.
func system(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swift)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: dependencies + [.byName(name: name), "TestSupport"],
    swiftSettings: plain.contains(name) ? plainTests : swift)
}

let package = Package(
  name: "waypost",
  products: [
    .library(name: "TileSources", targets: ["MapGeometry", "TileFormats", "TileSources"]),
    .library(name: "Kiosk", targets: ["Kiosk"]),
    .executable(name: "waypostd", targets: ["waypostd"]),
    .executable(name: "waypost", targets: ["waypost"]),
    .executable(name: "waypost-fetch", targets: ["waypost-fetch"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    // The system's C libraries.
    system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    system("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev"),
    system("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),
    system("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev"),
    system("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    system("CFreeType", pkgConfig: "freetype2", apt: "libfreetype-dev"),
    system("CJansson", pkgConfig: "jansson", apt: "libjansson-dev"),
    system("CExpat", pkgConfig: "expat", apt: "libexpat1-dev"),
    system("CDRM", pkgConfig: "libdrm", apt: "libdrm-dev"),
    system("CLibGPIOD", pkgConfig: "libgpiod", apt: "libgpiod-dev"),
    system("CEvdev", pkgConfig: "libevdev", apt: "libevdev-dev"),
    // The thinnest shims: macros, variadics, setjmp, C++ behind C.
    .target(name: "CLinux"),
    .target(name: "CImages", dependencies: ["CPNG", "CJPEG", "CWebP"]),
    .target(name: "CPixels"),
    .target(name: "CGPIOD", dependencies: ["CLibGPIOD"]),
    .target(name: "CTOML"),
    .target(name: "CShaping"),
    .target(name: "CCurl"),
    .target(name: "CBundled", exclude: ["data"], cSettings: [.headerSearchPath("data")]),

    module("Platform", ["CLinux"]),
    module("TileFormats", []),
    module("RangeWire", []),
    module("Fetching", ["Platform", "CCurl"]),
    module("MapGeometry", []),
    module("Pixels", ["MapGeometry", "CPixels"]),
    module(
      "Images",
      ["TileFormats", "Pixels", "CPixels", "CImages", "CDeflate", "CWebP"]),
    module("Drawing", ["Platform", "Pixels", "CPixels", "CFreeType", "CShaping"]),
    module(
      "TileSources",
      [
        "Platform", "TileFormats", "MapGeometry", "CLinux", "CSQLite", "CZlib", "CDeflate",
        "CBrotli", "CZstd", "CJansson",
      ]),
    module(
      "TileLoading",
      [
        "Platform", "MapGeometry", "Pixels", "Images", "Drawing", "TileSources",
        "CLinux",
      ]),
    module("Features", ["Platform", "MapGeometry", "CExpat"]),
    module(
      "MapScene",
      ["Platform", "MapGeometry", "Pixels", "TileSources", "TileLoading"]),
    module(
      "MapOverlays",
      [
        "Platform", "MapGeometry", "Pixels", "Drawing", "TileSources", "TileLoading", "Features",
        "MapScene", "Words",
      ]),
    module("Words", ["Platform", "CBundled"]),
    module("VectorTiles", ["Platform"]),
    module("MapStyle", ["Platform", "CJansson"]),
    module(
      "MapLabels",
      [
        "Platform", "MapGeometry", "Pixels", "Images", "Drawing", "TileLoading", "MapStyle",
        "MapScene", "CJansson",
      ]),
    module("LineNames", ["Platform", "MapGeometry", "MapOverlays", "MapStyle", "MapLabels"]),
    module(
      "VectorPainting",
      [
        "Platform", "TileFormats", "MapGeometry", "Pixels", "Images", "Drawing", "TileSources",
        "TileLoading", "VectorTiles", "MapStyle", "MapLabels",
      ]),
    module(
      "VectorMaps",
      [
        "Platform", "MapGeometry", "Pixels", "Drawing", "TileSources", "TileLoading", "MapStyle",
        "MapScene", "MapLabels", "TileFormats", "VectorPainting", "CBundled",
      ]),
    module(
      "Packs",
      [
        "Platform", "TileFormats", "MapGeometry", "Pixels", "Images", "Drawing", "TileSources",
        "Features", "RangeWire", "CSQLite", "CDeflate", "CJansson", "CBundled", "CLinux",
      ]),
    module("EventLoop", ["Platform", "CLinux"]),
    module("TileStore", ["Platform", "TileFormats", "MapGeometry", "CSQLite"]),
    module(
      "TileServing",
      [
        "Platform", "TileFormats", "MapGeometry", "TileSources", "TileStore", "EventLoop", "CLinux",
      ]),
    module("Displays", ["Platform", "MapGeometry", "Pixels", "EventLoop", "CDRM", "CLinux"]),
    module("Control", ["Platform", "EventLoop", "CLinux", "CJansson"]),
    module(
      "Configuration", ["Platform", "MapGeometry", "Pixels", "Drawing", "TileSources", "CTOML"]),
    module(
      "Inputs",
      [
        "Platform", "MapGeometry", "Pixels", "EventLoop", "Configuration", "CLinux", "CGPIOD",
        "CEvdev", "CJansson",
      ]),
    module(
      "Kiosk",
      [
        "Platform", "MapGeometry", "Pixels", "Images", "Drawing", "TileSources", "TileLoading",
        "Features", "MapScene", "MapOverlays", "MapLabels", "LineNames", "EventLoop", "Displays",
        "Inputs", "Control", "Configuration", "VectorMaps", "Words", "CBundled", "CLinux",
      ]),
    module(
      "Daemon",
      [
        "TileLoading", "Drawing", "Platform", "MapGeometry", "Pixels", "Images", "TileSources",
        "MapScene", "MapOverlays",
        "EventLoop", "Displays", "Inputs", "Control", "Configuration", "Kiosk", "VectorMaps",
        "Words", "CLinux",
      ]),
    .executableTarget(name: "waypostd", dependencies: ["Daemon"], swiftSettings: swift),
    .executableTarget(
      name: "waypost",
      dependencies: [
        "Platform", "MapGeometry", "Pixels", "Images", "Drawing", "TileSources",
        "TileLoading", "Features", "MapScene", "MapOverlays", "MapLabels", "LineNames",
        "VectorMaps",
        "Packs", "Control",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: swift),
    // The only program with network code.
    .executableTarget(
      name: "waypost-fetch",
      dependencies: [
        "Platform", "TileFormats", "RangeWire", "Fetching", "EventLoop", "Configuration",
        "TileServing",
      ], swiftSettings: swift),

    // `make bench`; not installed.
    .target(name: "CBench", dependencies: ["CPNG", "CJPEG", "CWebP", "CSQLite", "CZlib"]),
    .executableTarget(
      name: "waypost-bench",
      dependencies: [
        "CBench", "CLinux", "CSQLite", "Platform", "MapGeometry", "Pixels", "Images",
        "TileSources", "TileLoading", "MapScene", "MapOverlays", "EventLoop", "Displays",
        "Inputs", "Control", "Configuration", "Kiosk", "Drawing", "MapStyle", "MapLabels",
        "VectorPainting", "VectorMaps",
      ], swiftSettings: swift),
    .executableTarget(name: "waypost-bench-empty", swiftSettings: swift),

    .target(
      name: "TestSupport", dependencies: ["MapGeometry", "CSQLite"], path: "Tests/TestSupport",
      swiftSettings: swift),
    // What valgrind runs (ProgramTests/ScanoutReadTests).
    .target(name: "CMemoryCheck", path: "Tests/CMemoryCheck"),
    .executableTarget(
      name: "scanout-check",
      dependencies: [
        "CMemoryCheck", "MapGeometry", "Pixels", "TileSources", "EventLoop", "Displays",
        "Configuration", "Kiosk",
      ], path: "Tests/scanout-check", swiftSettings: swift),

    // What a steady frame does beside drawing (ProgramTests/SteadyFrameTests).
    .target(name: "CHotPathCount", path: "Tests/CHotPathCount"),
    .executableTarget(
      name: "frame-check",
      dependencies: [
        "CHotPathCount", "MapGeometry", "Pixels", "TileSources", "TileLoading",
        "MapScene", "EventLoop", "Displays", "Kiosk",
      ], path: "Tests/frame-check", swiftSettings: swift),

    // What board/instructions counts the instructions of.
    .executableTarget(
      name: "paint-check",
      dependencies: [
        "CBundled", "Drawing", "MapGeometry", "MapStyle", "TileSources", "TileLoading",
        "VectorMaps", "VectorPainting",
      ], path: "Tests/paint-check", swiftSettings: swift),

    // An example of a custom source (ProgramTests/ExampleTests).
    .executableTarget(
      name: "own-source", dependencies: ["MapGeometry", "TileSources"],
      path: "Examples/OwnSource", swiftSettings: swift),

    tests("Platform", ["CLinux"]),
    tests("TileFormats", []),
    tests("Fetching", []),
    tests("MapGeometry", []),
    tests("Pixels", ["MapGeometry"]),
    tests("Images", ["Pixels", "CBundled"]),
    tests("Drawing", ["Platform", "Pixels", "CBundled"]),
    tests("TileSources", ["Platform", "TileFormats", "MapGeometry", "CBrotli", "CSQLite"]),
    tests(
      "TileLoading",
      ["MapGeometry", "Pixels", "Images", "Drawing", "TileSources"]),
    tests("Features", ["MapGeometry", "Platform"]),
    tests(
      "MapScene",
      [
        "Platform", "MapGeometry", "Pixels", "TileSources",
        "TileLoading", "MapOverlays",
      ]),
    tests(
      "MapOverlays",
      [
        "CBundled", "Platform", "MapGeometry", "Pixels", "Drawing", "Images", "TileLoading",
        "Features", "MapScene", "Words",
      ]),
    tests("Words", []),
    tests("VectorTiles", ["Platform"]),
    tests("MapStyle", ["CBundled"]),
    tests(
      "MapLabels",
      [
        "Platform", "CBundled", "MapGeometry", "Pixels", "Images", "Drawing", "TileLoading",
        "MapStyle", "MapScene",
      ]),
    tests("LineNames", ["Platform", "MapGeometry", "MapLabels", "MapOverlays", "Features"]),
    tests(
      "VectorPainting",
      [
        "Platform", "MapGeometry", "Pixels", "Images", "Drawing", "TileLoading", "TileSources",
        "VectorTiles",
        "MapStyle", "MapLabels",
      ]),
    tests(
      "VectorMaps",
      [
        "MapGeometry", "Images", "Drawing", "TileSources", "TileLoading", "MapScene", "MapStyle",
        "MapLabels", "VectorPainting",
      ]),
    tests(
      "Packs",
      [
        "Platform", "TileFormats", "MapGeometry", "TileSources", "Features", "RangeWire", "CSQLite",
      ]),
    tests("TileStore", ["MapGeometry", "TileSources", "CSQLite"]),
    tests(
      "TileServing",
      ["Platform", "TileFormats", "MapGeometry", "TileSources", "TileStore", "EventLoop"]),
    tests("EventLoop", ["Platform", "CLinux"]),
    tests("Displays", ["Platform", "EventLoop", "MapGeometry", "Pixels", "CLinux", "CDRM"]),
    tests("Inputs", ["MapGeometry", "Platform", "EventLoop", "Configuration", "Pixels", "CEvdev"]),
    tests("Control", ["Platform", "EventLoop", "CLinux"]),
    tests("Configuration", ["Platform", "MapGeometry", "Pixels", "TileSources"]),
    tests(
      "Kiosk",
      [
        "Platform", "MapGeometry", "Pixels", "Images", "Drawing", "TileSources",
        "TileLoading", "MapScene", "MapOverlays", "MapStyle", "MapLabels", "EventLoop", "Displays",
        "Inputs", "Control", "Configuration", "Features", "Words",
      ]),
    tests(
      "Daemon",
      [
        "Platform", "MapGeometry", "TileSources", "Displays", "EventLoop", "Control",
        "Configuration", "Kiosk",
      ]),
    // The entry points of the fuzzers (`make fuzz`), and what they found, as tests.
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "TestSupport", "Platform", "TileFormats", "MapGeometry", "CLinux", "Images", "TileSources",
        "Features", "RangeWire", "Fetching", "Packs", "TileServing", "Control", "Configuration",
        "Inputs", "Kiosk", "VectorTiles", "MapStyle", "MapLabels", "Words", "CSQLite", "CDeflate",
        "CZlib", "EventLoop", "Displays", "Daemon", "Drawing", "TileLoading", "VectorMaps",
        "VectorPainting",
      ],
      path: "Tests/fuzz",
      exclude: ["Main", "made", "run", "drive", "ledger.py", "reached", "leaks", "package"],
      sources: ["Targets", "Tests"],
      swiftSettings: plainTests),
    .testTarget(
      name: "ProgramTests",
      dependencies: [
        "CSQLite", "MapGeometry", "TestSupport", "Platform", "TileSources", "Control", "EventLoop",
        "Images",
      ],
      swiftSettings: plainTests),
  ],
  cxxLanguageStandard: .cxx17
)
