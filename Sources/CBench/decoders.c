// Copyright Waypost contributors. Licence: Apache-2.0.
#include <dlfcn.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>
#include <zlib.h>

#include <jpeglib.h>

#include "CBench.h"

typedef struct {
  const uint8_t *bytes;
  size_t left;
} reading;

static void read_more(png_structp png, png_bytep out, size_t count) {
  reading *r = png_get_io_ptr(png);
  if (count > r->left) png_error(png, "too short");
  memcpy(out, r->bytes, count);
  r->bytes += count;
  r->left -= count;
}

bool bench_png(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_bytep rows[4096];
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return false;
  }
  reading r = {bytes, count};
  png_set_read_fn(png, &r, read_more);
  png_read_info(png, info);
  if (png_get_image_width(png, info) != edge || png_get_image_height(png, info) != edge)
    png_error(png, "another size");
  bool keyed = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
  bool alpha = keyed || (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_bgr(png);
  if (!alpha) png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_read_update_info(png, info);
  for (uint32_t y = 0; y < edge; y++) rows[y] = (png_bytep)(pixels + y * edge);
  png_read_image(png, rows);
  png_read_end(png, NULL);
  png_destroy_read_struct(&png, &info, NULL);
  return true;
}

int bench_spng(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge) {
  static void *(*make)(int);
  static void (*drop)(void *);
  static int (*give)(void *, const void *, size_t);
  static int (*decode)(void *, void *, size_t, int, int);
  if (!decode) {
    void *library = dlopen("libspng.so.0", RTLD_NOW);
    if (!library) return -1;
    make = dlsym(library, "spng_ctx_new");
    drop = dlsym(library, "spng_ctx_free");
    give = dlsym(library, "spng_set_png_buffer");
    decode = dlsym(library, "spng_decode_image");
    if (!make || !drop || !give || !decode) return -1;
  }
  void *context = make(0);
  if (!context) return 0;
  enum { SPNG_FMT_RGBA8 = 1, SPNG_DECODE_TRNS = 1 };
  int done = give(context, bytes, count) == 0 &&
             decode(context, pixels, (size_t)edge * edge * 4, SPNG_FMT_RGBA8, SPNG_DECODE_TRNS) == 0;
  drop(context);
  return done;
}

// The picture's zlib stream, collected.
static uint8_t *stream(const uint8_t *bytes, size_t count, size_t *length) {
  uint8_t *out = malloc(count);
  *length = 0;
  for (size_t at = 8; out && at + 12 <= count;) {
    size_t size = (size_t)bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
    if (size > count - at - 12) break;
    if (!memcmp(bytes + at + 4, "IDAT", 4)) {
      memcpy(out + *length, bytes + at + 8, size);
      *length += size;
    }
    at += size + 12;
  }
  return out;
}

int bench_deflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t room) {
  static void *(*make)(void);
  static int (*inflate_all)(void *, const void *, size_t, void *, size_t, size_t *);
  static void *context;
  if (!inflate_all) {
    void *library = dlopen("libdeflate.so.0", RTLD_NOW);
    if (!library) return -1;
    make = dlsym(library, "libdeflate_alloc_decompressor");
    inflate_all = dlsym(library, "libdeflate_zlib_decompress");
    if (!make || !inflate_all) return -1;
    context = make();
  }
  size_t length, got;
  uint8_t *data = stream(bytes, count, &length);
  int done = data && inflate_all(context, data, length, out, room, &got) == 0;
  free(data);
  return done;
}

int bench_inflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t room) {
  size_t length;
  uint8_t *data = stream(bytes, count, &length);
  uLongf got = room;
  int done = data && uncompress(out, &got, data, length) == Z_OK;
  free(data);
  return done;
}

typedef struct {
  struct jpeg_error_mgr errors;
  jmp_buf jump;
} jpeg_errors;

static void on_error(j_common_ptr jpeg) { longjmp(((jpeg_errors *)jpeg->err)->jump, 1); }

bool bench_jpeg(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge) {
  struct jpeg_decompress_struct jpeg;
  jpeg_errors errors;
  jpeg.err = jpeg_std_error(&errors.errors);
  errors.errors.error_exit = on_error;
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&jpeg);
    return false;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, (unsigned char *)bytes, count);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_EXT_BGRA;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = (JSAMPROW)(pixels + (size_t)jpeg.output_scanline * edge);
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return true;
}

bool bench_webp(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge) {
  return WebPDecodeBGRAInto(
             bytes, count, (uint8_t *)pixels, (size_t)edge * edge * 4, (int)edge * 4) != NULL;
}
