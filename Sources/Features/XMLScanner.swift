import CExpat
import Platform

/// Handles the elements of an XML file. Names come without their namespace prefix.
protocol XMLHandler: AnyObject {
  func start(_ name: String, _ attributes: XMLAttributes, line: Int)
  /// - Parameters:
  ///   - name: The element's name.
  ///   - text: The element's own text, at most `XMLScanner.maxText` bytes of it; empty where
  ///     `wantsCharacters` took it.
  ///   - line: The line of its end tag, from 1.
  func end(_ name: String, text: String, line: Int)
  /// Whether the text of the element just begun is passed on piece by piece, however long it is.
  var wantsCharacters: Bool { get }
  func characters(_ bytes: UnsafeBufferPointer<UInt8>)
  /// Why reading stops; nil while it goes on.
  var refusal: String? { get }
}

/// An element's attributes, valid during `start`.
struct XMLAttributes {
  let list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?

  /// The value of an attribute, named without its namespace prefix; nil if it is missing.
  subscript(name: String) -> String? {
    guard var entry = list else { return nil }
    while let key = entry[0], let value = entry[1] {
      if XMLScanner.localName(key) == name { return String(cString: value) }
      entry += 2
    }
    return nil
  }
}

/// Reads XML with expat and passes its elements to a handler.
///
/// A DOCTYPE is refused (its entities can expand without end), and so is deep nesting; nothing
/// outside the file is ever read.
final class XMLScanner {
  /// Bytes kept of an element's text.
  static let maxText = 4096
  /// Bytes of a tag with its attributes, a comment or a processing instruction.
  static let maxToken = 1 << 20
  /// Bytes fed at once, unless more of a token is pending.
  private static let piece = 1 << 16

  private let parser: XML_Parser
  private let file: String
  /// Picks the handler by the root element; nil refuses it.
  private let pick: (String) -> (any XMLHandler)?
  private var handler: (any XMLHandler)?
  private var refusal: FeatureError?
  /// The texts of the open elements.
  private var texts: [[UInt8]] = []
  private var streams = false

  /// Reads a whole file.
  static func read(
    _ bytes: FileBytes, from start: Int, file: String,
    pick: @escaping (String) -> (any XMLHandler)?
  ) throws(FeatureError) {
    guard let parser = XMLMemory.makeParser() else {
      throw FeatureError(file: file, reason: "there is no memory to read it with")
    }
    defer { XML_ParserFree(parser) }
    let scanner = XMLScanner(parser, file: file, pick: pick)
    try scanner.run(bytes, from: start)
  }

