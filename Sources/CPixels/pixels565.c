// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CPixels.h"

// Vectors of 16 bytes at any address: NEON's and SSE2's.
typedef uint16_t halves __attribute__((vector_size(16), aligned(2), may_alias));
typedef uint32_t words __attribute__((vector_size(16), aligned(2), may_alias));

void waypost_pack565(
    const uint32_t *source, uint16_t *destination, size_t count, const uint32_t offsets[4]) {
  halves low_offsets, high_offsets;
  for (int i = 0; i < 8; i++) {
    low_offsets[i] = (uint16_t)offsets[i & 3];
    high_offsets[i] = (uint16_t)(offsets[i & 3] >> 16);
  }
  size_t at = 0;
  for (; at + 8 <= count; at += 8) {
    words first = *(const words *)(source + at);
    words second = *(const words *)(source + at + 4);
    words even = __builtin_shufflevector(first, second, 0, 2, 4, 6);
    words odd = __builtin_shufflevector(first, second, 1, 3, 5, 7);
    // Green and blue of eight pixels, and alpha and red.
    halves green_blue = (halves)((even & 0xffff) | odd << 16);
    halves red = (halves)(even >> 16 | (odd & 0xffff0000));
    green_blue += low_offsets - ((green_blue >> 5 & 0x0007) | (green_blue >> 6 & 0x0300));
    red += high_offsets - (red >> 5 & 0x0007);
    *(halves *)(destination + at) =
        (red << 8 & 0xf800) | (green_blue >> 5 & 0x07e0) | (green_blue >> 3 & 0x001f);
  }
  for (; at < count; at++) {
    uint32_t pixel = source[at] & 0x00ffffff;
    pixel += offsets[at & 3] - (pixel >> 5 & 0x00070007) - (pixel >> 6 & 0x0300);
    destination[at] =
        (uint16_t)((pixel >> 8 & 0xf800) | (pixel >> 5 & 0x07e0) | (pixel >> 3 & 0x001f));
  }
}

void waypost_expand565(const uint16_t *source, uint32_t *destination, size_t count) {
  size_t at = 0;
  for (; at + 8 <= count; at += 8) {
    halves v = *(const halves *)(source + at);
    halves red = (v >> 8 & 0xf8) | v >> 13 | 0xff00;
    halves green_blue =
        (v << 5 & 0xfc00) | (v >> 1 & 0x0300) | (v << 3 & 0xf8) | (v >> 2 & 0x07);
    *(halves *)(destination + at) =
        __builtin_shufflevector(green_blue, red, 0, 8, 1, 9, 2, 10, 3, 11);
    *(halves *)(destination + at + 4) =
        __builtin_shufflevector(green_blue, red, 4, 12, 5, 13, 6, 14, 7, 15);
  }
  for (; at < count; at++) {
    uint32_t v = source[at];
    destination[at] = 0xff000000 | (v << 8 & 0xf80000) | (v << 3 & 0x070000) | (v << 5 & 0xfc00) |
                      (v >> 1 & 0x0300) | (v << 3 & 0xf8) | (v >> 2 & 0x07);
  }
}
