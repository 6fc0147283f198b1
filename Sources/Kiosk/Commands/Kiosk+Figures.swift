import Configuration
import EventLoop
import MapGeometry
import MapOverlays
import TileLoading
import TileSources
import VectorMaps

/// Figures that a benchmark reads from a kiosk in its own process.
package struct KioskFigures: Sendable {
  /// Frames since the start: presented, and of those that moved the view, late.
  package var presented: Int
  package var late: Int
  /// Milliseconds; nil: nothing was measured yet.
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

  /// Seconds since the kiosk was created.
  package var uptime: Double { Double(EventLoop.now() - started) / 1e9 }

  /// How many frames were presented since the start, on all displays.
  package var presentedFrames: Int { frames.presented(pipeline) }
  /// Frames of a movement that were late; see `FrameScheduler.lateFrames`.
  package var lateFrames: Int { frames.lateFrames }
  package var frameTimes: LatencyHistogram { frames.frameTimes }
  package var decodeTimes: LatencyHistogram { frames.decodeTimes }
  package var inputTimes: LatencyHistogram { frames.inputTimes }
  /// The view on the screen.
  package var currentView: MapGeometry.Viewport { view.current }

  /// How many GPIO lines the configuration names, and how many input devices are open.
  package var inputCounts: (gpioLines: Int, devices: Int) { inputs.counts }

  /// The labels of the base map on the screen.
  package var mapLabelCount: Int { baseLabels.count }
  /// How many labels of overlays are on the screen.
  package var overlayLabelCount: Int { overMap.sprites(on: .labels).count }

  /// The number of threads that read sources, of sources that wait for one, and the most threads
  /// allowed.
  package var readerThreads: (count: Int, waiting: Int, limit: Int) {
    pipeline.loader.readerThreads
  }

  /// Bytes by purpose, as `stats` shows them.
  package var memory: [(name: String, bytes: Int)] {
    [
      ("cache", pipeline.cache.stats.bytes),
      ("overlays", overMap.hudBytes + book.overlays.bytes + selection.bytes),
      ("markers", overMap.markerBytes), ("notices", noticeBoard.bytes),
      ("labels", baseLabels.bytes), ("fading", fade.bytes),
      ("glyphs", overMap.textBytes), ("fonts", overMap.fontBytes),
      ("display", pipeline.display.bytes), ("encoded", pipeline.loader.encodedBytes),
      ("packs", PackMemory.bytes), ("vector", VectorMemory.bytes),
      ("compositor", pipeline.compositor.bytes),
      ("track", view.position.track.bytes + overMap.trackBytes),
      ("position", overMap.positionBytes),
    ]
  }

  /// The most that is kept of what grows with maps, files and calls, as `stats` shows it. What ends
  /// in "_bytes" is in bytes.
  package var limits: [(name: String, most: Int)] {
    [
      ("cache_bytes", pipeline.cache.stats.limit), ("missing_tiles", MissingTiles.capacity),
      ("empty_tiles", MissingTiles.drawnCapacity),
      ("overlays", book.overlays.limit), ("overlay_bytes", book.overlays.budget.limit),
      ("markers", MarkerStore.capacity), ("marker_bytes", MarkerStore.maxBytes),
      ("notices", Configuration.Notice.most), ("notice_bytes", NoticeBoard.maxBytes),
      ("label_bytes", LabelPictures.limit), ("held_label_bytes", HeldLabels.limit),
      ("fading_bytes", TileFade.mostBytes), ("vector_tile_bytes", VectorMemory.keptLimit),
      ("track_points", Breadcrumbs.capacity),
    ]
  }
}