  private init(
    _ parser: XML_Parser, file: String, pick: @escaping (String) -> (any XMLHandler)?
  ) {
    self.parser = parser
    self.file = file
    self.pick = pick
    // The parser is used only while `read` holds this object.
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { user, name, attributes in
        guard let user, let name else { return }
        Unmanaged<XMLScanner>.fromOpaque(user).takeUnretainedValue().start(name, attributes)
      },
      { user, name in
        guard let user, let name else { return }
        Unmanaged<XMLScanner>.fromOpaque(user).takeUnretainedValue().end(name)
      })
    XML_SetCharacterDataHandler(parser) { user, text, count in
      guard let user, let text, count > 0 else { return }
      let scanner = Unmanaged<XMLScanner>.fromOpaque(user).takeUnretainedValue()
      text.withMemoryRebound(to: UInt8.self, capacity: Int(count)) {
        scanner.characters(UnsafeBufferPointer(start: $0, count: Int(count)))
      }
    }
    XML_SetStartDoctypeDeclHandler(parser) { user, _, _, _, _ in
      guard let user else { return }
      Unmanaged<XMLScanner>.fromOpaque(user).takeUnretainedValue()
        .refuse("it has a DOCTYPE; GPX and KML need none: take that line out")
    }
    XML_SetEntityDeclHandler(parser) { user, _, _, _, _, _, _, _, _ in
      guard let user else { return }
      Unmanaged<XMLScanner>.fromOpaque(user).takeUnretainedValue()
        .refuse("it declares an entity; GPX and KML need none")
    }
  }

  private var line: Int { Int(waypost_xml_line(parser)) }

  /// Feeds the file piece by piece.
  ///
  /// expat scans a token (a tag, a comment) from its beginning whenever more of it arrives. A piece
  /// is as long as what is pending of one, so that all scans of it together pass it twice at most;
  /// and since that doubles what is there, expat 2.6 and later never defers a scan.
  private func run(_ bytes: FileBytes, from start: Int) throws(FeatureError) {
    var offset = start
    var isFine = true
    var size = XMLScanner.piece
    repeat {
      let count = min(bytes.count - offset, size)
      let isLast = offset + count == bytes.count
      let piece = bytes[offset..<offset + count]
      let status = piece.withMemoryRebound(to: CChar.self) {
        XML_Parse(parser, $0.baseAddress, Int32(truncatingIfNeeded: count), isLast ? 1 : 0)
      }
      isFine = status == XML_STATUS_OK
      offset += count
      // expat keeps what it still needs.
      if bytes.isReleaseDue(at: offset) { bytes.release(upTo: offset) }
      // Where the token begins that was scanned last.
      let token = Int(waypost_xml_byte(parser))
      let pending = token < 0 ? 0 : offset - start - token
      if isFine, !isLast, pending > XMLScanner.maxToken {
        refuse(
          "a tag, a comment or a processing instruction has more than \(XMLScanner.maxToken) "
            + "bytes; shorten it or take it out")
        break
      }
      size = max(XMLScanner.piece, pending)
    } while isFine && offset < bytes.count
    if let refusal { throw refusal }
    if !isFine {
      let code = XML_GetErrorCode(parser)
      if code == XML_ERROR_NO_MEMORY {
        throw FeatureError(
          file: file, line: line,
          reason: "reading it takes more than \(XMLMemory.limit >> 20) MiB: its elements and "
            + "attributes have too many different names; GPX and KML have about a hundred")
      }
      let reason = XML_ErrorString(code).map { String(cString: $0) }
      throw FeatureError(
        file: file, line: line, reason: "not well-formed XML: \(reason ?? "an error")")
    }
  }

  private func refuse(_ reason: String) {
    if refusal == nil { refusal = FeatureError(file: file, line: line, reason: reason) }
    XML_StopParser(parser, 0)
  }

  // MARK: what expat calls

  private func start(
    _ name: UnsafePointer<XML_Char>, _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) {
    if refusal != nil { return }
    let name = XMLScanner.localName(name)
    if texts.isEmpty {
      handler = pick(name)
      if handler == nil {
        return refuse(
          "its root element is <\(FeatureText.quoted(name))>; <gpx> or <kml> would be right")
      }
    }
    if texts.count >= FeatureLimits.depth { return refuse("its elements are nested too deeply") }
    texts.append([])
    guard let handler else { return }
    handler.start(name, XMLAttributes(list: list), line: line)
    streams = handler.wantsCharacters
    if let reason = handler.refusal { refuse(reason) }
  }

  private func end(_ name: UnsafePointer<XML_Char>) {
    if refusal != nil { return }
    streams = false
    let text = texts.popLast() ?? []
    handler?.end(
      XMLScanner.localName(name), text: String(decoding: text, as: UTF8.self), line: line)
    if let reason = handler?.refusal { refuse(reason) }
  }

  private func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
    if refusal != nil { return }
    if streams {
      handler?.characters(bytes)
    } else if let last = texts.indices.last, texts[last].count < XMLScanner.maxText {
      texts[last].append(contentsOf: bytes.prefix(XMLScanner.maxText - texts[last].count))
    }
  }

  /// A name without its namespace's prefix.
  static func localName(_ name: UnsafePointer<XML_Char>) -> String {
    var start = name
    var at = name
    while at.pointee != 0 {
      if at.pointee == 58 { start = at + 1 }
      at += 1
    }
    return String(cString: start)
  }
}
