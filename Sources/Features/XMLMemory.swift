import CExpat

#if canImport(Glibc)
  import Glibc
#endif

/// The memory of one XML parser, within a limit.
///
/// expat keeps every name of an element or attribute that it meets, so a file of many different
/// names takes many times its own size. Beyond the limit an allocation fails, and expat reports it.
/// A parser is created, used and freed on one thread, which keeps the count.
enum XMLMemory {
  /// The most bytes that a parser may take. Files of tracks take less than 100 KiB.
  static let limit = 16 << 20

  /// Creates a parser; nil if there is no memory for one.
  static func makeParser() -> XML_Parser? {
    used = 0
    var suite = XML_Memory_Handling_Suite(
      malloc_fcn: { XMLMemory.resize(nil, to: $0) },
      realloc_fcn: { XMLMemory.resize($0, to: $1) },
      free_fcn: { XMLMemory.release($0) })
    return XML_ParserCreate_MM(nil, &suite, nil)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key, nil)
    precondition(status == 0, "a key for data of a thread")
    return key
  }()

  /// The bytes taken on this thread; the thread-specific value is the number itself.
  private static var used: Int {
    get { Int(bitPattern: pthread_getspecific(key)) }
    set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }

  /// Bytes before each allocation that store its size; 16, for alignment.
  private static let header = 16

  private static func resize(_ memory: UnsafeMutableRawPointer?, to size: Int)
    -> UnsafeMutableRawPointer?
  {
    let before = memory.map { ($0 - header).load(as: Int.self) } ?? 0
    guard size <= limit, used - before + size <= limit,
      let new = realloc(memory.map { $0 - header }, header + size)
    else { return nil }
    new.storeBytes(of: size, as: Int.self)
    used += size - before
    return new + header
  }

  private static func release(_ memory: UnsafeMutableRawPointer?) {
    guard let start = memory.map({ $0 - header }) else { return }
    used -= start.load(as: Int.self)
    free(start)
  }
}
