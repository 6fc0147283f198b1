#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CImages.h"

struct waypost_png_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t left;
  int passes;
  bool indexed;
  char message[128];
};

static void on_error(png_structp png, png_const_charp message) {
  waypost_png_reader *reader = png_get_error_ptr(png);
  snprintf(reader->message, sizeof reader->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_read(png_structp png, png_bytep to, size_t count) {
  waypost_png_reader *reader = png_get_io_ptr(png);
  if (count > reader->left) png_error(png, "the file ends early");
  memcpy(to, reader->bytes, count);
  reader->bytes += count;
  reader->left -= count;
}

waypost_png_reader *waypost_png_open(const uint8_t *bytes, size_t count) {
  waypost_png_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->left = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  if (reader->png) reader->info = png_create_info_struct(reader->png);
  if (!reader->info) {
    waypost_png_close(reader);
    return NULL;
  }
  return reader;
}

void waypost_png_close(waypost_png_reader *reader) {
  if (!reader) return;
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

const char *waypost_png_message(const waypost_png_reader *reader) { return reader->message; }

static uint32_t colour(uint32_t alpha, uint32_t red, uint32_t green, uint32_t blue) {
  return alpha << 24 | red << 16 | green << 8 | blue;
}

static void read_palette(waypost_png_reader *reader, waypost_png_header *header) {
  png_colorp palette = NULL;
  png_bytep alpha = NULL;
  int colours = 0, alphas = 0;
  png_get_PLTE(reader->png, reader->info, &palette, &colours);
  png_get_tRNS(reader->png, reader->info, &alpha, &alphas, NULL);
  for (int i = 0; i < colours && i < 256; i++)
    header->colours[i] = colour(
        alpha && i < alphas ? alpha[i] : 255, palette[i].red, palette[i].green, palette[i].blue);
}

static void read_greys(waypost_png_reader *reader, waypost_png_header *header) {
  uint32_t most = (1u << header->bit_depth) - 1;
  png_color_16p clear = NULL;
  bool has_clear = png_get_tRNS(reader->png, reader->info, NULL, NULL, &clear) && clear;
  for (uint32_t i = 0; i <= most; i++) {
    uint32_t grey = i * (255 / most); // 255 is a multiple of 1, 3, 15 and 255
    bool see_through = has_clear && i == (clear->gray & most);
    header->colours[i] = colour(see_through ? 0 : 255, grey, grey, grey);
  }
}

bool waypost_png_read_header(waypost_png_reader *reader, waypost_png_header *header) {
  // Chunks that change no stored pixel value are passed over, not inflated or kept.
  static const uint8_t skipped[] =
      "acTL\0bKGD\0cHRM\0cICP\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0mDCV\0oFFs\0pCAL\0pHYs\0"
      "sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
  if (setjmp(png_jmpbuf(reader->png))) return false;
  memset(header, 0, sizeof *header);
  png_set_read_fn(reader->png, reader, on_read);
  png_set_keep_unknown_chunks(
      reader->png, PNG_HANDLE_CHUNK_NEVER, skipped, sizeof skipped / 5);
  png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // the caller's limit is less
  png_read_info(reader->png, reader->info);
  header->width = png_get_image_width(reader->png, reader->info);
  header->height = png_get_image_height(reader->png, reader->info);
  header->bit_depth = png_get_bit_depth(reader->png, reader->info);
  header->colour_type = png_get_color_type(reader->png, reader->info);
  header->interlaced =
      png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
  header->transparency = (header->colour_type & PNG_COLOR_MASK_ALPHA) != 0 ||
                         png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  for (int i = 0; i < 256; i++) header->colours[i] = 0xff000000;
  if (header->colour_type == PNG_COLOR_TYPE_PALETTE) {
    header->indexed = true;
    read_palette(reader, header);
  } else if (header->colour_type == PNG_COLOR_TYPE_GRAY && header->bit_depth <= 8) {
    header->indexed = true;
    read_greys(reader, header);
  }
  reader->indexed = header->indexed;
  return true;
}

bool waypost_png_start(waypost_png_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return false;
  png_structp png = reader->png;
  size_t width = png_get_image_width(png, reader->info);
  int type = png_get_color_type(png, reader->info);
  if (reader->indexed) {
    png_set_packing(png);
  } else {
    bool keyed = png_get_valid(png, reader->info, PNG_INFO_tRNS) != 0;
    if (keyed) png_set_tRNS_to_alpha(png);
    if (png_get_bit_depth(png, reader->info) == 16) png_set_strip_16(png);
    if (!(type & PNG_COLOR_MASK_COLOR)) png_set_gray_to_rgb(png);
    png_set_bgr(png);
    if (!keyed && !(type & PNG_COLOR_MASK_ALPHA)) png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  }
  reader->passes = png_set_interlace_handling(png);
  png_read_update_info(png, reader->info);
  if (png_get_rowbytes(png, reader->info) != width * (reader->indexed ? 1 : 4))
    png_error(png, "rows of an unexpected length");
  return true;
}

bool waypost_png_read_rows(
    waypost_png_reader *reader, uint8_t *rows, size_t row_bytes, uint32_t count) {
  if (setjmp(png_jmpbuf(reader->png))) return false;
  for (int pass = 0; pass < reader->passes; pass++)
    for (uint32_t y = 0; y < count; y++) png_read_row(reader->png, rows + y * row_bytes, NULL);
  return true;
}

bool waypost_png_finish(waypost_png_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return false;
  png_read_end(reader->png, NULL);
  return true;
}
