#!/usr/bin/env python3
# Copyright Waypost contributors. Licence: Apache-2.0.
"""Writes where MapLibre Native places the texts of the views in VECTOR/reference/views.tsv.

usage: reference.py VECTOR OUT [VIEW...]
needs: pip install pymgl pmtiles numpy scipy pillow; apt install libegl1 libgl1-mesa-dri libopengl0

Each text is drawn in a colour of its own on black, with nothing else. Colours and halos do not
change where MapLibre places a text. So the pixels of a colour show which text stands where.
OUT/VIEW.tsv has a line for each text: its style layer, the centre of its visible pixels in points
from the upper left corner of the view of 800x480 points, and the text in one line.
"""
import gzip, io, json, math, os, sqlite3, struct, sys, tempfile

os.environ['EGL_PLATFORM'] = 'surfaceless'
import numpy
from PIL import Image
from pymgl import Map
from scipy import ndimage

WIDTH, HEIGHT = 800, 480
# What stands between a text and the number of its feature in the colours' keys.
MARK = '\u0001'
# Features' numbers are counted to here: short numbers are written in one way only.
NUMBERS = 65536


# A reader of vector tiles that gives (id, properties) of each feature.

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 1:
            value, at = data[at:at + 8], at + 8
        elif key & 7 == 5:
            value, at = data[at:at + 4], at + 4
        else:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def value_of(data):
    for number, value in fields(data):
        if number == 1:
            return value.decode('utf-8', 'replace')
        if number in (4, 5):
            return value
        if number == 6:
            return (value >> 1) ^ -(value & 1)
        if number == 2:
            return struct.unpack('<f', value)[0]
        if number == 3:
            return struct.unpack('<d', value)[0]
    return None


def features(tile):
    for number, layer in fields(tile):
        if number != 3:
            continue
        name, keys, values, found = '', [], [], []
        for field, value in fields(layer):
            if field == 1:
                name = value.decode()
            elif field == 2:
                found.append(value)
            elif field == 3:
                keys.append(value.decode())
            elif field == 4:
                values.append(value_of(value))
        for feature in found:
            identity, tags = None, []
            for field, value in fields(feature):
                if field == 1:
                    identity = value
                elif field == 2:
                    at = 0
                    while at < len(value):
                        tag, at = varint(value, at)
                        tags.append(tag)
            yield name, identity, {keys[k]: values[v] for k, v in zip(tags[::2], tags[1::2])}


# What a style may show.

def as_mbtiles(pack, folder):
    """MapLibre's library reads MBTiles only."""
    if not pack.endswith('.pmtiles'):
        return pack
    import pmtiles.reader
    target = os.path.join(folder, os.path.basename(pack) + '.mbtiles')
    if os.path.exists(target):
        return target
    source = pmtiles.reader.MmapSource(open(pack, 'rb'))
    head = pmtiles.reader.Reader(source)
    store = sqlite3.connect(target)
    store.execute('create table metadata (name text, value text)')
    store.execute('create table tiles (zoom_level int, tile_column int, tile_row int, tile_data blob)')
    layers = {'vector_layers': head.metadata().get('vector_layers', [])}
    facts = {'name': 'x', 'format': 'pbf', 'minzoom': head.header()['min_zoom'],
             'maxzoom': head.header()['max_zoom'], 'json': json.dumps(layers)}
    store.executemany('insert into metadata values (?,?)', [(k, str(v)) for k, v in facts.items()])
    for (z, x, y), data in pmtiles.reader.all_tiles(source):
        store.execute('insert into tiles values (?,?,?,?)', (z, x, 2 ** z - 1 - y, data))
    store.execute('create unique index i on tiles (zoom_level, tile_column, tile_row)')
    store.commit()
    store.close()
    return target


