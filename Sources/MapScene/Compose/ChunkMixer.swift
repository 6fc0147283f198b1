import MapGeometry
import Pixels

/// Mixes all layers and sprites of a part of the view, chunk by chunk, in memory that stays in the
/// processor's cache.
///
/// Valid for one frame.
struct ChunkMixer {
  let sampler: Sampler
  let panel: PanelWriter
  /// All sprites.
  let over: SpriteLists
  /// Whether layers lie between sprites: `labels` below them, `top` above.
  let hasLayersBetween: Bool
  let labels: SpriteLists
  let top: SpriteLists
  let palette: Compositor.Palette
  let work: Workspace

  /// The same with other sprites, and memory in place of the panel.
  func with(_ over: SpriteLists, on target: ScanoutBuffer, _ t: ViewTransform) -> ChunkMixer {
    ChunkMixer(
      sampler: sampler, panel: PanelWriter(t, target, .none, work), over: over,
      hasLayersBetween: hasLayersBetween, labels: labels, top: top, palette: palette, work: work)
  }

  /// Mixes `rect` chunk by chunk and writes it. Where nothing lies over a resampled base, it is
  /// sampled straight into the display's memory.
  func mix(
    _ plan: borrowing FramePlan, _ rect: PixelRect
  ) {
    let isOpaque =
      !plan.layers.isEmpty && plan.layers[0].isBase && plan.layers[0].opacity == 1
    var y = rect.y
    while y < rect.maxY {
      let height = min(Workspace.chunkHeight, rect.maxY - y)
      var x = rect.x
      while x < rect.maxX {
        // Chunks start at fixed columns, so that rounding does not depend on the part drawn.
        let width = min(
          Workspace.chunkWidth - x % Workspace.chunkWidth, rect.maxX - x)
        let chunk = PixelRect(x: x, y: y, width: width, height: height)
        if panel.rotation == .none, isOpaque, !over.meets(chunk), sampler.isClear(plan, chunk),
          let shift = sampler.sampled(plan, 0, chunk),
          let out = panel.output(chunk)
        {
          sampler.sample(plan, 0, chunk, shift, out)
        } else {
          mixLayers(plan, chunk)
          panel.store(chunk)
        }
        x += width
      }
      y += height
    }
  }

  /// Mixes all layers of `chunk` into the band.
  private func mixLayers(_ plan: borrowing FramePlan, _ chunk: PixelRect) {
    var covered = false
    var hasLabels = false
    for n in plan.layers.indices {
      let layer = plan.layers[n]
      if hasLayersBetween, layer.isAboveLabels, covered, !hasLabels {
        labels.blend(into: work.band, chunk)
        hasLabels = true
      }
      if !covered, layer.isBase, layer.opacity == 1 {
        sampler.sample(
          plan, n, chunk, sampler.sampled(plan, n, chunk),
          PanelWriter.Output(words: work.band, stride: chunk.width))
        covered = true
        continue
      }
      if !covered {
        fill(work.band, palette.waiting, chunk.width * chunk.height)
        covered = true
      }
      let opacity = Int((min(max(layer.opacity, 0), 1) * 256).rounded())
      if opacity == 0 || (!layer.isBase && sampler.isClear(plan, n, chunk)) { continue }
      let t = plan.transform
      if t.isExact, !layer.isBase,
        let tile = sampler.gatherer.tile(
          plan, layer: n, x: Int(t.originX) + chunk.x, y: Int(t.originY) + chunk.y,
          width: chunk.width, height: chunk.height)
      {
        for j in 0..<chunk.height {
          blendOver(
            tile.pixels + j * tile.stride, into: work.band + j * chunk.width, chunk.width,
            opacity: opacity)
        }
        continue
      }
      sampler.sample(
        plan, n, chunk, sampler.sampled(plan, n, chunk),
        PanelWriter.Output(words: work.layerBand, stride: chunk.width))
      blendOver(work.layerBand, into: work.band, chunk.width * chunk.height, opacity: opacity)
    }
    if !covered {
      fill(work.band, palette.waiting, chunk.width * chunk.height)
    }
    if hasLabels {
      top.blend(into: work.band, chunk)
    } else {
      over.blend(into: work.band, chunk)
    }
  }

  /// Whether sprites lie between the layers that `cell` shows at `part`, so that they must be mixed
  /// in order.
  func hasSpritesBetween(
    _ plan: borrowing FramePlan, _ column: Int, _ row: Int, _ part: PixelRect
  ) -> Bool {
    guard hasLayersBetween else { return false }
    for n in plan.layers.indices where plan.layers[n].isAboveLabels {
      if plan.cells[plan.index(layer: n, column: column, row: row)].pieceCount > 0 {
        return labels.meets(part)
      }
    }
    return false
  }
}
