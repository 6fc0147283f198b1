// Copyright Waypost contributors. Licence: Apache-2.0.
//
// Four pixels at a time, for the kernels that sample. One interpolation is (p * (128 - w) + q * w +
// 64) >> 7 for each channel, on every processor alike.
#pragma once

#include <string.h>

#include "CPixels.h"

#if defined(__aarch64__) && defined(__ARM_NEON)
#define WAYPOST_NEON 1
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef uint16_t u16x8 __attribute__((vector_size(16)));
typedef int16_t i16x8 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint64_t u64x2 __attribute__((vector_size(16)));
typedef uint8_t u8x8 __attribute__((vector_size(8)));
typedef uint8_t u8x16 __attribute__((vector_size(16)));

static inline u32x4 load4(const uint32_t *from) {
  u32x4 four;
  memcpy(&four, from, 16);
  return four;
}

static inline void store4(u32x4 four, uint32_t *to) { memcpy(to, &four, 16); }

/// Two pairs of neighbouring pixels.
static inline u32x4 load_two(const uint32_t *a, const uint32_t *b) {
#ifdef __SSE2__
  __m128i first = _mm_loadl_epi64((const __m128i *)a);
  return (u32x4)_mm_loadh_pi((__m128)first, (const __m64 *)b);
#else
  uint64_t first, second;
  memcpy(&first, a, 8);
  memcpy(&second, b, 8);
  return (u32x4)(u64x2){first, second};
#endif
}

/// Splits the pixels at four indices and their neighbours into first and second ones.
static inline void load_pairs(
    const uint32_t *from, int64_t a, int64_t b, int64_t c, int64_t d, u32x4 *first,
    u32x4 *second) {
  u32x4 low = load_two(from + a, from + b), high = load_two(from + c, from + d);
  *first = __builtin_shufflevector(low, high, 0, 2, 4, 6);
  *second = __builtin_shufflevector(low, high, 1, 3, 5, 7);
}

// Weights of four pixels, and four mixed pixels: bytes, or the even (blue, red) and the odd ones
// (green, alpha) in 16-bit lanes, where bytes cannot be multiplied. `plane` is one channel of eight
// pixels.
#ifdef WAYPOST_NEON

typedef u8x16 weights4;
typedef u8x16 mixed4;
typedef u8x8 plane;

static inline weights4 same_weight(unsigned weight) { return (u8x16)vdupq_n_u8((uint8_t)weight); }

/// The upper 7 bits of four fractions of 16 bits.
static inline weights4 fraction_weights(u32x4 places) {
  static const uint8_t second[16] = {1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13};
  return (u8x16)vshrq_n_u8(vqtbl1q_u8((uint8x16_t)places, vld1q_u8(second)), 1);
}

static inline mixed4 mix4(u32x4 first, u32x4 second, weights4 weights) {
  uint8x16_t p = (uint8x16_t)first, q = (uint8x16_t)second, w = (uint8x16_t)weights;
  uint8x16_t rest = vsubq_u8(vdupq_n_u8(128), w);
  uint16x8_t low = vmull_u8(vget_low_u8(p), vget_low_u8(rest));
  uint16x8_t high = vmull_high_u8(p, rest);
  low = vmlal_u8(low, vget_low_u8(q), vget_low_u8(w));
  high = vmlal_high_u8(high, q, w);
  return (u8x16)vrshrn_high_n_u16(vrshrn_n_u16(low, 7), high, 7);
}

static inline mixed4 mix_mixed(mixed4 p, mixed4 q, weights4 weights) {
  return mix4((u32x4)p, (u32x4)q, weights);
}

static inline u32x4 joined(mixed4 four) { return (u32x4)four; }

static inline plane mix_plane(plane p, plane q, unsigned weight) {
  uint16x8_t sum = vmull_u8((uint8x8_t)p, vdup_n_u8((uint8_t)(128 - weight)));
  return (plane)vrshrn_n_u16(vmlal_u8(sum, (uint8x8_t)q, vdup_n_u8((uint8_t)weight)), 7);
}

static inline void planes_of(
    mixed4 first, mixed4 second, plane *blue, plane *green, plane *red) {
  uint16x8_t even = vreinterpretq_u16_u8(vuzp1q_u8((uint8x16_t)first, (uint8x16_t)second));
  uint16x8_t odd = vreinterpretq_u16_u8(vuzp2q_u8((uint8x16_t)first, (uint8x16_t)second));
  *blue = (plane)vmovn_u16(even);
  *red = (plane)vshrn_n_u16(even, 8);
  *green = (plane)vmovn_u16(odd);
}

#else

typedef i16x8 weights4;
typedef struct {
  i16x8 even, odd;
} mixed4;
typedef i16x8 plane;

static inline i16x8 all(int value) {
  int16_t v = (int16_t)value;
  return (i16x8){v, v, v, v, v, v, v, v};
}

