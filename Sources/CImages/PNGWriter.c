#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include "CImages.h"

struct waypost_png_writer {
  png_structp png;
  png_infop info;
  waypost_png_sink sink;
  void *context;
  char message[128];
};

static void on_error(png_structp png, png_const_charp message) {
  waypost_png_writer *writer = png_get_error_ptr(png);
  snprintf(writer->message, sizeof writer->message, "%s", message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_write(png_structp png, png_bytep bytes, size_t count) {
  waypost_png_writer *writer = png_get_io_ptr(png);
  if (!writer->sink(writer->context, bytes, count)) png_error(png, "the bytes could not be written");
}

static void on_flush(png_structp png) { (void)png; }

waypost_png_writer *waypost_png_create(waypost_png_sink sink, void *context) {
  waypost_png_writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  writer->sink = sink;
  writer->context = context;
  writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning);
  if (writer->png) writer->info = png_create_info_struct(writer->png);
  if (!writer->info) {
    waypost_png_destroy(writer);
    return NULL;
  }
  return writer;
}

void waypost_png_destroy(waypost_png_writer *writer) {
  if (!writer) return;
  png_destroy_write_struct(&writer->png, &writer->info);
  free(writer);
}

const char *waypost_png_writer_message(const waypost_png_writer *writer) {
  return writer->message;
}

bool waypost_png_write_header(
    waypost_png_writer *writer, uint32_t width, uint32_t height, int level) {
  if (setjmp(png_jmpbuf(writer->png))) return false;
  png_structp png = writer->png;
  png_set_write_fn(png, writer, on_write, on_flush);
  png_set_compression_level(png, level);
  // These three filters suit flat areas and photographs alike; the costlier ones are not worth it.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE | PNG_FILTER_SUB | PNG_FILTER_UP);
  png_set_IHDR(
      png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, writer->info);
  png_set_bgr(png);
  png_set_filler(png, 0, PNG_FILLER_AFTER); // only now: it drops the fourth byte
  return true;
}

bool waypost_png_write_rows(
    waypost_png_writer *writer, const uint8_t *rows, size_t row_bytes, uint32_t count) {
  if (setjmp(png_jmpbuf(writer->png))) return false;
  for (uint32_t y = 0; y < count; y++) png_write_row(writer->png, rows + y * row_bytes);
  return true;
}

bool waypost_png_write_end(waypost_png_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png))) return false;
  png_write_end(writer->png, writer->info);
  return true;
}
