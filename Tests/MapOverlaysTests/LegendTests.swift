import Drawing
import MapGeometry
import MapScene
import Testing
import Words

@testable import MapOverlays

/// How the slots of the buttons' legend are filled.
@Suite struct LegendTests {
  typealias Item = HudContent.LegendItem

  private static let german: [Item] = [
    .init(icon: .left, text: "Links"), .init(icon: .right, text: "Rechts"),
    .init(icon: .plus, text: "Größer"), .init(icon: .minus, text: "Kleiner"),
    .init(icon: .nextPlace, text: "Nächster Ort", below: "Halten: Legende"),
    .init(icon: .select, text: "Auswählen", below: "Halten: Sprache"),
    .init(icon: .back, text: "Zurück", below: "Halten: Wege"),
    .init(icon: .home, text: "Start", below: "Halten: Tag / Nacht"),
  ]
  private static let french: [Item] = [
    .init(icon: .left, text: "Gauche"), .init(icon: .right, text: "Droite"),
    .init(icon: .plus, text: "Agrandir"), .init(icon: .minus, text: "Réduire"),
    .init(icon: .nextPlace, text: "Lieu suivant", below: "Maintenir : Légende"),
    .init(icon: .select, text: "Choisir", below: "Maintenir : Langue"),
    .init(icon: .back, text: "Retour", below: "Maintenir : Sentiers"),
    .init(icon: .home, text: "Accueil", below: "Maintenir : Jour / nuit"),
    .init(icon: .layers, text: "Carte suivante"), .init(icon: .target, text: "Suivre"),
    .init(icon: .rotateLeft, text: "Pivoter à gauche", below: "Maintenir : Nord en haut"),
    .init(icon: .power, text: "Éteindre"), .init(icon: .rotateRight, text: "Tourner : zoom"),
    .init(icon: .language, text: "Langue", below: "Gauche + Droite"),
    .init(icon: .key, text: "Légende", below: "F1"),
  ]
  private static let russian: [Item] = french.map {
    .init(
      icon: $0.icon, text: $0.text.count > 10 ? "Следующее место" : "Назад",
      below: $0.below.isEmpty ? "" : "Удерживать: Обозначения")
  }

  @Test func noCharacterOrSignIsAloneOnALine() throws {
    for lines in [["白天 / 夜", "间"], ["दिन", "/"], ["長押し：凡", "例"]] {
      #expect(LegendFitting.isTorn(lines), "\(lines)")
    }
    // A name may end in a letter or a digit, and a word may be one character.
    for lines in [["Trail", "A"], ["Tour", "2"], ["言語"], ["北"], []] {
      #expect(!LegendFitting.isTorn(lines), "\(lines)")
    }
    let items = (0..<6).map { _ in Item(icon: .language, text: "言語", below: "長押し：凡例") }
    let fitting = fitting(items, 480, 320)
    let fit = fitting.best()
    let text = try #require(fitting.painter.text)
    let slot = (480 - 2 * fit.inset) / fit.perRow
    let room = slot - 2 * Int(fit.form.pad) - fitting.iconWidth(items[0], fit.form)
    for (words, size, most) in [
      (items[0].text, fit.form.size, fit.form.wordLines),
      (items[0].below, fit.form.holdSize, fit.form.holdLines),
    ] {
      let lines = text.wrap(words, size: Int(size), width: room, maxLines: most)
      #expect(!LegendFitting.isTorn(lines), "\(lines)")
    }
  }

  private func fitting(_ items: [Item], _ width: Int, _ height: Int) -> LegendFitting {
    LegendFitting(painter: painter(), items: items, viewWidth: width, viewHeight: height)
  }

  @Test(arguments: [french, russian], [(800, 480), (480, 800), (1024, 600)])
  func noWordIsCutWhereSmallerWordsOrAnotherRowHaveRoom(_ items: [Item], _ size: (Int, Int)) throws
  {
    let fitting = fitting(items, size.0, size.1)
    let fit = fitting.best()
    #expect(fit.height * 10 <= size.1 * 3)
    let text = try #require(fitting.painter.text)
    let slot = (size.0 - 2 * fit.inset) / fit.perRow
    for item in items {
      let room = slot - 2 * Int(fit.form.pad) - fitting.iconWidth(item, fit.form)
      for (words, size, most) in [
        (item.text, fit.form.size, fit.form.wordLines),
        (item.below, fit.form.holdSize, fit.form.holdLines),
      ] {
        let lines = text.wrap(words, size: Int(size), width: room, maxLines: most)
        #expect(lines.joined(separator: " ") == words)
      }
    }
  }

  @Test(arguments: LegendForm.forms + LegendForm.tiny + LegendForm.wrapped)
  func whatHoldingDoesIsSmallerThanWhatPressingDoes(_ form: LegendForm) {
    #expect(form.holdSize < form.size)
  }