static inline weights4 same_weight(unsigned weight) { return all((int)weight); }

static inline weights4 fraction_weights(u32x4 places) {
  u16x8 lower = (u16x8)places;
  return (i16x8)(__builtin_shufflevector(lower, lower, 0, 0, 2, 2, 4, 4, 6, 6) >> 9);
}

static inline i16x8 mix_lanes(i16x8 p, i16x8 q, i16x8 weights) {
  return p + (((q - p) * weights + all(64)) >> 7);
}

static inline mixed4 mix_mixed(mixed4 p, mixed4 q, weights4 weights) {
  return (mixed4){mix_lanes(p.even, q.even, weights), mix_lanes(p.odd, q.odd, weights)};
}

static inline mixed4 parted(u32x4 four) {
  return (mixed4){(i16x8)four & all(255), (i16x8)((u16x8)four >> 8)};
}

static inline mixed4 mix4(u32x4 first, u32x4 second, weights4 weights) {
  return mix_mixed(parted(first), parted(second), weights);
}

static inline u32x4 joined(mixed4 four) { return (u32x4)(four.even | four.odd << 8); }

static inline plane mix_plane(plane p, plane q, unsigned weight) {
  return mix_lanes(p, q, all((int)weight));
}

static inline plane narrowed(i32x4 first, i32x4 second) {
#ifdef __SSE2__
  return (plane)_mm_packs_epi32((__m128i)first, (__m128i)second);
#else
  return (plane)__builtin_shufflevector(
      (i16x8)first, (i16x8)second, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}

static inline void planes_of(
    mixed4 first, mixed4 second, plane *blue, plane *green, plane *red) {
  *blue = narrowed((i32x4)first.even & 255, (i32x4)second.even & 255);
  *red = narrowed((i32x4)first.even >> 16, (i32x4)second.even >> 16);
  *green = narrowed((i32x4)first.odd & 255, (i32x4)second.odd & 255);
}

#endif

/// What dithering adds to eight pixels: to red and blue, and to green.
typedef struct {
  plane red, green;
} dither;

#ifdef WAYPOST_NEON

static inline dither dither_of(const uint32_t offsets[4]) {
  dither result;
  for (int i = 0; i < 8; i++) {
    result.red[i] = (uint8_t)offsets[i & 3];
    result.green[i] = (uint8_t)(offsets[i & 3] >> 8);
  }
  return result;
}

/// Eight pixels in RGB565, as RGB565Dither has it.
static inline u16x8 packed(plane blue, plane green, plane red, dither offsets) {
  blue += offsets.red - (blue >> 5);
  green += offsets.green - (green >> 6);
  red += offsets.red - (red >> 5);
  uint16x8_t result = vshll_n_u8((uint8x8_t)red, 8);
  result = vsriq_n_u16(result, vshll_n_u8((uint8x8_t)green, 8), 5);
  return (u16x8)vsriq_n_u16(result, vshll_n_u8((uint8x8_t)blue, 8), 11);
}

#else

// (v - (v >> 5) + offset) >> 3 is (31 v + 31 + 32 offset) >> 8, and so it is for 6 bits.
static inline dither dither_of(const uint32_t offsets[4]) {
  dither result;
  for (int i = 0; i < 8; i++) {
    result.red[i] = (int16_t)(31 + 32 * (offsets[i & 3] & 7));
    result.green[i] = (int16_t)(63 + 64 * (offsets[i & 3] >> 8 & 3));
  }
  return result;
}

/// Eight pixels in RGB565, as RGB565Dither has it.
static inline u16x8 packed(plane blue, plane green, plane red, dither offsets) {
  i16x8 five = all(31), six = all(63);
#ifdef __SSE2__
  // Else it becomes a shift and a difference.
  __asm__("" : "+x"(five), "+x"(six));
#endif
  u16x8 b = (u16x8)(blue * five + offsets.red);
  u16x8 g = (u16x8)(green * six + offsets.green);
  u16x8 r = (u16x8)(red * five + offsets.red);
  return (r & 0x1f00) << 3 | (g & 0x3f00) >> 3 | b >> 8;
}

#endif

/// Writes the first `count` of eight pixels, 1 ... 8.
static inline void store565(u16x8 eight, uint16_t *to, size_t count) {
  memcpy(to, &eight, count < 8 ? count * 2 : 16);
}

static inline uint32_t mix1(uint32_t p, uint32_t q, uint32_t weight) {
  uint32_t rest = 128 - weight, mask = 0x00ff00ff, half = 0x00400040;
  uint32_t even = ((p & mask) * rest + (q & mask) * weight + half) >> 7;
  uint32_t odd = (p >> 8 & mask) * rest + (q >> 8 & mask) * weight + half;
  return (even & mask) | (odd << 1 & 0xff00ff00);
}
