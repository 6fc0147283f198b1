import Configuration
import EventLoop
import Words

/// The languages that people can choose, and Waypost's words in the one that they chose. A part of
/// `OverMap`.
///
/// The files that correct words are read beside the loop. Until they are there, the bundled words
/// are shown.
final class LanguageChoice {
  private let outbox: Outbox
  private let worker: Worker
  private var isReading = false
  private let onWords: () -> Void
  /// The tags in their order; empty: none are configured, and the words are English.
  private(set) var tags: [String]
  private var index = 0
  private var folder: String?
  private var corrections: [String: WordFile] = [:]
  /// The problems of these files that the log was told of.
  private var told: Set<String> = []
  /// The words of the present language.
  private(set) var words: Words

  /// `onWords` is called when `words` became others.
  init(
    _ settings: Configuration.Hud, loop: EventLoop, outbox: Outbox, onWords: @escaping () -> Void
  ) {
    self.outbox = outbox
    self.onWords = onWords
    worker = Worker("words", loop: loop, capacity: 1)
    (tags, folder) = (settings.languages, settings.words)
    spoken = settings.languages.first ?? "en"
    words = Words(language: spoken)
    read()
  }

  /// The languages whose letters no font has: what would be in them is in English.
  private var undrawn: Set<String> = []
  /// The tag that `words` were made for.
  private var spoken: String

  /// The present language.
  var tag: String { tags.isEmpty ? "en" : tags[index] }

  /// The language of texts: the present one if its letters can be drawn.
  var ofTexts: String { undrawn.contains(tag) ? "en" : tag }

  /// The language of names on maps; nil: as written at the place.
  var ofNames: String? { tags.isEmpty ? nil : ofTexts }

  /// Goes on to the next language. False if there is no other.
  func next() -> Bool {
    guard tags.count > 1 else { return false }
    choose((index + 1) % tags.count)
    return true
  }

  /// Goes back to the first language. False if it is the present one.
  func first() -> Bool {
    if index == 0 { return false }
    choose(0)
    return true
  }

  /// Chooses the language `tag`. False if it is none of those configured, or the present one.
  func choose(_ tag: String) -> Bool {
    guard let i = tags.firstIndex(of: tag), i != index else { return false }
    choose(i)
    return true
  }

  private func choose(_ i: Int) {
    index = i
    renew()
  }

  /// Takes a new configuration. The present language stays if it is still among them.
  func configure(_ new: Configuration.Hud) {
    let present = tag
    tags = new.languages
    index = tags.firstIndex(of: present) ?? 0
    folder = new.words
    renew()
    read()
  }

  /// Takes the languages, of `tags`, whose letters no font has.
  func setUndrawn(_ tags: Set<String>) {
    if tags == undrawn { return }
    undrawn = tags
    renew()
  }

  private func renew() {
    let new = Words(language: ofTexts, corrections: corrections)
    if new == words, tag == spoken { return }
    (words, spoken) = (new, tag)
    onWords()
  }

  /// Reads the folder again.
  private func read() {
    guard let folder else {
      if !corrections.isEmpty { take(nil, for: nil, tags) }
      return outbox.note("hud.words", .warning, nil)
    }
    if isReading { return }
    let tags = tags
    isReading = worker.post(
      { WordFolder(folder, languages: tags) },
      then: { [weak self] in
        self?.isReading = false
        self?.take($0, for: folder, tags)
      })
  }

  private func take(_ read: WordFolder?, for folder: String?, _ asked: [String]) {
    // Others were asked for meanwhile.
    if folder != self.folder || asked != tags { return self.read() }
    corrections = read?.files ?? [:]
    let problems = read?.problems ?? []
    let others = Set(problems.dropFirst(3).map(\.description))
    for text in others.subtracting(told).sorted() { outbox.log(.warning, "hud.words: \(text)") }
    told = others
    let more = problems.count > 3 ? " and \(problems.count - 3) more" : ""
    outbox.note(
      "hud.words", .warning,
      problems.isEmpty
        ? nil : problems.prefix(3).map(\.description).joined(separator: "; ") + more)
    renew()
  }
}
