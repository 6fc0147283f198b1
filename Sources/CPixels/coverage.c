// Copyright Waypost contributors. Licence: Apache-2.0.
//
// The last step of drawing a path: sums of covered areas become blended pixels, four at a time.
#include "lanes.h"

/// 3c^2 - 2c^3 for coverage c of 255.
static const uint8_t steeper[256] = {
    0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3,
    3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 9, 10, 10,
    11, 12, 12, 13, 14, 15, 15, 16, 17, 18, 18, 19, 20, 21, 22, 23,
    24, 25, 26, 27, 27, 28, 29, 30, 31, 33, 34, 35, 36, 37, 38, 39,
    40, 41, 42, 44, 45, 46, 47, 48, 50, 51, 52, 53, 54, 56, 57, 58,
    60, 61, 62, 63, 65, 66, 67, 69, 70, 72, 73, 74, 76, 77, 78, 80,
    81, 83, 84, 85, 87, 88, 90, 91, 93, 94, 96, 97, 98, 100, 101, 103,
    104, 106, 107, 109, 110, 112, 113, 115, 116, 118, 119, 121, 122, 124, 125, 127,
    128, 130, 131, 133, 134, 136, 137, 139, 140, 142, 143, 145, 146, 148, 149, 151,
    152, 154, 155, 157, 158, 159, 161, 162, 164, 165, 167, 168, 170, 171, 172, 174,
    175, 177, 178, 179, 181, 182, 183, 185, 186, 188, 189, 190, 192, 193, 194, 195,
    197, 198, 199, 201, 202, 203, 204, 205, 207, 208, 209, 210, 211, 213, 214, 215,
    216, 217, 218, 219, 220, 221, 222, 224, 225, 226, 227, 228, 228, 229, 230, 231,
    232, 233, 234, 235, 236, 237, 237, 238, 239, 240, 240, 241, 242, 243, 243, 244,
    245, 245, 246, 246, 247, 248, 248, 249, 249, 250, 250, 251, 251, 251, 252, 252,
    252, 253, 253, 253, 254, 254, 254, 254, 254, 255, 255, 255, 255, 255, 255, 255,
};

static inline u16x8 lanes_of(unsigned value) {
  uint16_t v = (uint16_t)value;
  return (u16x8){v, v, v, v, v, v, v, v};
}

static inline u32x4 words_of(uint32_t value) { return (u32x4){value, value, value, value}; }

/// The product of two numbers of at most 255, divided by 255 and rounded.
static inline u16x8 times(u16x8 a, u16x8 b) {
  u16x8 product = a * b + lanes_of(128);
  return (product + (product >> 8)) >> 8;
}

static inline uint32_t times1(uint32_t a, uint32_t b) {
  uint32_t product = a * b + 128;
  return (product + (product >> 8)) >> 8;
}

/// A colour, not premultiplied: blue and red, green and full alpha, and its alpha.
typedef struct {
  u16x8 even, odd, alpha;
  int steep;
} ink;

/// Four pixels under a colour whose alpha is `a` in both lanes of each.
static inline u32x4 under(u32x4 pixels, ink ink, u16x8 a) {
  u16x8 rest = lanes_of(255) - a, byte = lanes_of(255);
  u16x8 even = times((u16x8)pixels & byte, rest) + times(ink.even, a);
  u16x8 odd = times((u16x8)pixels >> 8, rest) + times(ink.odd, a);
  return (u32x4)(even | odd << 8);
}

/// The alpha of four sums, in both lanes of each. 131072 is a whole pixel.
static inline u16x8 alpha_of(i32x4 sums, ink ink) {
  i32x4 negative = sums >> 31;
  u32x4 area = (u32x4)((sums ^ negative) - negative);
  u32x4 full = words_of(131072), less = (u32x4)(area < full);
  area = (area & less) | (full & ~less);
  u32x4 c = (area * 255 + words_of(65536)) >> 17;
  if (ink.steep) c = (u32x4){steeper[c[0]], steeper[c[1]], steeper[c[2]], steeper[c[3]]};
  return times((u16x8)(c | c << 16), ink.alpha);
}