  @Test(arguments: ["de", "en", "es", "fr", "it", "nl", "pl", "pt", "ro", "ru", "uk"])
  func nothingIsSmallerThanFinePrintWhereMoreRowsHaveRoom(_ language: String) {
    let words = Words(language: language)
    func hold(_ word: Word) -> String { words(.holdFor, words(word)) }
    let items: [Item] = [
      .init(icon: .nextPlace, text: words(.selectNext), below: hold(.mapKey)),
      .init(icon: .select, text: words(.select), below: hold(.languageNext)),
      .init(icon: .back, text: words(.back), below: hold(.home)),
      .init(icon: .plus, text: words(.zoomIn)),
      .init(icon: .minus, text: words(.zoomOut), below: hold(.northUp)),
      .init(icon: .layers, text: words(.nextMap), below: hold(.dayOrNight)),
      .init(icon: .target, text: words(.follow)), .init(icon: .power, text: words(.sleep)),
    ]
    for (width, height) in [(480, 800), (800, 480)] {
      let fit = fitting(items, width, height).best()
      #expect(fit.form.holdSize >= HudStyle.fine && fit.form.icons != .none)
      #expect(fit.height * 10 <= height * 3)
    }
  }

  @Test func picturesHaveTheirFullSizeUnlessTheScreenIsLow() {
    for form in LegendForm.forms where form.isClear && form.icons == .beside {
      #expect(form.icon == 24)
    }
    #expect(fitting(LegendTests.german, 480, 800).best().form.icon == 24)
  }

  @Test func picturesAreAboveTheWordsWhereTheyHaveNoRoomBeside() throws {
    let fit = fitting(LegendTests.german, 480, 800).best()
    #expect(fit.form.icons == .above && fit.form.isLarge)
    #expect(fit.rows.count == 2)
    // There they are in the middle of their slots, and the words are below them.
    let art = LegendArt(painter: painter(), viewWidth: 480, viewHeight: 800)
    let with = try #require(art.picture(LegendTests.german)).image
    var other = LegendTests.german
    other[0].icon = .up
    let without = try #require(art.picture(other)).image
    let changed = (0..<with.width * with.height).filter { with.pixels[$0] != without.pixels[$0] }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { abs($0 % 480 - 62) <= 14 && $0 / 480 <= 32 })
    // A wide screen has room beside the words.
    #expect(fitting(LegendTests.german, 800, 480).best().form.icons == .beside)
  }

  @Test(arguments: [german, french, russian], [(800, 480), (480, 800), (480, 320), (320, 240)])
  func nothingIsWithin8PointsOfTheEdges(_ items: [Item], _ size: (Int, Int)) throws {
    let art = LegendArt(painter: painter(), viewWidth: size.0, viewHeight: size.1)
    let image = try #require(art.picture(items)).image
    let field = image.pixels[0]
    for y in 0..<image.height {
      for x in 0..<image.width where image.pixels[y * image.width + x] != field {
        #expect(x >= 7 && x < image.width - 7, "\(x), \(y)")
        #expect(y >= 7 && y < image.height - 7, "\(x), \(y)")
      }
    }
  }

  @Test func theWordsOfARowShareABaseline() throws {
    let art = LegendArt(painter: painter(), viewWidth: 600, viewHeight: 480)
    let items: [Item] = [
      .init(icon: nil, text: "nnn"), .init(icon: nil, text: "nnn", below: "hold: n"),
    ]
    let image = try #require(art.picture(items)).image
    let rows = [0..<290, 310..<600].map { columns in
      (0..<image.height).filter { y in
        columns.contains { image.pixels[y * 600 + $0] != image.pixels[0] }
      }
    }
    let first = try #require(rows[0].first)
    #expect(first == rows[1].first)
    #expect(rows[1].starts(with: rows[0]))
    #expect(rows[1].count > rows[0].count)
  }

  @Test func everyPlaceOfTheLegendIsThatOfTheSlotThatIsDrawnThere() throws {
    let items = Array(LegendTests.french.prefix(7))
    let painter = painter()
    let hud = Hud(painter)
    var content = HudContent()
    content.legend = items
    hud.show(content, width: 480, height: 800)
    let fit = try #require(hud.legendPlan?.fit)
    // The last row has a place without a slot.
    #expect(fit.rows.count > 1 && fit.perRow * fit.rows.count > items.count)
    var top = 800 - fit.height
    #expect(hud.touched(x: 240, y: top - 1) == nil)
    for (n, row) in fit.rows.enumerated() {
      for k in 0..<fit.perRow {
        let columns = fit.columns(k, width: 480)
        let slot = n * fit.perRow + k
        let wanted = Hud.Touched.legend(slot < items.count ? slot : nil)
        for x in [columns.lowerBound, columns.upperBound - 1] {
          for y in [top, top + row.height - 1] { #expect(hud.touched(x: x, y: y) == wanted) }
        }
      }
      // The edges of the screen belong to the slots beside them.
      #expect(hud.touched(x: 0, y: top) == .legend(n * fit.perRow))
      top += row.height
    }
    #expect(hud.touched(x: 479, y: 799) == .legend(nil))
  }

  @Test func eachPartOfTheHudKnowsThatItIsTouched() throws {
    let hud = Hud(painter())
    var content = HudContent()
    content.attribution = "© somebody"
    content.bearing = 20
    content.notices = [.init(text: "Closed", severity: .danger)]
    content.toast = "Night"
    hud.show(content, width: 800, height: 480)
    func touched(_ rect: PixelRect?) throws -> Hud.Touched? {
      let rect = try #require(rect)
      return hud.touched(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
    }
    #expect(try touched(hud.noticeRect) == .notices)
    #expect(try touched(hud.toastRect) == .other)
    #expect(hud.touched(x: 760, y: 40) == .north)
    #expect(hud.touched(x: 795, y: 475) == .other)
    #expect(hud.touched(x: 400, y: 240) == nil)
  }
}
