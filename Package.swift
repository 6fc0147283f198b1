// swift-tools-version: 6.0
// Copyright Waypost contributors. Licence: Apache-2.0.
import PackageDescription

/// What every Swift module of the house is built with.
let swift: [SwiftSetting] = [.swiftLanguageMode(.v6)]

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
    swiftSettings: swift)
}

let package = Package(
  name: "waypost",
  products: [
    .library(name: "TileSources", targets: ["MapGeometry", "TileSources"]),
    .library(name: "Kiosk", targets: ["Kiosk"]),
    .executable(name: "waypostd", targets: ["waypostd"]),
    .executable(name: "waypost", targets: ["waypost"]),
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
    .target(name: "CBundled", exclude: ["data"], cSettings: [.headerSearchPath("data")]),

    module("MapGeometry", []),
    module(
      "Pixels",
      [
        "MapGeometry", "CPixels", "CImages", "CDeflate", "CPNG", "CJPEG", "CWebP", "CFreeType",
        "CShaping",
      ]),
    module("TileSources", ["MapGeometry", "CSQLite", "CZlib", "CBrotli", "CZstd", "CJansson"]),
    module("TileCache", ["MapGeometry", "Pixels", "TileSources", "CLinux"]),
    module("Features", ["MapGeometry", "CExpat"]),
    module("MapScene", ["MapGeometry", "Pixels", "TileSources", "TileCache", "Features"]),
    module("EventLoop", ["CLinux"]),
    module("Displays", ["MapGeometry", "Pixels", "EventLoop", "CDRM", "CLinux"]),
    module("Control", ["EventLoop", "CLinux", "CJansson"]),
    module("Configuration", ["MapGeometry", "Pixels", "TileSources", "CTOML"]),
    module(
      "Inputs",
      [
        "MapGeometry", "Pixels", "EventLoop", "Configuration", "CLinux", "CGPIOD", "CEvdev",
        "CJansson",
      ]),
    module(
      "Kiosk",
      [
        "MapGeometry", "Pixels", "TileSources", "TileCache", "Features", "MapScene", "EventLoop",
        "Displays", "Inputs", "Control", "Configuration", "CBundled", "CLinux",
      ]),
    .executableTarget(name: "waypostd", dependencies: ["Kiosk"], swiftSettings: swift),
    .executableTarget(
      name: "waypost",
      dependencies: [
        "MapGeometry", "Pixels", "TileSources", "TileCache", "Features", "MapScene", "Control",
        "CBundled",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: swift),

    // `make bench`; not installed.
    .target(name: "CBench", dependencies: ["CPNG", "CJPEG", "CWebP", "CSQLite", "CZlib"]),
    .executableTarget(
      name: "waypost-bench",
      dependencies: [
        "CBench", "CLinux", "CSQLite", "MapGeometry", "Pixels", "TileSources", "TileCache",
        "MapScene",
        "EventLoop", "Displays", "Inputs", "Control", "Configuration", "Kiosk",
      ], swiftSettings: swift),
    .executableTarget(name: "waypost-bench-empty", swiftSettings: swift),

    .target(
      name: "TestSupport", dependencies: ["MapGeometry", "CSQLite"], path: "Tests/TestSupport",
      swiftSettings: swift),
    // What valgrind runs (KioskTests/ScanoutReadTests).
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
        "CHotPathCount", "MapGeometry", "Pixels", "TileSources", "TileCache", "MapScene",
        "EventLoop", "Displays", "Kiosk",
      ], path: "Tests/frame-check", swiftSettings: swift),

    tests("MapGeometry", []),
    tests("Pixels", ["CPNG", "CBundled"]),
    tests("TileSources", ["MapGeometry", "CSQLite"]),
    tests("TileCache", ["MapGeometry", "Pixels", "TileSources"]),
    tests("Features", ["MapGeometry"]),
    tests(
      "MapScene", ["CBundled", "MapGeometry", "Pixels", "TileSources", "TileCache", "Features"]),
    tests("EventLoop", ["CLinux"]),
    tests("Displays", ["EventLoop", "MapGeometry", "Pixels", "CLinux", "CDRM"]),
    tests("Inputs", ["EventLoop", "Configuration", "Pixels", "CLinux", "CEvdev"]),
    tests("Control", ["EventLoop", "CLinux"]),
    tests("Configuration", ["MapGeometry", "TileSources"]),
    tests(
      "Kiosk",
      [
        "MapGeometry", "Pixels", "TileSources", "TileCache", "MapScene", "EventLoop", "Displays",
        "Control", "Configuration",
      ]),
    .testTarget(
      name: "ProgramTests", dependencies: ["TestSupport", "Control", "EventLoop"],
      swiftSettings: swift),
  ],
  cxxLanguageStandard: .cxx17
)
