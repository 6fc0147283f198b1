// PNG and JPEG behind functions that always return. On an error, libpng and libjpeg leave a call
// with longjmp, which must never jump over Swift. Each function here has its own setjmp, so that
// every error is a return value and a message. libwebp does not need this.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A picture's bytes must stay where they are from open to close.

typedef struct waypost_png_reader waypost_png_reader;

typedef struct {
  uint32_t width, height;
  int bit_depth, colour_type; // as in IHDR
  bool interlaced;
  bool transparency; // an alpha channel or a tRNS chunk
  // The colour of each sample value of an indexed picture, or of a grey one of 8 bits and less:
  // 0xAARRGGBB, not premultiplied; opaque black beyond the palette's end.
  bool indexed;
  uint32_t colours[256];
} waypost_png_header;

// NULL if memory is short.
waypost_png_reader *waypost_png_open(const uint8_t *bytes, size_t count);
void waypost_png_close(waypost_png_reader *reader);
// What went wrong with the call that returned false.
const char *waypost_png_message(const waypost_png_reader *reader);
// Reads everything before the pixels. Allocates nothing that grows with width or height.
bool waypost_png_read_header(waypost_png_reader *reader, waypost_png_header *header);
// Before the first row. Rows are then one byte a sample if the header says indexed, else
// B, G, R, A (16-bit samples keep their high byte; stored values, no gamma, no profile).
bool waypost_png_start(waypost_png_reader *reader);
// The next `count` rows; of an interlaced picture all rows at once.
bool waypost_png_read_rows(
    waypost_png_reader *reader, uint8_t *rows, size_t row_bytes, uint32_t count);
// After the last row: reads to the end, and fails if the file is incomplete.
bool waypost_png_finish(waypost_png_reader *reader);

typedef struct waypost_jpeg_reader waypost_jpeg_reader;

typedef struct {
  uint32_t width, height;
  bool cmyk; // rows are C, M, Y, K as Adobe stores them: 255 is no ink
} waypost_jpeg_header;

waypost_jpeg_reader *waypost_jpeg_open(const uint8_t *bytes, size_t count);
void waypost_jpeg_close(waypost_jpeg_reader *reader);
const char *waypost_jpeg_message(const waypost_jpeg_reader *reader);
bool waypost_jpeg_read_header(waypost_jpeg_reader *reader, waypost_jpeg_header *header);
// `reduction` is 1, 2, 4 or 8; a file with more than `scan_limit` scans is refused. Returns the
// size in which rows come. Rows are four bytes a pixel: B, G, R, 255 or (cmyk) C, M, Y, K.
bool waypost_jpeg_start(
    waypost_jpeg_reader *reader, unsigned reduction, int scan_limit, uint32_t *width,
    uint32_t *height);
bool waypost_jpeg_read_rows(
    waypost_jpeg_reader *reader, uint8_t *rows, size_t row_bytes, uint32_t count);
bool waypost_jpeg_finish(waypost_jpeg_reader *reader);

typedef struct waypost_png_writer waypost_png_writer;

// Takes the file's next bytes; false stops the writing.
typedef bool (*waypost_png_sink)(void *context, const uint8_t *bytes, size_t count);

// An 8-bit RGB picture; `level` is zlib's, 0 to 9. NULL if memory is short.
waypost_png_writer *waypost_png_create(waypost_png_sink sink, void *context);
void waypost_png_destroy(waypost_png_writer *writer);
const char *waypost_png_writer_message(const waypost_png_writer *writer);
bool waypost_png_write_header(
    waypost_png_writer *writer, uint32_t width, uint32_t height, int level);
// Rows of B, G, R, unused.
bool waypost_png_write_rows(
    waypost_png_writer *writer, const uint8_t *rows, size_t row_bytes, uint32_t count);
bool waypost_png_write_end(waypost_png_writer *writer);
