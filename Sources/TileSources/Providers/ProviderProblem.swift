/// What a provider says is wrong although it answers. Whoever follows it is told at most once a
/// second, with what is true then, however often the provider changes its mind.
struct ProviderProblem {
  /// The least time between two calls, in milliseconds.
  static let pause: UInt64 = 1000

  /// Nil: nothing is wrong.
  private var text: String?
  private var told: String?
  /// When the next call may be made.
  private var nextAt: UInt64 = 0
  private var action: (@Sendable (String?) -> Void)?

  /// When `tell` has something to do, in milliseconds; nil: nothing is to be told.
  var due: UInt64? { text == told ? nil : nextAt }

  /// The provider says that this is wrong; empty: nothing is.
  mutating func change(to new: String, at now: UInt64) {
    text = new.isEmpty ? nil : new
    tell(at: now)
  }

  /// Tells what is new, if that is due at `now`.
  mutating func tell(at now: UInt64) {
    if let due, due <= now { tell(from: now + ProviderProblem.pause) }
  }

  /// The connection has ended, and with it what was said over it.
  mutating func end() {
    text = nil
    if told != nil { tell(from: nextAt) }
  }

  /// Calls `action` with what is wrong from now on, and now if something is.
  mutating func follow(_ action: @escaping @Sendable (String?) -> Void) {
    self.action = action
    told = text
    if let text { action(text) }
  }

  private mutating func tell(from next: UInt64) {
    (told, nextAt) = (text, next)
    action?(text)
  }
}
