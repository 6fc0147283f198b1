import EventLoop
import Platform
import Testing

@testable import Configuration
@testable import Inputs

private func gpio(_ change: (inout Configuration.Gpio) -> Void) -> Configuration.Gpio {
  var gpio = Configuration().gpio
  change(&gpio)
  return gpio
}

@Suite struct GPIOInputsTests {
  @Test func aLineOfAButtonAndOfChordsIsRequestedOnce() {
    let plan = GPIOPlan(
      gpio {
        $0.buttons = [
          .init(line: .offset(17), action: .panLeft, hold: .repeating, holdAfter: 0.25),
          .init(line: .named("GPIO27"), action: .home, hold: .nothing),
        ]
        $0.chords = [
          .init(lines: [.offset(17), .named("GPIO27")], action: .sourceNext),
          .init(lines: [.offset(17), .offset(22)], action: .follow),
        ]
        $0.encoders = [
          .init(lines: [.offset(5), .offset(6)], clockwise: .zoomIn, counterclockwise: .zoomOut)
        ]
      })
    #expect(
      plan.lines.map(\.line) == [
        .offset(5), .offset(6), .offset(17), .named("GPIO27"), .offset(22),
      ])
    #expect(plan.lines.map(\.isDebounced) == [false, false, true, true, true])
    #expect(plan.buttons.map(\.0) == [2, 3])
    #expect(plan.buttons.map(\.1.origin) == ["gpio 17", "gpio GPIO27"])
    #expect(plan.buttons[0].1.holdAfter == 250_000_000)
    #expect(plan.chords.map(\.members) == [[2, 3], [2, 4]])
    #expect(plan.chords.map(\.origin) == ["gpio 17+GPIO27", "gpio 17+22"])
    #expect(plan.encoders.map(\.origin) == ["gpio 5+6"])
    #expect(plan.encoders[0].first == 0 && plan.encoders[0].second == 1)
  }

  @Test func aChipThatIsNotThereIsToldOnceForAllLinesWithWhatWouldBeRight() throws {
    let loop = try EventLoop()
    var said: [String] = []
    let inputs = GPIOInputs(
      configuration: gpio {
        $0.chip = "/nonexistent/gpiochip0"
        $0.buttons = [
          .init(line: .offset(1), action: .home, hold: .nothing),
          .init(line: .named("A"), action: .home, hold: .nothing),
        ]
      }, loop: loop, onButton: { _ in Issue.record("a press without a line") },
      onHealth: { said.append("\($0): \($1 ?? "well")") })
    // Which chips there are instead, if any, is this machine's.
    #expect(said.count == 1)
    let text = said.first ?? ""
    #expect(text.hasPrefix("gpio: there is no GPIO chip \"/nonexistent/gpiochip0\"; "), "\(text)")
    #expect(text.hasSuffix(": a name, label, path or number, or \"auto\""), "\(text)")
    inputs.close()
  }

  @Test func withoutLinesThereIsNothingToDoAndNothingToSay() throws {
    let inputs = GPIOInputs(
      configuration: Configuration().gpio, loop: try EventLoop(), onButton: { _ in },
      onHealth: { Issue.record("\($0): \($1 ?? "well")") })
    inputs.close()
  }

  @Test func aTimeOfAnotherClockIsTakenAsNow() {
    let now: UInt64 = 500_000_000_000
    #expect(GPIOInputs.onLoopClock(now - 3, now) == now - 3)
    // CLOCK_REALTIME, as libgpiod 1 has it from old kernels.
    #expect(GPIOInputs.onLoopClock(1_700_000_000_000_000_000, now) == now)
    #expect(GPIOInputs.onLoopClock(0, now) == now)
  }

  @Test func whatIsWrongWithALineIsSaidWithWhatWouldBeRight() {
    #expect(
      "\(GPIOError.busy(offset: 17, chip: "gpiochip0 (pinctrl-bcm2711)", consumer: "led0"))"
        == "line 17 of gpiochip0 (pinctrl-bcm2711) is in use by \"led0\"; release it there (a device "
        + "tree overlay or another program); it is tried again")
    #expect(
      "\(GPIOError.closed(path: "/dev/gpiochip0", SystemError("open", code: 13)))"
        == "/dev/gpiochip0: Permission denied; add the user to the group that may use it (gpio, "
        + "where a udev rule gives it the device)")
    #expect(
      "\(GPIOError.interface(libgpiod: 1))"
        == "this kernel lacks the GPIO interface of libgpiod 1, with which this program was built; "
        + "build it with libgpiod 2, or use a kernel with CONFIG_GPIO_CDEV_V1")
    #expect(
      "\(GPIOError.noLine(name: "GPIO99", chips: ["gpiochip0"]))"
        == "no line is named \"GPIO99\" on gpiochip0; `gpioinfo` lists the names")
  }
}
