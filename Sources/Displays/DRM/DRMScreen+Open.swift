import EventLoop
import Platform

extension DRMScreen {
  /// Opens the display, or waits for one.
  ///
  /// - Parameters:
  ///   - request: the card, the connector and the mode that are wanted.
  ///   - loop: the loop of this thread.
  ///   - console: tells when to release the card; nil: never.
  ///   - services: keeps the card's descriptor over a restart; nil: nobody does. A kept descriptor
  ///     is taken over, so open the screen before looking for sockets among the passed descriptors
  ///     (`ServiceManager.takeDescriptors`).
  ///   - atomic: false: use only the legacy calls.
  /// - Returns: the screen, lit or waiting.
  /// - Throws: `SystemError` if the kernel's device events are unavailable.
  public static func open(
    _ request: DisplayRequest, loop: EventLoop, console: Console?, services: ServiceManager?,
    atomic: Bool
  ) throws(SystemError) -> DRMScreen {
    try open(
      request, loop: loop, console: console, services: services, atomic: atomic, cards: .kernel)
  }

  /// Whether there is a card at present that could show something, with or without a monitor.
  public static func isPossible(_ request: DisplayRequest) -> Bool {
    let cards = DRMCards.kernel
    return cards.paths(request.device).contains { (try? cards.card(at: $0)) != nil }
  }
}