def features_of(pack, view):
    """The properties of the view's features with their numbers, by source layer."""
    store = sqlite3.connect(pack)
    deepest = store.execute('select max(zoom_level) from tiles').fetchone()[0]
    z = min(int(view['zoom']), deepest)
    count = 2 ** z
    sine = math.sin(math.radians(view['lat']))
    x = (view['lon'] / 360 + 0.5) * count
    y = (0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)) * count
    scale = 512 * 2 ** (view['zoom'] - z)
    across, down = (WIDTH / 2 + 64) / scale, (HEIGHT / 2 + 64) / scale
    found = {}
    for column in range(math.floor(x - across), math.floor(x + across) + 1):
        for row in range(math.floor(y - down), math.floor(y + down) + 1):
            tile = store.execute(
                'select tile_data from tiles where zoom_level=? and tile_column=? and tile_row=?',
                (z, column % count, count - 1 - row)).fetchone()
            if not tile:
                continue
            data = gzip.decompress(tile[0]) if tile[0][:2] == b'\x1f\x8b' else tile[0]
            for layer, identity, properties in features(data):
                found.setdefault(layer, []).append(((identity or 0) % NUMBERS, properties))
    return found


def expression(field, zoom):
    """A text-field as an expression that gives a string."""
    if isinstance(field, dict):
        chosen = field['stops'][0][1]
        for stop, value in field['stops']:
            if stop <= math.floor(zoom):
                chosen = value
        field = chosen
    if isinstance(field, list) and field[0] == 'step' and field[1] == ['zoom']:
        chosen = field[2]
        for stop, value in zip(field[3::2], field[4::2]):
            if stop <= math.floor(zoom):
                chosen = value
        field = chosen
    if isinstance(field, list):
        return ['to-string', field]
    parts, rest = ['concat'], field
    while '{' in rest:
        before, rest = rest.split('{', 1)
        key, rest = rest.split('}', 1)
        if before:
            parts.append(before)
        parts.append(['to-string', ['get', key]])
    if rest or len(parts) == 1:
        parts.append(rest)
    return parts if len(parts) > 2 else ['concat', *parts[1:], '']


def texts(field, features):
    """The texts that a text-field may give, with the numbers of their features."""
    keys = json.dumps(field)
    found = set()
    for number, properties in features:
        values = [str(v) for k, v in properties.items() if f'"{k}"' in keys or f'{{{k}}}' in keys]
        latin, other = properties.get('name:latin', ''), properties.get('name:nonlatin', '')
        if 'nonlatin' in keys:
            values += [latin + ' ' + other, latin + '\n' + other]
        if '"format"' in keys:
            values += [one + '\n' + two for one in values for two in values if two != one]
        found.update(value + MARK + str(number) for value in values if value.strip())
    return sorted(found)


class Palette:
    """Strong colours, none like another, and the texts that they stand for."""

    def __init__(self):
        self.texts, self.count = {}, 0

    def take(self, meaning):
        while True:
            self.count += 1
            # A step prime to 2^24 visits all words once. One channel is full: the edges of letters
            # on black are darker, so that they are no colour of the palette.
            word = self.count * 0x9E3779 & 0xFFFFFF
            if 255 in (word >> 16, word >> 8 & 255, word & 255):
                break
        self.texts[word] = meaning
        return f'#{word:06x}'


def recoloured(style, colours):
    """The style with texts alone; `colours` gives an expression for a layer, or None."""
    layers = [{'id': 'black', 'type': 'background', 'paint': {'background-color': '#000000'}}]
    for layer in style['layers']:
        if layer['type'] != 'symbol':
            continue
        layer = json.loads(json.dumps(layer))
        layout, paint = layer.setdefault('layout', {}), layer.setdefault('paint', {})
        # Icons keep their places, but are not seen.
        paint['icon-opacity'] = 0.003
        if 'text-font' in layout:
            name = json.dumps(layout['text-font']).lower()
            weight = 'Medium' if 'bold' in name or 'medium' in name else 'Regular'
            layout['text-font'] = ['Noto Sans ' + ('Italic' if 'italic' in name else weight)]
        chosen = colours(layer) if 'text-field' in layout else None
        if chosen:
            # The halo fills the letters, too.
            paint.update({'text-color': 'rgba(0, 0, 0, 0)', 'text-halo-color': chosen,
                          'text-halo-width': 2, 'text-halo-blur': 0, 'text-opacity': 1})
        layers.append(layer)
    return {**style, 'layers': layers}


def by_number(layer):
    """Colours that show the numbers of features."""
    number = ['%', ['to-number', ['id'], 0], NUMBERS]
    return ['rgb', 255, ['floor', ['/', number, 256]], ['%', number, 256]]


