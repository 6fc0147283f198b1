// Copyright Waypost contributors. Licence: Apache-2.0.
//
// The files that the program carries inside: a font and two small world maps. Origin and licence
// of each: data/README.md. They lie in read-only pages of the executable: nothing is loaded until
// it is touched, and the pages can be dropped at any time.
//
// The arrays are for C; Swift does not import arrays of unstated length and calls `..._bytes()`.
#pragma once
#include <stddef.h>

/// DejaVuSans.ttf, a TrueType font.
extern const unsigned char waypost_font[];
const unsigned char *waypost_font_bytes(void);
size_t waypost_font_size(void);

/// world.pmtiles, a PMTiles 3 archive of JPEG tiles, zoom 0 to 3.
extern const unsigned char waypost_world_map[];
const unsigned char *waypost_world_map_bytes(void);
size_t waypost_world_map_size(void);

/// toner.pmtiles, a PMTiles 3 archive of PNG tiles, zoom 0 to 3.
extern const unsigned char waypost_toner_map[];
const unsigned char *waypost_toner_map_bytes(void);
size_t waypost_toner_map_size(void);
