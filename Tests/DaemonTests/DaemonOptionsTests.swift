import Testing

@testable import Daemon

@Test func everyOptionIsRead() {
  var expected = DaemonOptions()
  expected.configFiles = ["a.toml", "b.toml"]
  expected.checkConfig = true
  expected.keepGoing = true
  expected.display = .headless
  expected.socket = "/s"
  expected.logLevel = .debug
  #expect(
    DaemonOptions.parse([
      "--config", "a.toml", "--config=b.toml", "--check-config", "--keep-going",
      "--display=headless", "--socket", "/s", "--log-level", "debug",
    ]) == .run(expected))
  var demo = DaemonOptions()
  demo.demo = true
  #expect(DaemonOptions.parse(["--demo"]) == .run(demo))
  #expect(DaemonOptions.parse([]) == .run(DaemonOptions()))
  #expect(DaemonOptions.parse(["--"]) == .run(DaemonOptions()))
  #expect(DaemonOptions.parse(["--demo", "--help"]) == .help)
  #expect(DaemonOptions.parse(["-h"]) == .help)
  #expect(DaemonOptions.parse(["--vers"]) == .version)
}

@Test(
  arguments: [
    (["--confg", "x"], "unknown option \"--confg\": the nearest option is --config; see --help"),
    (["--de"], nil), (["--d"], "unknown option \"--d\": one of --demo, --display; see --help"),
    (["--config"], "--config needs a FILE"), (["--config="], "--config needs a FILE"),
    (["--display", "x11"], "--display \"x11\": one of auto, drm, fbdev, headless"),
    (["--display"], "--display needs one of auto, drm, fbdev, headless"),
    (["--log-level=loud"], "--log-level \"loud\": one of debug, info, notice, warning, error"),
    (["--demo=yes"], "--demo takes no value"),
    (
      ["--demo", "--config", "a.toml"],
      "--demo shows the bundled maps and takes no --config; leave one of them out"
    ),
    (["map.toml"], "\"map.toml\": options only, such as --config FILE; see --help"),
    (["--", "x"], "\"x\": options only, such as --config FILE; see --help"),
    (["-x"], "\"-x\": options only, such as --config FILE; see --help"),
  ] as [([String], String?)])
func aWrongCommandLineSaysWhatWouldBeRight(_ arguments: [String], _ said: String?) {
  let result = DaemonOptions.parse(arguments)
  if let said {
    #expect(result == .usage("waypostd: " + said))
  } else if case .run = result {
  } else {
    Issue.record("\(arguments) is good, not \(result)")
  }
}

@Test func theHelpNamesEveryOption() {
  for option in [
    "--config", "--check-config", "--demo", "--keep-going", "--display", "--socket", "--log-level",
    "--version", "--help",
  ] {
    #expect(DaemonOptions.help.contains("\n  \(option)"), "\(option)")
  }
}

@Test(arguments: [
  ("waypostd", "waypost"), ("/usr/bin/waypostd", "/usr/bin/waypost"),
  (".build/release/waypostd", ".build/release/waypost"), ("", "waypost"),
])
func theDemoNamesTheCommandBesideIt(_ called: String, _ named: String) {
  #expect(Daemon.companion(of: called) == named)
}