def by_text(found, zoom, palette):
    """Colours that show texts and layers."""
    def colours(layer):
        features = found.get(layer.get('source-layer'))
        if not features:
            return None
        field = layer['layout']['text-field']
        number = ['to-string', ['%', ['to-number', ['id'], 0], NUMBERS]]
        match = ['match', ['concat', expression(field, zoom), MARK, number]]
        for key in texts(field, features):
            match += [key, palette.take((layer['id'], key.split(MARK)[0]))]
        if len(match) == 2:
            return palette.take((layer['id'], '?'))
        return match + [palette.take((layer['id'], '?'))]
    return colours


def words_of(picture):
    pixels = numpy.asarray(picture.convert('RGB')).astype(numpy.uint32)
    return pixels[:, :, 0] << 16 | pixels[:, :, 1] << 8 | pixels[:, :, 2]


def read(picture, palette):
    """The layer, the place and the text of each label in the picture."""
    words = words_of(picture)
    present, counts = numpy.unique(words, return_counts=True)
    labels = []
    for word, count in zip(present.tolist(), counts.tolist()):
        if word not in palette.texts or count < 12:
            continue
        layer, text = palette.texts[word]
        mask = words == word
        # Letters less than 16 pixels apart are of one label: others of its text stand further away.
        parts, number = ndimage.label(ndimage.binary_dilation(mask, numpy.ones((17, 17))))
        for part in range(1, number + 1):
            rows, columns = numpy.nonzero(mask & (parts == part))
            if len(rows) < 12 or numpy.ptp(rows) < 4 or numpy.ptp(columns) < 4:
                continue
            x = (columns.min() + columns.max() + 1) / 2
            y = (rows.min() + rows.max() + 1) / 2
            labels.append((layer, float(x), float(y), ' '.join(text.split())))
    return sorted(labels, key=lambda label: (label[2], label[1]))


def draw(view, vector, folder):
    pack = as_mbtiles(os.path.join(vector, 'packs', view['pack']), folder)
    style = json.load(open(os.path.join(vector, 'styles', view['style'] + '.json')))
    for name, source in list(style['sources'].items()):
        if source['type'] == 'vector':
            style['sources'][name] = {'type': 'vector', 'url': 'mbtiles://' + os.path.abspath(pack)}
        else:
            del style['sources'][name]
    style['glyphs'] = f'file://{os.path.abspath(vector)}/glyphs/{{fontstack}}/{{range}}.pbf'
    style.pop('sprite', None)
    if view['sprite']:
        sprite = os.path.join(vector, 'sprites-protomaps', 'v4', view['sprite'])
        style['sprite'] = 'file://' + os.path.abspath(sprite)

    def picture(style):
        map_ = Map(json.dumps(style), WIDTH, HEIGHT, 1, view['lon'], view['lat'], view['zoom'])
        if view['bearing']:
            map_.setBearing(view['bearing'])
        return Image.open(io.BytesIO(map_.renderPNG()))

    found = features_of(pack, view)
    if any(number for layer in found.values() for number, _ in layer):
        # Only texts of features that are seen get colours: tiles have tens of thousands.
        seen = set(numpy.unique(words_of(picture(recoloured(style, by_number)))).tolist())
        found = {layer: [one for one in features if 0xFF0000 | one[0] in seen]
                 for layer, features in found.items()}
    palette = Palette()
    drawn = picture(recoloured(style, by_text(found, view['zoom'], palette)))
    return drawn, read(drawn, palette)


def main():
    vector, out, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    folder = os.environ.get('TMPDIR') or tempfile.gettempdir()
    lines = open(os.path.join(vector, 'reference', 'views.tsv')).read().split('\n')
    head = lines[0].split('\t')
    for line in filter(None, lines[1:]):
        view = dict(zip(head, line.split('\t') + [''] * len(head)))
        if wanted and view['picture'] not in wanted:
            continue
        for key in ('zoom', 'lat', 'lon', 'bearing'):
            view[key] = float(view[key] or 0)
        picture, labels = draw(view, vector, folder)
        if os.environ.get('PICTURES'):
            picture.save(os.path.join(os.environ['PICTURES'], view['picture'] + '-texts.png'))
        with open(os.path.join(out, view['picture'] + '.tsv'), 'w') as file:
            for layer, x, y, text in labels:
                file.write(f'{layer}\t{x:g}\t{y:g}\t{text}\n')
        unknown = sum(1 for label in labels if label[3] == '?')
        print(f'{view["picture"]}: {len(labels)} texts, {unknown} unknown', flush=True)


main()
