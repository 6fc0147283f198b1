// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CShaping.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// The part of libraqm.so.0's public interface (raqm.h) that is used. Its development package would
// pull in those of HarfBuzz and GLib, for one structure.
typedef struct {
  unsigned int index;
  int x_advance, y_advance, x_offset, y_offset;
  uint32_t cluster;
  void *face;
} raqm_glyph;

static struct {
  pthread_once_t once;
  int found;
  void *(*create)(void);
  void (*destroy)(void *line);
  bool (*set_text)(void *line, const uint32_t *text, size_t length);
  bool (*set_face)(void *line, void *face);
  bool (*set_face_range)(void *line, void *face, size_t start, size_t length);
  bool (*set_load_flags)(void *line, int flags);
  bool (*layout)(void *line);
  raqm_glyph *(*glyphs)(void *line, size_t *count);
} raqm = {.once = PTHREAD_ONCE_INIT};

static int take(void *library, const char *name, void **function) {
  *function = dlsym(library, name);
  return *function != NULL;
}

#define TAKE(name, place) take(library, name, (void **)&(place))

static void load(void) {
  void *library = dlopen("libraqm.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  raqm.found = TAKE("raqm_create", raqm.create) && TAKE("raqm_destroy", raqm.destroy) &&
               TAKE("raqm_set_text", raqm.set_text) &&
               TAKE("raqm_set_freetype_face", raqm.set_face) &&
               TAKE("raqm_set_freetype_face_range", raqm.set_face_range) &&
               TAKE("raqm_set_freetype_load_flags", raqm.set_load_flags) &&
               TAKE("raqm_layout", raqm.layout) && TAKE("raqm_get_glyphs", raqm.glyphs);
}

// Threads may call this at the same time: one of them loads, the others wait for it.
int waypost_shaping_available(void) {
  pthread_once(&raqm.once, load);
  return raqm.found;
}

static bool lay_out(
    void *line, const uint32_t *text, int length, void *const *faces, int load_flags) {
  if (!raqm.set_text(line, text, (size_t)length) || !raqm.set_face(line, faces[0])) return false;
  for (int start = 0, end = 1; start < length; start = end++) {
    while (end < length && faces[end] == faces[start]) end++;
    if (!raqm.set_face_range(line, faces[start], (size_t)start, (size_t)(end - start)))
      return false;
  }
  return raqm.set_load_flags(line, load_flags) && raqm.layout(line);
}

int waypost_shape(
    const uint32_t *text, int length, void *const *faces, int load_flags, waypost_glyph *out,
    int limit) {
  if (length <= 0 || !waypost_shaping_available()) return -1;
  void *line = raqm.create();
  if (!line) return -1;
  int written = -1;
  if (lay_out(line, text, length, faces, load_flags)) {
    size_t count = 0;
    const raqm_glyph *glyphs = raqm.glyphs(line, &count);
    for (written = 0; glyphs && (size_t)written < count && written < limit; written++) {
      out[written].face = glyphs[written].face;
      out[written].glyph = glyphs[written].index;
      out[written].cluster = glyphs[written].cluster;
      out[written].x_advance = glyphs[written].x_advance;
      out[written].x_offset = glyphs[written].x_offset;
      out[written].y_offset = glyphs[written].y_offset;
    }
  }
  raqm.destroy(line);
  return written;
}
