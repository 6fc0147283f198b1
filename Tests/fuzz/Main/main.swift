import Glibc

// The program that Tests/fuzz/run builds and starts: libFuzzer with one of the targets.
//
//   fuzz --list              name, longest input, MiB, seconds and code of each target
//   FUZZ_TARGET=png fuzz …   libFuzzer's own options, folders and files

/// libFuzzer's own main function.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

private enum Chosen {
  static let target: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
      fatalError("no target \"\(name)\"; see fuzz --list")
    }
    return target
  }()
}

if CommandLine.arguments.dropFirst().first == "--list" {
  for target in FuzzTarget.all {
    print(target.name, target.longest, target.mebibytes, target.seconds, terminator: " ")
    print(target.code.joined(separator: " "))
  }
  exit(0)
}
_ = Chosen.target
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  runFuzzer(&count, &arguments) { start, count in
    do {
      try Chosen.target.run(UnsafeRawBufferPointer(start: start, count: count))
    } catch {
      fatalError("\(error)")
    }
    return 0
  })
