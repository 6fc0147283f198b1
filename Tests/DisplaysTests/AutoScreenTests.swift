import Displays
import EventLoop
import Testing

@Suite struct AutoScreenTests {
  private let standIn = HeadlessDisplay(
    width: 4, height: 4, format: .xrgb8888, rotation: .none, loop: nil)
  private let real = HeadlessDisplay(
    width: 8, height: 8, format: .xrgb8888, rotation: .none, loop: nil)

  private func refusing(_ name: String) -> AutoScreen.Opener {
    AutoScreen.Opener(name: name, subsystem: name) { .failure(DisplayError("there is none")) }
  }

  @Test func theFirstThatCanBeOpenedIsTaken() throws {
    let screen = AutoScreen(
      [
        refusing("drm"),
        AutoScreen.Opener(name: "fbdev", subsystem: "graphics") { [real] in
          .success(FixedScreen(real, isConnected: true))
        },
      ], standIn: standIn, loop: try EventLoop())
    #expect(screen.display === real)
    #expect(screen.isOpen && screen.isConnected)
    #expect(screen.refusal == nil && screen.awaited == nil)
  }

  @Test func whatIsAwaitedIsNamedWhileThePictureIsInMemory() throws {
    let loop = try EventLoop()
    let both = AutoScreen([refusing("drm"), refusing("fbdev")], standIn: standIn, loop: loop)
    #expect(both.awaited == "drm, fbdev")
    // A card without a monitor.
    let card = AutoScreen(
      [
        AutoScreen.Opener(name: "drm", subsystem: "drm") { [real] in .success(FixedScreen(real)) },
        refusing("fbdev"),
      ], standIn: standIn, loop: loop)
    #expect(card.isOpen && card.awaited == "drm")
    #expect(FixedScreen(real).awaited == nil)
  }

  @Test func withoutAnyTheStandInServesAndTheReasonsAreTold() throws {
    let screen = AutoScreen(
      [refusing("drm"), refusing("fbdev")], standIn: standIn, loop: try EventLoop())
    var told: [String?] = []
    screen.onHealth = { told.append($1) }
    #expect(screen.display === standIn)
    #expect(!screen.isConnected)
    #expect(told == ["drm: there is none; fbdev: there is none"])
    #expect(screen.refusal == told[0])
  }

  @Test func itIsTriedAgainUntilOneOpens() throws {
    let loop = try EventLoop()
    var isThere = false
    let screen = AutoScreen(
      [
        AutoScreen.Opener(name: "drm", subsystem: "drm") { [real] in
          isThere ? .success(FixedScreen(real)) : .failure(DisplayError("not yet"))
        }
      ], standIn: standIn, loop: loop)
    var (changes, told) = (0, [String?]())
    screen.onHealth = { told.append($1) }
    screen.onDisplayChange = { changes += 1 }
    isThere = true
    while changes == 0 { loop.runOnce(timeout: 5_000_000_000) }
    #expect(screen.display === real)
    #expect(told == ["drm: not yet", nil])
    #expect(!loop.runOnce(timeout: 0))
  }

  @Test func powerIsKeptForTheScreenThatComes() throws {
    let loop = try EventLoop()
    var (isThere, power, changes) = (false, [Bool](), 0)
    let screen = AutoScreen(
      [
        AutoScreen.Opener(name: "drm", subsystem: "drm") { [real] in
          isThere
            ? .success(FixedScreen(real, power: { power.append($0) }))
            : .failure(DisplayError("not yet"))
        }
      ], standIn: standIn, loop: loop)
    screen.onDisplayChange = { changes += 1 }
    screen.setPower(false)
    isThere = true
    while changes == 0 { loop.runOnce(timeout: 5_000_000_000) }
    #expect(power == [false])
    screen.setPower(true)
    #expect(power == [false, true])
  }
}
