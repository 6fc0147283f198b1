// Copyright Waypost contributors. Licence: Apache-2.0.
//
// libraqm, loaded when a text first needs it: Arabic, Hebrew, the scripts of India and South-East
// Asia, combining marks. It loads HarfBuzz and FriBidi. Most kiosks never need them, and save
// their memory.
#pragma once
#include <stdint.h>

/// A glyph of a line. Lengths are 1/64 pixel, y upwards.
typedef struct {
  /// The FT_Face whose glyph it is.
  void *face;
  uint32_t glyph;
  /// The index in the line of the character that it belongs to.
  uint32_t cluster;
  int32_t x_advance;
  int32_t x_offset;
  int32_t y_offset;
} waypost_glyph;

/// Whether text can be shaped, because libraqm is installed. Loads it when first called.
int waypost_shaping_available(void);

/// Sets a line: its directions (Unicode Standard Annex 9), its scripts, its letters. `faces` has an
/// FT_Face of the right size for every character. Writes at most `limit` glyphs, from left to
/// right. Returns how many, or -1 if that fails.
int waypost_shape(
    const uint32_t *text, int length, void *const *faces, int load_flags, waypost_glyph *out,
    int limit);
