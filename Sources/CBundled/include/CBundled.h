// Copyright Waypost contributors. Licence: Apache-2.0.
//
// The files that are part of the program: fonts and small world maps. data/README.md has the
// origin and licence of each. They are read-only pages of the executable, which are loaded when
// they are first touched and can be dropped at any time.
//
// The arrays are for C. Swift does not import arrays of unknown length and calls `..._bytes()`.
#pragma once
#include <stddef.h>

/// Gives the pages of the fonts and maps back to the kernel. They are read again when they are
/// touched. Returns how many bytes it gave back.
size_t waypost_release_bundled(void);

/// DejaVuSans.ttf, a TrueType font.
extern const unsigned char waypost_font[];
const unsigned char *waypost_font_bytes(void);
size_t waypost_font_size(void);

/// NotoSans-Regular.ttf, -Italic and -SemiBold, TrueType fonts of Latin, Greek and Cyrillic for the
/// labels of vector maps. Kerning is in `GPOS`, and for common pairs in `kern` as well.
extern const unsigned char waypost_noto_regular[];
const unsigned char *waypost_noto_regular_bytes(void);
size_t waypost_noto_regular_size(void);
extern const unsigned char waypost_noto_italic[];
const unsigned char *waypost_noto_italic_bytes(void);
size_t waypost_noto_italic_size(void);
extern const unsigned char waypost_noto_semibold[];
const unsigned char *waypost_noto_semibold_bytes(void);
size_t waypost_noto_semibold_size(void);

/// world.pmtiles, a PMTiles 3 archive of JPEG tiles, zoom 0 to 3.
extern const unsigned char waypost_world_map[];
const unsigned char *waypost_world_map_bytes(void);
size_t waypost_world_map_size(void);

/// toner.pmtiles, a PMTiles 3 archive of PNG tiles, zoom 0 to 3.
extern const unsigned char waypost_toner_map[];
const unsigned char *waypost_toner_map_bytes(void);
size_t waypost_toner_map_size(void);

/// natural-earth.pmtiles, a PMTiles 3 archive of vector tiles (MVT, gzip), zoom 0 to 5, every tile.
extern const unsigned char waypost_natural_earth[];
const unsigned char *waypost_natural_earth_bytes(void);
size_t waypost_natural_earth_size(void);

/// A file of the style "trailhead" by its name, or NULL: SCHEMA-THEME.json, MapLibre style JSON,
/// where SCHEMA is protomaps, openmaptiles, shortbread or naturalearth, and THEME is day, night or
/// red; and sprite-THEME.json, .png, @2x.json and @2x.png, its sprite sheets by day and by night.
/// `size` becomes its bytes, or 0.
///
/// The styles name fields of a language as "name:{language}", "name_{language}" and
/// "name:{script}". Whoever reads them puts a code such as "de" and a script such as "latin" there.
const unsigned char *waypost_trailhead(const char *file, size_t *size);

/// Waypost's words in a language by its code, such as "de", as UTF-8 lines `key = text`; or NULL.
/// `size` becomes its bytes, or 0.
const unsigned char *waypost_words(const char *language, size_t *size);
