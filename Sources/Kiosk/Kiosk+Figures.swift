/// What a benchmark reads of a kiosk that runs in its own process.
package struct KioskFigures: Sendable {
  /// Frames that were presented, and those that took longer than a beat of the display.
  package var presented: Int
  package var late: Int
  /// Milliseconds; nil while there is nothing to take them from.
  package var frameP50, frameP99, frameP999: Double?
  package var decodeP50: Double?
  package var decodes: Int
  package var evictions: Int
}

extension Kiosk {
  package var figures: KioskFigures {
    KioskFigures(
      presented: presentedFrames, late: lateFrames,
      frameP50: frameTimes.milliseconds(at: 0.5), frameP99: frameTimes.milliseconds(at: 0.99),
      frameP999: frameTimes.milliseconds(at: 0.999), decodeP50: decodeTimes.milliseconds(at: 0.5),
      decodes: pipeline.loader.stats.decodes, evictions: pipeline.cache.stats.evictions)
  }
}
