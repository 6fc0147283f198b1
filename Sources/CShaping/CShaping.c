// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CShaping.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

// As in hb-buffer.h and hb-common.h, which keep these for ever (the library's version is 0).
typedef struct {
  uint32_t codepoint, mask, cluster, var1, var2;
} glyph_info;
typedef struct {
  int32_t x_advance, y_advance, x_offset, y_offset;
  uint32_t var;
} glyph_position;
enum { DIRECTION_LTR = 4, DIRECTION_RTL = 5 };

static struct {
  pthread_once_t once;
  int found;
  void *(*font_create)(void *face);
  void (*font_set_load_flags)(void *font, int flags);
  void (*font_changed)(void *font);
  void (*font_destroy)(void *font);
  void *(*buffer_create)(void);
  void (*buffer_destroy)(void *buffer);
  void (*buffer_add)(
      void *buffer, const uint32_t *text, int length, unsigned offset, int count);
  void (*buffer_set_direction)(void *buffer, int direction);
  void (*buffer_guess)(void *buffer);
  void (*shape)(void *font, void *buffer, const void *features, unsigned count);
  glyph_info *(*infos)(void *buffer, unsigned *count);
  glyph_position *(*positions)(void *buffer, unsigned *count);
} hb = {.once = PTHREAD_ONCE_INIT};

static struct {
  pthread_once_t once;
  int found;
  void (*types)(const uint32_t *text, int count, uint32_t *types);
  void (*brackets)(const uint32_t *text, int count, const uint32_t *types, uint32_t *brackets);
  int8_t (*levels)(
      const uint32_t *types, const uint32_t *brackets, int count, uint32_t *base, int8_t *levels);
} bidi = {.once = PTHREAD_ONCE_INIT};

static int take(void *library, const char *name, void **function) {
  *function = dlsym(library, name);
  return *function != NULL;
}

#define TAKE(library, name, place) take(library, name, (void **)&(place))

static void load_shaping(void) {
  void *library = dlopen("libharfbuzz.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  hb.found = TAKE(library, "hb_ft_font_create_referenced", hb.font_create) &&
             TAKE(library, "hb_ft_font_set_load_flags", hb.font_set_load_flags) &&
             TAKE(library, "hb_ft_font_changed", hb.font_changed) &&
             TAKE(library, "hb_font_destroy", hb.font_destroy) &&
             TAKE(library, "hb_buffer_create", hb.buffer_create) &&
             TAKE(library, "hb_buffer_destroy", hb.buffer_destroy) &&
             TAKE(library, "hb_buffer_add_utf32", hb.buffer_add) &&
             TAKE(library, "hb_buffer_set_direction", hb.buffer_set_direction) &&
             TAKE(library, "hb_buffer_guess_segment_properties", hb.buffer_guess) &&
             TAKE(library, "hb_shape", hb.shape) &&
             TAKE(library, "hb_buffer_get_glyph_infos", hb.infos) &&
             TAKE(library, "hb_buffer_get_glyph_positions", hb.positions);
}

// Threads may ask at once: one of them loads, the others wait for it.
int waypost_shaping_available(void) {
  pthread_once(&hb.once, load_shaping);
  return hb.found;
}

static void load_bidi(void) {
  void *library = dlopen("libfribidi.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  bidi.found = TAKE(library, "fribidi_get_bidi_types", bidi.types) &&
               TAKE(library, "fribidi_get_bracket_types", bidi.brackets) &&
               TAKE(library, "fribidi_get_par_embedding_levels_ex", bidi.levels);
}

static int bidi_available(void) {
  pthread_once(&bidi.once, load_bidi);
  return bidi.found;
}

int waypost_bidi_levels(const uint32_t *text, int count, int8_t *levels) {
  if (count <= 0 || !bidi_available()) return -1;
  uint32_t *types = calloc((size_t)count * 2, sizeof *types);
  if (!types) return -1;
  uint32_t base = 0x40;  // FRIBIDI_PAR_ON: as the first strong character says
  bidi.types(text, count, types);
  bidi.brackets(text, count, types, types + count);
  int8_t highest = bidi.levels(types, types + count, count, &base, levels);
  free(types);
  return highest > 0 ? 0 : -1;
}

void *waypost_shaper_new(void *ft_face, int load_flags) {
  if (!waypost_shaping_available()) return NULL;
  void *font = hb.font_create(ft_face);
  if (font) hb.font_set_load_flags(font, load_flags);
  return font;
}

void waypost_shaper_free(void *shaper) {
  if (shaper) hb.font_destroy(shaper);
}

void waypost_shaper_changed(void *shaper) {
  if (shaper) hb.font_changed(shaper);
}

int waypost_shape(
    void *shaper, const uint32_t *text, int length, int start, int count, int rtl,
    waypost_glyph *out, int limit) {
  if (!shaper || start < 0 || count <= 0 || start > length - count) return -1;
  void *buffer = hb.buffer_create();
  hb.buffer_add(buffer, text, length, (unsigned)start, count);
  hb.buffer_set_direction(buffer, rtl ? DIRECTION_RTL : DIRECTION_LTR);
  hb.buffer_guess(buffer);
  hb.shape(shaper, buffer, NULL, 0);
  unsigned n = 0, m = 0;
  const glyph_info *infos = hb.infos(buffer, &n);
  const glyph_position *positions = hb.positions(buffer, &m);
  int written = 0;
  for (unsigned i = 0; i < n && i < m && written < limit; i++, written++) {
    out[written].glyph = infos[i].codepoint;
    out[written].cluster = infos[i].cluster;
    out[written].x_advance = positions[i].x_advance;
    out[written].x_offset = positions[i].x_offset;
    out[written].y_offset = positions[i].y_offset;
  }
  hb.buffer_destroy(buffer);
  return written;
}
