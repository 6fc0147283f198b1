// Copyright Waypost contributors. Licence: Apache-2.0.
#include <string.h>

#include "CPixels.h"

typedef uint8_t bytes16 __attribute__((vector_size(16), aligned(1), may_alias));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef int16_t lanes4 __attribute__((vector_size(8)));

static inline lanes4 load(const uint8_t *from) {
  bytes4 four;
  memcpy(&four, from, 4);
  return __builtin_convertvector(four, lanes4);
}

static inline void store(lanes4 pixel, uint8_t *to, unsigned count) {
  bytes4 four = __builtin_convertvector(pixel, bytes4);
  // Not a byte further: what follows is still to be undone.
  if (count == 4)
    memcpy(to, &four, 4);
  else
    memcpy(to, &four, 3);
}

static inline lanes4 absolute(lanes4 value) {
  lanes4 negative = value < 0;
  return (value ^ negative) - negative;
}

static inline lanes4 paeth(lanes4 left, lanes4 up, lanes4 corner) {
  lanes4 by_left = absolute(up - corner), by_up = absolute(left - corner);
  lanes4 by_corner = absolute(left + up - corner - corner);
  lanes4 is_left = (by_left <= by_up) & (by_left <= by_corner);
  lanes4 is_up = (by_up <= by_corner) & ~is_left;
  return (left & is_left) | (up & is_up) | (corner & ~(is_left | is_up));
}

static inline void wide(
    unsigned filter, uint8_t *row, const uint8_t *above, size_t count, unsigned pixel) {
  lanes4 left = {0}, corner = {0};
  const lanes4 byte = {255, 255, 255, 255};
  for (size_t at = 0; at + pixel <= count; at += pixel) {
    lanes4 up = load(above + at), value = load(row + at);
    if (filter == 1)
      value += left;
    else if (filter == 3)
      value += (left + up) >> 1;
    else
      value += paeth(left, up, corner);
    left = value & byte;
    corner = up;
    store(left, row + at, pixel);
  }
}

static void narrow(
    unsigned filter, uint8_t *row, const uint8_t *above, size_t count, unsigned pixel) {
  for (size_t at = 0; at < count; at++) {
    int left = at < pixel ? 0 : row[at - pixel], up = above[at];
    int corner = at < pixel ? 0 : above[at - pixel];
    int add = left;
    if (filter == 3) add = (left + up) >> 1;
    if (filter == 4) {
      int by_left = up - corner, by_up = left - corner, by_corner = by_left + by_up;
      by_left = by_left < 0 ? -by_left : by_left;
      by_up = by_up < 0 ? -by_up : by_up;
      by_corner = by_corner < 0 ? -by_corner : by_corner;
      add = by_left <= by_up && by_left <= by_corner ? left : by_up <= by_corner ? up : corner;
    }
    row[at] = (uint8_t)(row[at] + add);
  }
}

void waypost_unfilter(
    unsigned filter, uint8_t *row, const uint8_t *above, size_t count, unsigned pixel) {
  if (filter == 2) {
    size_t at = 0;
    for (; at + 16 <= count; at += 16)
      *(bytes16 *)(row + at) += *(const bytes16 *)(above + at);
    for (; at < count; at++) row[at] = (uint8_t)(row[at] + above[at]);
  } else if (pixel < 3) {
    narrow(filter, row, above, count, pixel);
  } else if (pixel == 3) {
    if (filter == 1) wide(1, row, above, count, 3);
    if (filter == 3) wide(3, row, above, count, 3);
    if (filter == 4) wide(4, row, above, count, 3);
  } else {
    if (filter == 1) wide(1, row, above, count, 4);
    if (filter == 3) wide(3, row, above, count, 4);
    if (filter == 4) wide(4, row, above, count, 4);
  }
}

void waypost_rgb_to_words(
    const uint8_t *source, uint32_t *destination, size_t count, unsigned pixel) {
  if (pixel == 4) {
    for (size_t at = 0; at < count; at++) {
      uint32_t word;
      memcpy(&word, source + 4 * at, 4);
      destination[at] = (word & 0xff00ff00) | (word >> 16 & 0xff) | (word & 0xff) << 16;
    }
    return;
  }
  for (size_t at = 0; at < count; at++) {
    const uint8_t *rgb = source + 3 * at;
    destination[at] = 0xff000000 | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
  }
}
