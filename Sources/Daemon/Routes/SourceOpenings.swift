import Control
import Kiosk

/// The calls that wait until a source is open.
struct SourceOpenings {
  /// `source.add`: if the new source cannot be opened, the one that it replaced comes back, even if
  /// the call has already been answered as taking too long.
  struct Adding {
    let reply: ControlReply<SourceAdd>
    let former: SourceEntry?
  }

  /// `source.use`: if the source cannot be opened, the one shown before comes back.
  struct Using {
    let reply: ControlReply<SourceUse>
    let former: String?
  }

  /// By the source's name.
  var adding: [String: Adding] = [:]
  var using: [String: [Using]] = [:]

  /// Drops the calls that wait to use a source and were answered.
  mutating func dropAnswered() {
    using = using.mapValues { $0.filter { !$0.reply.isAnswered } }.filter { !$0.value.isEmpty }
  }
}
