// Copyright Waypost contributors. Licence: Apache-2.0.
//
// waypost-bench: how fast it is, as ratios to something that ran in turn with it.

import Glibc

let options = BenchOptions.parse(Array(CommandLine.arguments.dropFirst()))
if let mode = options.childMode { ChildModes.run(mode, options) }

let data = BenchData(folder: options.data)
if data.folder == nil {
  Report.note("the data set is not at hand (--data DIR): the bundled maps serve where they can")
}
var report = Report(asJSON: options.asJSON)
if !options.asJSON { Report.say(Report.head()) }
for group in BenchOptions.groups where options.wants(group) {
  switch group {
  case "frames": FrameRows(data, rounds: options.rounds).run(&report)
  case "overlays": OverlayRows(data, rounds: options.rounds).run(&report)
  case "decode": DecodeRows(data, rounds: options.rounds).run(&report)
  case "lookup": LookupRows(data, rounds: options.rounds).run(&report)
  case "daemon": DaemonRows(data, options).run(&report)
  case "switch": SwitchRows(data, rounds: options.rounds).run(&report)
  case "input": InputRows(data, rounds: options.rounds).run(&report)
  case "smooth": SmoothRows(data, options).run(&report)
  case "growth": GrowthRows(data, options).run(&report)
  case "packs": PackRows(data, options).run(&report)
  case "vector":
    VectorRows(data, rounds: options.rounds).run(&report)
    VectorViewRows(data, options)?.run(&report)
  default: break
  }
}
if options.asJSON { Report.say(report.json(machine: BenchOptions.machine)) }
if options.asMarkdown { Report.say(report.markdown(machine: BenchOptions.machine)) }
data.tidy()
exit(0)
