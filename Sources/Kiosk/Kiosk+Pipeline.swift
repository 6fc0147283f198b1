import Configuration
import Displays
import EventLoop
import MapGeometry

/// What lies between the sources and the present display.
extension Kiosk {
  /// Has what frames of a pan keep freed once they no longer use it.
  func tidyFrames() {
    tidy.alsoFree(
      bytes: { [weak self] in self?.pipeline.compositor.backdropBytes ?? 0 },
      freeUnused: { [weak self] in self?.pipeline.compositor.ageBackdrop() })
  }

  static func pipeline(
    _ configuration: Configuration, _ display: any Display, _ view: Viewport, _ waker: Waker
  ) -> Pipeline {
    Pipeline(
      display: display, scale: configuration.display.scale, cacheLimit: configuration.cache.memory,
      view: view, decodeThreads: Pipeline.decodeThreads, wake: { waker.wake() })
  }

  /// Creates a new pipeline for the screen's display, and loads everything again.
  func rebuildPipeline() {
    frames.displayChanges(from: pipeline)
    let display = power.screen.display
    let size = display.viewSize
    endFading()
    view.resize(width: size.width, height: size.height, scale: configuration.display.scale)
    pipeline = Kiosk.pipeline(configuration, display, view.current, waker)
    pipeline.isDark = power.isAsleep
    pipeline.cache.squeeze(to: relief.limit)
    relief.cacheReplaced()
    painted.reset()
    display.onReady = { [weak self] in self?.frameReady() }
    book.attach(pipeline)
    provideQuietCells()
    pipeline.compositor.palette = palette
    takeLayers()
    overMap.replacePosition()
    changed()
  }
}
