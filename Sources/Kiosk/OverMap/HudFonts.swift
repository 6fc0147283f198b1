import Configuration
import Drawing
import EventLoop

/// The files of `hud.font`, and fonts of the system for scripts that these and the bundled fonts
/// lack, read on another thread and kept in memory. Until they arrive, text is drawn with the
/// former fonts, and at first with the bundled one.
final class HudFonts {
  /// Reads files.
  typealias Read = @Sendable (_ paths: [String]) -> [FontFile]

  /// What was read.
  private struct Fonts: Sendable {
    var files: [FontFile]
    var others: [FontFile]
    var undrawn: [String]
  }

  private let onRead: () -> Void
  private var read: Read = { FontFile.all($0) }
  private let worker: Worker
  /// Whether files are being read.
  private(set) var isReading = false
  /// The paths that are asked for now.
  private var wanted: [String] = []
  /// The languages whose letters the configuration needs, where no font is configured.
  private var configured: [String] = []
  /// The languages with letters in names on the map that no font had.
  private var met: [String] = []
  /// The most of them.
  static let mostMet = 8
  /// Those of them for which no font was found.
  private(set) var undrawn: [String] = []
  /// What was read last, in the order of their paths.
  private(set) var files: [FontFile] = []

  /// `onRead` is called when `files` became others.
  init(loop: EventLoop, onRead: @escaping () -> Void) {
    worker = Worker("fonts", loop: loop, capacity: 1)
    self.onRead = onRead
  }

  /// Bytes of all files.
  var bytes: Int { files.reduce(0) { $0 + $1.byteCount } }

  /// For tests: how files are read.
  func setRead(_ read: @escaping Read) { self.read = read }

  /// Has the files of `hud.font` read unless they are what was asked for last. Where it names none,
  /// those that the languages of the words and of the maps' names need.
  func want(_ settings: Configuration) {
    let fonts = settings.hud.fonts
    var needed: [String] = []
    if fonts.isEmpty {
      let named = [settings.display.language] + settings.sources.map(\.language)
      for language in settings.hud.languages + named.compactMap({ $0 })
      where !needed.contains(language) && !ScriptFonts.places(for: language).isEmpty {
        needed.append(language)
      }
    }
    guard fonts != wanted || needed != configured else { return }
    (wanted, configured) = (fonts, needed)
    if wanted.isEmpty, languages.isEmpty {
      take([])
    } else if !isReading {
      begin()
    }
  }

  /// Has fonts read for the letters of languages that names on the map need, beside the configured
  /// ones. They are looked for once.
  func needLetters(of lacking: Set<String>) {
    if met.count == Self.mostMet || lacking.isSubset(of: met) { return }
    let new = lacking.subtracting(met).sorted().prefix(Self.mostMet - met.count)
    met += new
    if !isReading { begin() }
  }

  private var languages: [String] { configured + met.filter { !configured.contains($0) } }

  private func begin() {
    let (paths, read, languages, met) = (wanted, read, languages, met)
    isReading = worker.post(
      {
        let files = read(paths)
        let others = ScriptFonts.read(for: languages)
        let undrawn = met.filter { language in
          !(files + others).contains { ScriptFonts.hasLetters(of: language, $0) }
        }
        return Fonts(files: files, others: others, undrawn: undrawn)
      },
      then: { [weak self] in self?.finish($0, languages) })
  }

  private func finish(_ read: Fonts, _ asked: [String]) {
    isReading = false
    let paths = Array(wanted.prefix(TextRenderer.maxFonts - 2))
    if read.files.map(\.path) == paths, asked == languages {
      undrawn = read.undrawn
      take(read.files + read.others)
    } else if !wanted.isEmpty || !languages.isEmpty {
      // Others were asked for meanwhile.
      begin()
    }
  }

  private func take(_ read: [FontFile]) {
    files = read
    onRead()
  }
}
