import EventLoop
import Glibc
import Platform
import TileSources

/// The provider of http(s) sources (docs/providers.md): a socket for each. Belongs to the loop's
/// thread.
package final class SourceService {
  private let loop: EventLoop
  private let folder: String
  private let fetcher: any ServerFetcher
  private let log: (LogLevel, String) -> Void
  private let problem: (_ what: String, _ detail: String?) -> Void
  private let directories = DirectoryCache(limit: 8 << 20)
  private let unsent = UnsentAnswers()
  private var sources: [String: ServedSource] = [:]
  private var queues: [String: HostQueue] = [:]
  /// The most queues kept; beyond that, those without questions are dropped.
  private static let mostQueues = 256
  /// The queue that all further servers share: a url with {x} in its host can name any number.
  private static let others = "other servers"
  /// Seconds for all stores that are closed at once.
  private static let closingSeconds: UInt64 = 10

  /// A service without sources.
  ///
  /// - Parameters:
  ///   - folder: Where its sockets are; it exists.
  ///   - loop: Runs on this thread.
  ///   - fetcher: Asks servers.
  ///   - log: Takes a line.
  ///   - problem: Takes what is wrong with a matter: "source osm", "server https://x". Nil: nothing
  ///     is any more.
  package init(
    folder: String, loop: EventLoop, fetcher: any ServerFetcher,
    log: @escaping (LogLevel, String) -> Void,
    problem: @escaping (_ what: String, _ detail: String?) -> Void = { _, _ in }
  ) {
    self.folder = folder
    self.loop = loop
    self.fetcher = fetcher
    self.log = log
    self.problem = problem
  }

  /// How many sources it serves.
  package var count: Int { sources.count }

  /// How many servers it knows; for tests.
  var queueCount: Int { queues.count }

  /// Serves those of `specs` that are http(s), and no others. One that has not changed keeps its
  /// connections. Servers that are left alone for a while are asked again at once.
  package func serve(_ specs: [SourceSpec]) {
    for queue in queues.values { queue.retry() }
    for source in sources.values { source.retry() }
    let wanted = Dictionary(
      specs.filter(\.isFetched).map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    end(
      sources.filter { name, source in
        wanted[name].map(SourceService.served) != SourceService.served(source.spec)
      }.map(\.value))
    for spec in wanted.values.sorted(by: { $0.name < $1.name }) where sources[spec.name] == nil {
      do {
        sources[spec.name] = try ServedSource(spec, context)
      } catch {
        log(.error, "source \(spec.name): it cannot be served: \(error)")
      }
    }
  }

  /// The parts of `spec` that matter here; waypostd handles the rest, such as the opacity.
  private static func served(_ spec: SourceSpec) -> SourceSpec {
    var served = SourceSpec(name: spec.name, location: spec.location)
    (served.scheme, served.subdomains, served.headers) =
      (spec.scheme, spec.subdomains, spec.headers)
    (served.minZoom, served.maxZoom, served.attribution) =
      (spec.minZoom, spec.maxZoom, spec.attribution)
    (served.store, served.storeLimit) = (spec.store, spec.storeLimit)
    return served
  }

  /// Ends everything: what waits to be stored is written, for a few seconds. What goes wrong with
  /// that is a problem; that the sources go is the end of none.
  package func end() { end(Array(sources.values), isLast: true) }

  /// All of them begin to close before any is waited for, so they share the time.
  private func end(_ ended: [ServedSource], isLast: Bool = false) {
    for source in ended {
      sources[source.spec.name] = nil
      source.close()
    }
    let deadline = EventLoop.now() + SourceService.closingSeconds * 1_000_000_000
    for source in ended {
      source.finish(by: deadline)
      if isLast { continue }
      problem("source \(source.spec.name)", nil)
      problem("socket of \(source.spec.name)", nil)
    }
  }

  private var context: ServiceContext {
    ServiceContext(
      loop: loop, folder: folder, queueOf: { [unowned self] in queue(for: $0) },
      directories: directories, unsent: unsent,
      clock: EventLoop.now,
      wallClock: {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
      }, log: log, problem: problem)
  }

  func queue(for address: String) -> HostQueue {
    var server = SourceService.server(of: address)
    if let queue = queues[server] { return queue }
    // First drop the idle queues that are not paused, then all idle ones.
    if queues.count >= SourceService.mostQueues { queues = queues.filter { !$0.value.isIdle } }
    if queues.count >= SourceService.mostQueues {
      for (server, queue) in queues where queue.isQuiet {
        queues[server] = nil
        problem("server \(server)", nil)
      }
    }
    if queues.count >= SourceService.mostQueues {
      server = SourceService.others
      if let queue = queues[server] { return queue }
    }
    let queue = HostQueue(
      server, fetcher: fetcher, clock: EventLoop.now,
      problem: { [problem, server] in problem("server \(server)", $0) })
    queues[server] = queue
    return queue
  }

  /// "https://tiles.example.org:8080" of an address; without a user's name and password.
  static func server(of address: String) -> String {
    // "https:", "", "host", …
    let parts = address.split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts[1].isEmpty else { return address }
    let authority = parts[2].prefix { $0 != "?" && $0 != "#" }
    let host = authority.split(separator: "@").last ?? ""
    return "\(parts[0].lowercased())//\(host.lowercased())"
  }
}
