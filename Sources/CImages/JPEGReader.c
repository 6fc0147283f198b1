#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include <jerror.h>

#include "CImages.h"

#ifndef JCS_ALPHA_EXTENSIONS
#error "libjpeg-turbo is needed (its JCS_EXT_BGRA output)"
#endif

struct waypost_jpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  int scan_limit;
  jmp_buf jump;
  const uint8_t *bytes;
  size_t count;
  char message[JMSG_LENGTH_MAX];
};

static void on_error(j_common_ptr jpeg) {
  waypost_jpeg_reader *reader = jpeg->client_data;
  jpeg->err->format_message(jpeg, reader->message);
  longjmp(reader->jump, 1);
}

// Tolerates warnings (an odd byte between segments, an unknown version), except those about missing
// picture data: the rest of the picture would be grey.
static void on_message(j_common_ptr jpeg, int level) {
  if (level >= 0) return;
  int code = jpeg->err->msg_code;
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) on_error(jpeg);
}

static void on_output(j_common_ptr jpeg) { (void)jpeg; }

static void on_progress(j_common_ptr jpeg) {
  waypost_jpeg_reader *reader = jpeg->client_data;
  if (reader->jpeg.input_scan_number <= reader->scan_limit) return;
  snprintf(
      reader->message, sizeof reader->message, "more than %d scans", reader->scan_limit);
  longjmp(reader->jump, 1);
}

waypost_jpeg_reader *waypost_jpeg_open(const uint8_t *bytes, size_t count) {
  waypost_jpeg_reader *const reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  reader->bytes = bytes;
  reader->count = count;
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = on_output;
  reader->jpeg.client_data = reader;
  if (setjmp(reader->jump)) {
    waypost_jpeg_close(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->jpeg); // keeps err and client_data
  reader->progress.progress_monitor = on_progress;
  reader->jpeg.progress = &reader->progress;
  reader->scan_limit = 1000;
  return reader;
}

void waypost_jpeg_close(waypost_jpeg_reader *reader) {
  if (!reader) return;
  jpeg_destroy_decompress(&reader->jpeg);
  free(reader);
}

const char *waypost_jpeg_message(const waypost_jpeg_reader *reader) { return reader->message; }

bool waypost_jpeg_read_header(waypost_jpeg_reader *reader, waypost_jpeg_header *header) {
  if (setjmp(reader->jump)) return false;
  jpeg_mem_src(&reader->jpeg, (unsigned char *)reader->bytes, reader->count);
  jpeg_read_header(&reader->jpeg, TRUE);
  header->width = reader->jpeg.image_width;
  header->height = reader->jpeg.image_height;
  header->cmyk = reader->jpeg.jpeg_color_space == JCS_CMYK ||
                 reader->jpeg.jpeg_color_space == JCS_YCCK;
  reader->jpeg.out_color_space = header->cmyk ? JCS_CMYK : JCS_EXT_BGRA;
  return true;
}

bool waypost_jpeg_start(
    waypost_jpeg_reader *reader, unsigned reduction, int scan_limit, uint32_t *width,
    uint32_t *height) {
  if (setjmp(reader->jump)) return false;
  reader->scan_limit = scan_limit;
  reader->jpeg.scale_num = 1;
  reader->jpeg.scale_denom = reduction;
  jpeg_start_decompress(&reader->jpeg);
  *width = reader->jpeg.output_width;
  *height = reader->jpeg.output_height;
  return true;
}

bool waypost_jpeg_read_rows(
    waypost_jpeg_reader *reader, uint8_t *rows, size_t row_bytes, uint32_t count) {
  if (setjmp(reader->jump)) return false;
  for (uint32_t y = 0; y < count; y++) {
    JSAMPROW row = rows + y * row_bytes;
    if (jpeg_read_scanlines(&reader->jpeg, &row, 1) != 1) {
      snprintf(reader->message, sizeof reader->message, "fewer rows than announced");
      return false;
    }
  }
  return true;
}

bool waypost_jpeg_finish(waypost_jpeg_reader *reader) {
  if (setjmp(reader->jump)) return false;
  jpeg_finish_decompress(&reader->jpeg);
  return true;
}