static inline uint32_t alpha1(int32_t sum, uint32_t alpha, int steep) {
  uint32_t area = sum < 0 ? 0 - (uint32_t)sum : (uint32_t)sum;
  if (area > 131072) area = 131072;
  uint32_t c = (area * 255 + 65536) >> 17;
  return times1(steep ? steeper[c] : c, alpha);
}

/// Pixels that are covered alike.
static inline void run(uint32_t *pixels, size_t count, ink ink, uint32_t color, uint32_t a) {
  if (a == 0) return;
  if (a == 255) {
    for (size_t i = 0; i < count; i++) pixels[i] = color | 0xff000000;
    return;
  }
  u16x8 lanes = lanes_of(a), rest = lanes_of(255 - a), byte = lanes_of(255);
  u16x8 even = times(ink.even, lanes), odd = times(ink.odd, lanes);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    u32x4 four = load4(pixels + i);
    u16x8 lower = times((u16x8)four & byte, rest) + even;
    u16x8 upper = times((u16x8)four >> 8, rest) + odd;
    store4((u32x4)(lower | upper << 8), pixels + i);
  }
  for (; i < count; i++) {
    u32x4 one = under(words_of(pixels[i]), ink, lanes);
    pixels[i] = one[0];
  }
}

static inline int are_zero(const int32_t *cells) {
  uint64_t a, b;
  memcpy(&a, cells, 8);
  memcpy(&b, cells + 2, 8);
  return (a | b) == 0;
}

static inline void sweep_row(
    int32_t *cells, size_t count, size_t width, uint32_t *pixels, uint32_t color, ink ink) {
  uint32_t alpha = color >> 24;
  const i32x4 zero = {0, 0, 0, 0};
  i32x4 carry = zero;
  size_t i = 0;
  while (i < count) {
    if (are_zero(cells + i)) {
      size_t start = i;
      do i += 4;
      while (i < count && are_zero(cells + i));
      if (i > count) i = count;
      run(pixels + start, i - start, ink, color, alpha1(carry[0], alpha, ink.steep));
      continue;
    }
    i32x4 sums;
    memcpy(&sums, cells + i, 16);
    memcpy(cells + i, &zero, 16);
    sums += __builtin_shufflevector(zero, sums, 3, 4, 5, 6);
    sums += __builtin_shufflevector(zero, sums, 2, 3, 4, 5);
    sums += carry;
    carry = __builtin_shufflevector(sums, sums, 3, 3, 3, 3);
    u16x8 a = alpha_of(sums, ink);
    if (count - i >= 4) {
      store4(under(load4(pixels + i), ink, a), pixels + i);
    } else {
      size_t rest = count - i;
      u32x4 four = {pixels[i], rest > 1 ? pixels[i + 1] : 0, rest > 2 ? pixels[i + 2] : 0, 0};
      four = under(four, ink, a);
      pixels[i] = four[0];
      if (rest > 1) pixels[i + 1] = four[1];
      if (rest > 2) pixels[i + 2] = four[2];
    }
    i += 4;
  }
  // Edges beyond the right side were skipped: the coverage continues to the end.
  if (count < width)
    run(pixels + count, width - count, ink, color, alpha1(carry[0], alpha, ink.steep));
}

void waypost_sweep(
    int32_t *cells, size_t cell_stride, const int32_t *spans, size_t rows, size_t width,
    uint32_t *pixels, ptrdiff_t stride, uint32_t color, int steep) {
  ink ink = {
      (u16x8)words_of(color & 0x00ff00ff), (u16x8)words_of((color >> 8 & 0xff) | 0x00ff0000),
      lanes_of(color >> 24), steep};
  for (size_t row = 0; row < rows; row++) {
    if (spans[2 * row + 1] >= 0) {
      size_t first = (size_t)spans[2 * row], end = (size_t)spans[2 * row + 1] + 1;
      if (end > width) end = width;
      sweep_row(cells + first, end - first, width - first, pixels + first, color, ink);
      cells[width] = cells[width + 1] = 0;
    }
    cells += cell_stride;
    pixels += stride;
  }
}
