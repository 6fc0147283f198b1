import Control
import Kiosk
import TileLoading

/// `cache.*` and `stats`.
extension ControlService {
  func addCacheRoutes() {
    routes.on(CacheStatsMethod.self) { [unowned self] _ in cacheStats }
    routes.on(CacheResize.self) { [unowned self] params in
      kiosk.resizeCache(to: params.bytes)
      return cacheStats
    }
    routes.on(CacheClear.self) { [unowned self] _ in
      kiosk.clearCache()
      return cacheStats
    }
    routes.on(Stats.self) { [unowned self] _ in stats }
  }

  var cacheStats: CacheStats {
    let c = kiosk.pipeline.cache.stats
    let l = kiosk.pipeline.loader.stats
    return CacheStats(
      bytes: c.bytes, limit: c.limit, floor: c.floor, tiles: c.tiles, hits: c.hits,
      misses: c.misses, evictions: c.evictions, decodes: l.decodes, decodeErrors: l.decodeErrors)
  }

  private var stats: StatsResult {
    var result = StatsResult()
    result.frames.presented = kiosk.presentedFrames
    result.frames.late = kiosk.lateFrames
    result.frames.p50 = kiosk.frameTimes.milliseconds(at: 0.5)
    result.frames.p99 = kiosk.frameTimes.milliseconds(at: 0.99)
    result.frames.p999 = kiosk.frameTimes.milliseconds(at: 0.999)
    result.frames.max = kiosk.frameTimes.maximum
    result.decode.count = kiosk.decodeTimes.count
    result.decode.p50 = kiosk.decodeTimes.milliseconds(at: 0.5)
    result.decode.p99 = kiosk.decodeTimes.milliseconds(at: 0.99)
    result.decode.max = kiosk.decodeTimes.maximum
    result.input.count = kiosk.inputTimes.count
    result.input.pressToFrameP50 = kiosk.inputTimes.milliseconds(at: 0.5)
    result.input.pressToFrameP99 = kiosk.inputTimes.milliseconds(at: 0.99)
    result.input.pressToFrameMax = kiosk.inputTimes.maximum
    let readers = kiosk.readerThreads
    result.readers.threads = readers.count
    result.readers.waiting = readers.waiting
    result.readers.limit = readers.limit
    result.memory = kiosk.memory.map { .init($0.name, $0.bytes) }
    result.memory += [
      .init("clients", server?.stats.queuedBytes ?? 0), .init("screenshot", screenshots.bytes),
    ]
    result.limits = kiosk.limits.map { .init($0.name, $0.most) }
    result.limits.append(.init("request_bytes", ControlServer.lineLimit))
    result.sources.count = kiosk.sources.count
    result.sources.added = kiosk.sourceCount(of: .socket)
    result.sources.addedLimit = Self.maxAdded
    result.sources.media = kiosk.sourceCount(of: .medium)
    result.sources.mediaLimit = Kiosk.mostMediaPacks
    if let clients = server?.stats {
      result.clients.count = clients.clients
      result.clients.limit = clients.maxClients
      result.clients.trustedLimit = clients.maxClients + ControlServer.reserve
      result.clients.unread = clients.queuedBytes
      result.clients.unreadLimit = ControlServer.queueLimit
    }
    let pressure = kiosk.memoryPressure
    result.pressure.means = pressure.means.rawValue
    result.pressure.count = pressure.count
    result.pressure.limit = pressure.limit
    result.wakeups = kiosk.loop.wakeups
    return result
  }
}
