// Copyright Waypost contributors. Licence: Apache-2.0.
//
// HarfBuzz and FriBidi, loaded when a text first needs them: Arabic, Hebrew, the scripts of India and
// South-East Asia, combining marks. Most kiosks never do, and are spared their memory.
#pragma once
#include <stdint.h>

/// A glyph as it is to be set. Lengths are 1/64 pixel, y upwards.
typedef struct {
  uint32_t glyph;
  /// The character that it belongs to, counted from the beginning of the text.
  uint32_t cluster;
  int32_t x_advance;
  int32_t x_offset;
  int32_t y_offset;
} waypost_glyph;

/// Whether texts can be shaped: HarfBuzz is there. Loads it when first called.
int waypost_shaping_available(void);

/// Each character's level (Unicode Standard Annex 9): odd ones run from right to left.
/// Returns 0, or -1 where FriBidi is not there.
int waypost_bidi_levels(const uint32_t *text, int count, int8_t *levels);

/// What shapes texts in an FT_Face. NULL where HarfBuzz is not there.
void *waypost_shaper_new(void *ft_face, int load_flags);
void waypost_shaper_free(void *shaper);
/// The face has another size.
void waypost_shaper_changed(void *shaper);

/// Shapes `count` characters from `start` on of a text of `length`: one script, one direction, one
/// face. Writes at most `limit` glyphs, from left to right; returns how many, or -1.
int waypost_shape(
    void *shaper, const uint32_t *text, int length, int start, int count, int rtl,
    waypost_glyph *out, int limit);
