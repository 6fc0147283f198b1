import Words

/// The pages of the present notices. They are made again only when something that they depend on
/// changed.
///
/// In each frame of a movement a layout tries dozens of rooms, and breaking the texts into lines is
/// slow. So the sizes in all of these rooms are kept, and the texts for the few used last.
struct NoticePages {
  private struct Room: Hashable {
    var space: NoticeSpace
    var unit: Double
  }

  /// More rooms than this are all forgotten.
  private static let mostOutlines = 512
  /// In how many rooms the texts are kept.
  private static let mostTexts = 8

  private var notices: [NoticeLine] = []
  private var words = Words.english
  private var outlines: [Room: NoticeBanner] = [:]
  private var texts: [(room: Room, pages: [NoticeBanner])] = []
  /// How often texts were broken into lines.
  private(set) var made = 0

  /// What all pages in a space have in common at the painter's size: a banner without texts; nil:
  /// there are no notices.
  mutating func outline(
    _ content: HudContent, _ painter: SpritePainter, in space: NoticeSpace
  ) -> NoticeBanner? {
    take(content)
    let room = Room(space: space, unit: painter.unit)
    if let known = outlines[room] { return known }
    guard var outline = pages(painter, room).first else { return nil }
    (outline.rows, outline.rest) = ([], "")
    if outlines.count >= NoticePages.mostOutlines { outlines.removeAll(keepingCapacity: true) }
    outlines[room] = outline
    return outline
  }

  /// The page that `content` asks for in a space, at the painter's size; nil: there are no notices.
  mutating func banner(
    _ content: HudContent, _ painter: SpritePainter, in space: NoticeSpace
  ) -> NoticeBanner? {
    take(content)
    let pages = pages(painter, Room(space: space, unit: painter.unit))
    return pages.isEmpty ? nil : pages[NoticePages.page(content.noticePage, of: pages)]
  }

  /// Which page is shown in a turn. They follow each other, but a danger is not hidden while
  /// several pages of others are shown: it comes back after each of these.
  private static func page(_ turn: Int, of pages: [NoticeBanner]) -> Int {
    let turn = max(0, turn)
    let dangers = pages.prefix { $0.rows.contains { $0.severity == .danger } }.count
    let others = pages.count - dangers
    guard dangers > 0, others > 1 else { return turn % pages.count }
    let (round, n) = turn.quotientAndRemainder(dividingBy: dangers + 1)
    return n < dangers ? n : dangers + round % others
  }

  /// Forgets what was made for other notices.
  private mutating func take(_ content: HudContent) {
    if content.notices == notices, content.words == words { return }
    self = NoticePages()
    (notices, words) = (content.notices, content.words)
  }

  private mutating func pages(_ painter: SpritePainter, _ room: Room) -> [NoticeBanner] {
    if let same = texts.first(where: { $0.room == room }) { return same.pages }
    let pages = NoticeBanner.pages(notices, painter, words, in: room.space)
    made += 1
    if texts.count >= NoticePages.mostTexts { texts.removeFirst() }
    texts.append((room, pages))
    return pages
  }
}
