// Copyright Waypost contributors. Licence: Apache-2.0.
#include "lanes.h"

// The four pixels around a sample, for four samples.
typedef struct {
  u32x4 upper_left, upper_right, lower_left, lower_right;
} corners4;

// Between the rows first, then along them.
static inline mixed4 mix_corners(corners4 c, weights4 across, weights4 down) {
  return mix_mixed(
      mix4(c.upper_left, c.lower_left, down), mix4(c.upper_right, c.lower_right, down), across);
}

// Positions of four samples, and the step to the next four.
typedef struct {
  u32x4 columns, rows, column_step, row_step;
} places4;

static inline u32x4 four_places(int64_t first, int64_t step) {
  return (u32x4){
      (uint32_t)first, (uint32_t)(first + step), (uint32_t)(first + 2 * step),
      (uint32_t)(first + 3 * step)};
}

static inline places4 places_of(int64_t u, int64_t v, int64_t du, int64_t dv) {
  uint32_t across = (uint32_t)(4 * du), down = (uint32_t)(4 * dv);
  return (places4){
      four_places(u, du), four_places(v, dv), (u32x4){across, across, across, across},
      (u32x4){down, down, down, down}};
}

/// The next four samples. Whole parts have 16 bits with a sign, and so has the stride.
static inline mixed4 next4(const uint32_t *source, ptrdiff_t stride, places4 *places) {
  i32x4 offsets;
#ifdef __SSE2__
  u32x4 both = places->columns >> 16 | (places->rows & 0xffff0000);
  int32_t factors = (int32_t)((uint32_t)stride << 16 | 1);
  offsets = (i32x4)_mm_madd_epi16((__m128i)both, _mm_set1_epi32(factors));
#else
  int32_t s = (int32_t)stride;
  offsets = ((i32x4)places->rows >> 16) * (i32x4){s, s, s, s} + ((i32x4)places->columns >> 16);
#endif
  u64x2 pairs = (u64x2)offsets;
  uint64_t first = pairs[0], second = pairs[1];
  int64_t a = (int32_t)first, b = (int64_t)first >> 32;
  int64_t c = (int32_t)second, d = (int64_t)second >> 32;
  corners4 corners;
  load_pairs(source, a, b, c, d, &corners.upper_left, &corners.upper_right);
  load_pairs(source + stride, a, b, c, d, &corners.lower_left, &corners.lower_right);
  mixed4 result =
      mix_corners(corners, fraction_weights(places->columns), fraction_weights(places->rows));
  places->columns += places->column_step;
  places->rows += places->row_step;
  return result;
}

static inline uint32_t sample1(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v) {
  const uint32_t *upper = source + (v >> 16) * stride + (u >> 16), *lower = upper + stride;
  uint32_t across = u >> 9 & 127, down = v >> 9 & 127;
  return mix1(mix1(upper[0], lower[0], down), mix1(upper[1], lower[1], down), across);
}

static inline void rotate_row(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v, int64_t du, int64_t dv,
    uint32_t *destination, size_t count) {
  places4 places = places_of(u, v, du, dv);
  size_t at = 0;
  for (; at + 4 <= count; at += 4) store4(joined(next4(source, stride, &places)), destination + at);
  for (; at < count; at++)
    destination[at] = sample1(source, stride, u + du * (int64_t)at, v + dv * (int64_t)at);
}

static inline void rotate_row565(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v, int64_t du, int64_t dv,
    uint16_t *destination, size_t count, const uint32_t offsets[4]) {
  places4 places = places_of(u, v, du, dv);
  dither added = dither_of(offsets);
  plane blue, green, red;
  size_t at = 0;
  for (; at + 8 <= count; at += 8) {
    mixed4 first = next4(source, stride, &places), second = next4(source, stride, &places);
    planes_of(first, second, &blue, &green, &red);
    store565(packed(blue, green, red, added), destination + at, 8);
  }
  if (at < count) {
    uint32_t rest[8] = {0};
    for (size_t i = 0; at + i < count; i++) {
      int64_t n = (int64_t)(at + i);
      rest[i] = sample1(source, stride, u + du * n, v + dv * n);
    }
    waypost_pack565(rest, destination + at, count - at, offsets);
  }
}

// Prefetches the source of the next block, a part with each row of the present one: rows of a
// turned block are too short for the processor to predict them.
static inline void fetch_part(struct waypost_block next, size_t row, size_t rows) {
  size_t end = (row + 1) * next.rows / rows;
  for (size_t n = row * next.rows / rows; n < end; n++) {
    const uint32_t *words = next.words + (ptrdiff_t)n * next.stride;
    for (size_t at = 0; at < next.width; at += 16) __builtin_prefetch(words + at);
    __builtin_prefetch(words + next.width - 1);
  }
}

void waypost_fetch(struct waypost_block block) {
  if (block.width > 0) fetch_part(block, 0, 1);
}

void waypost_rotate_block(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v, int64_t du, int64_t dv,
    uint32_t *destination, ptrdiff_t destination_stride, size_t width, size_t height,
    struct waypost_block next) {
  for (size_t row = 0; row < height; row++) {
    if (next.width > 0) fetch_part(next, row, height);
    int64_t n = (int64_t)row;
    rotate_row(
        source, stride, u - n * dv, v + n * du, du, dv, destination + n * destination_stride,
        width);
  }
}

void waypost_rotate_block565(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v, int64_t du, int64_t dv,
    uint16_t *destination, ptrdiff_t destination_stride, size_t width, size_t height,
    struct waypost_block next, const uint32_t offsets[16]) {
  for (size_t row = 0; row < height; row++) {
    if (next.width > 0) fetch_part(next, row, height);
    int64_t n = (int64_t)row;
    rotate_row565(
        source, stride, u - n * dv, v + n * du, du, dv, destination + n * destination_stride,
        width, offsets + (row & 3) * 4);
  }
}
