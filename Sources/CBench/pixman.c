// Copyright Waypost contributors. Licence: Apache-2.0.
#include <dlfcn.h>

#include "CBench.h"

// The few of pixman's declarations that are used (pixman.h, whose values are part of its ABI).
typedef struct pixman_image pixman_image;
typedef struct { int32_t matrix[3][3]; } pixman_transform;
enum { PIXMAN_X8R8G8B8 = 0x20020888, PIXMAN_BILINEAR = 4, PIXMAN_SRC = 1, PIXMAN_OVER = 3, PIXMAN_A8R8G8B8 = 0x20028888 };

static pixman_image *(*create)(int, int, int, uint32_t *, int);
static int (*set_transform)(pixman_image *, const pixman_transform *);
static int (*set_filter)(pixman_image *, int, const int32_t *, int);
static void (*composite)(
    int, pixman_image *, pixman_image *, pixman_image *, int32_t, int32_t, int32_t, int32_t, int32_t,
    int32_t, int32_t, int32_t);
static int (*unref)(pixman_image *);

bool bench_pixman_is_there(void) {
  if (unref) return true;
  void *library = dlopen("libpixman-1.so.0", RTLD_NOW);
  if (!library) return false;
  create = dlsym(library, "pixman_image_create_bits");
  set_transform = dlsym(library, "pixman_image_set_transform");
  set_filter = dlsym(library, "pixman_image_set_filter");
  composite = dlsym(library, "pixman_image_composite32");
  if (!create || !set_transform || !set_filter || !composite) return false;
  unref = dlsym(library, "pixman_image_unref");
  return unref != NULL;
}

static int32_t fixed(double value) { return (int32_t)(value * 65536 + (value < 0 ? -0.5 : 0.5)); }

bool bench_pixman_draw(
    const uint32_t *source, int source_width, int source_height, int source_stride,
    const double m[6], uint32_t *target, int x, int y, int width, int height, int stride) {
  if (!bench_pixman_is_there()) return false;
  pixman_image *from =
      create(PIXMAN_X8R8G8B8, source_width, source_height, (uint32_t *)source, source_stride);
  pixman_image *to = create(PIXMAN_X8R8G8B8, x + width, y + height, target, stride);
  if (!from || !to) return false;
  pixman_transform transform = {
      {{fixed(m[0]), fixed(m[1]), fixed(m[2])}, {fixed(m[3]), fixed(m[4]), fixed(m[5])},
       {0, 0, 65536}}};
  set_transform(from, &transform);
  set_filter(from, PIXMAN_BILINEAR, NULL, 0);
  composite(PIXMAN_SRC, from, NULL, to, x, y, 0, 0, x, y, width, height);
  unref(from);
  unref(to);
  return true;
}
