import Words

/// The pages of the present notices. They are made again only when something that they depend on
/// changed, and those for the rooms that a layout tries are kept.
struct NoticePages {
  private struct Key: Equatable {
    var space: NoticeSpace
    var unit: Double
    var notices: [NoticeLine]
    var words: Words
  }

  private struct Entry {
    var key: Key
    var pages: [NoticeBanner]
  }

  /// At most so many rooms are kept, and fewer if their pages have more notices than `mostRows`.
  private static let capacity = 64
  private static let mostRows = 512

  private var known: [Entry] = []

  /// The page that `content` asks for in a space, at the painter's size; nil: there are no notices.
  mutating func banner(
    _ content: HudContent, _ painter: SpritePainter, in space: NoticeSpace
  ) -> NoticeBanner? {
    let key = Key(
      space: space, unit: painter.unit, notices: content.notices, words: content.words)
    let pages: [NoticeBanner]
    if let same = known.first(where: { $0.key == key }) {
      pages = same.pages
    } else {
      pages = NoticeBanner.pages(content.notices, painter, content.words, in: space)
      known.append(Entry(key: key, pages: pages))
      dropOldest()
    }
    return pages.isEmpty ? nil : pages[max(0, content.noticePage) % pages.count]
  }

  private mutating func dropOldest() {
    var rows = known.reduce(0) { $0 + NoticePages.rows($1) }
    while known.count > 1, known.count > NoticePages.capacity || rows > NoticePages.mostRows {
      rows -= NoticePages.rows(known.removeFirst())
    }
  }

  private static func rows(_ entry: Entry) -> Int {
    entry.pages.reduce(0) { $0 + $1.rows.count }
  }
}
