import CBench
import Glibc
import VectorPainting

/// A Python program that measures a reference of vector maps. It answers each line with
/// nanoseconds.
final class ScriptReference {
  private let child: Child
  private let fd: Int32
  private let wire: RawClient

  /// Starts `script` with `arguments`, or returns nil if it does not start: Python or a package is
  /// not installed. `WAYPOST_PYTHON` names another Python than `python3`.
  init?(_ script: String, _ arguments: [String], _ data: BenchData) {
    let socket = data.scratch + "/script"
    let listener = bench_listen(socket)
    fd = bench_connect(socket)
    guard listener >= 0, fd >= 0 else { return nil }
    let python = getenv("WAYPOST_PYTHON").map { String(cString: $0) } ?? "python3"
    child = Child(
      "/usr/bin/env", [python, "-c", Scripts.head + script] + arguments, listener: listener)
    close(listener)
    wire = RawClient(fd)
    guard wire.line() == "ready" else {
      close(fd)
      child.wait()
      return nil
    }
  }

  /// What it answers to `question`, in nanoseconds.
  func ask(_ question: String) -> Double {
    wire.send(question + "\n")
    guard let answer = Double(wire.line()) else { stop("the reference gives no answer") }
    return answer
  }

  /// Ends it.
  func end() {
    close(fd)
    child.end()
  }
}

/// The references in Python.
enum Scripts {
  /// Takes the connection. A script says "ready" once its packages are there.
  static let head = """
    import os, socket, struct, sys, time
    wire = socket.socket(fileno=3).accept()[0].makefile('rw')
    def say(x): wire.write(f'{x}\\n'); wire.flush()

    """

  /// Draws shapes (`ShapeFile`) on the CPU, antialiased. They are recorded before, so that nothing
  /// of Python is in the time that it takes. FILE EDGE.
  static let skia = """
    import skia
    b = open(sys.argv[1], 'rb').read(); edge = int(sys.argv[2]); at = 0
    def take(f):
        global at
        v = struct.unpack_from('<' + f, b, at); at += struct.calcsize('<' + f); return v
    recorder = skia.PictureRecorder(); c = recorder.beginRecording(skia.Rect.MakeWH(edge, edge))
    caps = [skia.Paint.kButt_Cap, skia.Paint.kSquare_Cap, skia.Paint.kRound_Cap]
    joins = [skia.Paint.kMiter_Join, skia.Paint.kBevel_Join, skia.Paint.kRound_Join]
    while at < len(b):
        color, isStroke, width, cap, join, miter, dashes = take('IIfIIfI')
        paint = skia.Paint(AntiAlias=True, Color=color)
        lengths = take(f'{dashes}f')
        if isStroke:
            paint.setStyle(skia.Paint.kStroke_Style); paint.setStrokeWidth(width)
            paint.setStrokeCap(caps[cap]); paint.setStrokeJoin(joins[join])
            paint.setStrokeMiter(miter)
            if dashes: paint.setPathEffect(skia.DashPathEffect.Make(list(lengths), 0))
        path = skia.Path()
        for _ in range(take('I')[0]):
            n = take('I')[0]; p = take(f'{2 * n}f')
            points = [skia.Point(p[2 * i], p[2 * i + 1]) for i in range(n)]
            closes = n > 2 and p[:2] == p[-2:]
            path.addPoly(points[:-1] if closes else points, closes)
        c.drawPath(path, paint)
    picture = recorder.finishRecordingAsPicture()
    surface = skia.Surface.MakeRaster(skia.ImageInfo.MakeN32Premul(edge, edge))
    canvas = surface.getCanvas()
    say('ready')
    for line in wire:
        canvas.clear(skia.ColorWHITE)
        t = time.thread_time_ns(); picture.playback(canvas); say(time.thread_time_ns() - t)
        if line.startswith('save'): surface.makeImageSnapshot().save(line[5:].strip(), skia.kPNG)
    """

  /// Draws a view with MapLibre Native on Mesa's CPU driver. STYLE PACK WIDTH HEIGHT LAT LON ZOOM.
  ///
  /// "first": from before the style is read to the first whole picture. "pan", "turn": the
  /// processor time of all threads for another frame.
  static let mapLibre = """
    os.environ['EGL_PLATFORM'] = 'surfaceless'
    import json
    from pymgl import Map
    say('ready')
    style, pack = sys.argv[1:3]; w, h = map(int, sys.argv[3:5])
    lat, lon, zoom = map(float, sys.argv[5:8])
    def start():
        s = json.load(open(style))
        for n, src in list(s['sources'].items()):
            if src['type'] == 'vector': s['sources'][n] = {'type': 'vector', 'url': 'mbtiles://' + pack}
        s.pop('sprite', None); s['glyphs'] = f'file://{sys.argv[8]}/{{fontstack}}/{{range}}.pbf'
        s['layers'] = [l for l in s['layers'] if l['type'] != 'fill-extrusion']
        for l in s['layers']:
            lay = l.get('layout', {})
            if 'text-font' in lay:
                t = json.dumps(lay['text-font']).lower()
                lay['text-font'] = ['Noto Sans Italic' if 'italic' in t else 'Noto Sans Medium'
                                    if 'bold' in t or 'medium' in t else 'Noto Sans Regular']
        m = Map(json.dumps(s), w, h, 1, lon, lat, zoom); m.renderBuffer(); return m
    m = None; step = 0
    for line in wire:
        step += 1
        if line.startswith('first'):
            m = None; t = time.monotonic_ns(); m = start(); say(time.monotonic_ns() - t); continue
        if m is None: m = start()
        t = time.process_time_ns()
        if line.startswith('turn'): m.setBearing(step % 40 * 0.5)
        else: m.setCenter(lon + step % 40 * 0.00003, lat)
        m.renderBuffer(); say(time.process_time_ns() - t)
    """
}

/// Shapes in a file, as `Scripts.skia` reads them: numbers of 32 bits, the lowest byte first.
struct ShapeFile {
  private(set) var bytes: [UInt8] = []

  init(_ shapes: [PaintedShape]) {
    for shape in shapes {
      let stroke = shape.stroke
      add(shape.color)
      add(stroke == nil ? 0 : 1)
      addFloat(Float(stroke?.width ?? 0))
      switch stroke?.cap {
      case .square: add(1)
      case .round: add(2)
      default: add(0)
      }
      switch stroke?.join {
      case .bevel: add(1)
      case .round: add(2)
      default: add(0)
      }
      addFloat(Float(stroke?.miterLimit ?? 4))
      // Skia wants an even number.
      var dashes = stroke?.dashes ?? []
      if dashes.count % 2 == 1 { dashes += dashes }
      add(UInt32(dashes.count))
      for length in dashes { addFloat(Float(length)) }
      add(UInt32(shape.path.ends.count))
      var start = 0
      for end in shape.path.ends {
        add(UInt32(end - start))
        for point in shape.path.points[start..<end] {
          addFloat(point.x)
          addFloat(point.y)
        }
        start = end
      }
    }
  }

  private mutating func add(_ number: UInt32) {
    for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private mutating func addFloat(_ number: Float) { add(number.bitPattern) }
}
