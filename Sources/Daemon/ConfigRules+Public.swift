import Configuration
import Kiosk
import Platform
import Words

/// What people read: languages, notices, the tour.
extension ConfigRules {
  var publicNotes: [Note] { languages + notices + tour }

  /// What is found with a look at the folder `hud.words`.
  var words: [Note] {
    let hud = configuration.hud
    guard let path = hud.words else { return [] }
    return WordFolder(path, languages: hud.languages).problems.map {
      Note(severity: .warning, near: .key("hud.words"), text: "hud.words: \($0)")
    }
  }

  /// The languages without words. Those that a folder may bring are found with it.
  private var languages: [Note] {
    let hud = configuration.hud
    guard hud.words == nil else { return [] }
    return hud.languages.filter { !Words.languages.contains(Words.code(of: $0)) }.map { tag in
      Note(
        severity: .warning, near: .key("hud.languages"),
        text: "hud.languages: Waypost has no words in \"\(tag)\", and says its own in English; it "
          + "has " + Words.languages.joined(separator: ", ") + ", and what hud.words brings")
    }
  }

  /// The time, if the clock can be right.
  static var clock: Double? {
    let time = SystemClock.wall()
    return Kiosk.isPlausible(time: time) ? time : nil
  }

  private var notices: [Note] {
    let known = configuration.overlays.map(\.name)
    var notes: [Note] = []
    for (index, notice) in configuration.notices.enumerated() {
      if let until = notice.until, let now, until.time <= now {
        notes.append(
          Note(
            severity: .warning, near: .element("notice", index, key: "until"),
            text: "notice \"\(notice.id)\": until \"\(until.text)\" is over, so that it is not "
              + "shown; remove it, or give a later time", isToldLater: true))
      }
      if case .overlay(let name, _)? = notice.closes, !known.contains(name) {
        notes.append(
          Note(
            severity: .warning, near: .element("notice", index, key: "closes"),
            text: "notice \"\(notice.id)\" closes \"\(name)\", which is no configured overlay"
              + hint(name, known)))
      }
    }
    return notes
  }

  private var tour: [Note] {
    var notes: [Note] = []
    let overlays = configuration.overlays.map(\.name)
    let sources = configuration.sources.filter { $0.role == .base }.map(\.name)
    for (index, stop) in configuration.tour.enumerated() {
      if let name = stop.source, !sources.contains(name), configuration.media.watch.isEmpty {
        notes.append(
          Note(
            severity: .warning, near: .element("tour", index, key: "source"),
            text: "tour: no base source is called \"\(name)\"" + hint(name, sources)))
      }
      for name in stop.overlays ?? [] where !overlays.contains(name) {
        notes.append(
          Note(
            severity: .warning, near: .element("tour", index, key: "overlays", text: name),
            text: "tour: no overlay is called \"\(name)\"" + hint(name, overlays)))
      }
    }
    if configuration.view.tourAfter != nil, configuration.tour.isEmpty {
      notes.append(
        Note(
          severity: .warning, near: .key("view.tour_after"),
          text: "view.tour_after: there is no [[tour]], so that nothing happens"))
    }
    if configuration.view.tourAfter == nil, !configuration.tour.isEmpty {
      notes.append(
        Note(
          severity: .warning, near: .element("tour", 0),
          text: "tour: view.tour_after is not set, so that the tour never begins; give a time of "
            + "rest before it, such as \"5m\""))
    }
    return notes
  }

  private func hint(_ name: String, _ known: [String]) -> String {
    NearestName.find(name, among: known).map { "; perhaps \"\($0)\"" } ?? ""
  }
}
