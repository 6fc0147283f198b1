// Copyright Waypost contributors. Licence: Apache-2.0.
//
// Blending rows of premultiplied pixels. Along the edges of letters, pixels alternate between
// clear, translucent and opaque, which defeats branch prediction. So four pixels are always
// blended.
#include "lanes.h"

#ifdef WAYPOST_NEON

typedef uint8x16_t four;

static inline four load(const uint32_t *from) { return (four)load4(from); }
static inline void store(four pixels, uint32_t *to) { store4((u32x4)pixels, to); }
static inline int is_clear(four a, four b) {
  return vmaxvq_u32((uint32x4_t)vorrq_u8(a, b)) == 0;
}

/// `source + under * (255 - alpha) / 255`, at most 255, rounded.
static inline four over(four source, four under) {
  static const uint8_t alphas[16] = {3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15};
  four rest = vmvnq_u8(vqtbl1q_u8(source, vld1q_u8(alphas)));
  uint16x8_t low = vmull_u8(vget_low_u8(under), vget_low_u8(rest));
  uint16x8_t high = vmull_high_u8(under, rest);
  low = vrsraq_n_u16(low, low, 8);
  high = vrsraq_n_u16(high, high, 8);
  return vqaddq_u8(source, vrshrn_high_n_u16(vrshrn_n_u16(low, 8), high, 8));
}

/// Every byte times `opacity / 256`, rounded; `opacity` is below 256.
static inline four faded(four pixels, unsigned opacity) {
  four factor = vdupq_n_u8((uint8_t)opacity);
  uint16x8_t low = vmull_u8(vget_low_u8(pixels), vget_low_u8(factor));
  uint16x8_t high = vmull_high_u8(pixels, factor);
  return vrshrn_high_n_u16(vrshrn_n_u16(low, 8), high, 8);
}

#elif defined(__SSE2__)

typedef __m128i four;

static inline four load(const uint32_t *from) { return _mm_loadu_si128((const __m128i *)from); }
static inline void store(four pixels, uint32_t *to) { _mm_storeu_si128((__m128i *)to, pixels); }
static inline int is_clear(four a, four b) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(a, b), _mm_setzero_si128())) == 0xffff;
}

/// `source + under * (255 - alpha) / 255`, at most 255, rounded.
static inline four over(four source, four under) {
  const __m128i bytes = _mm_set1_epi16(255), half = _mm_set1_epi16(128);
  // (x + x / 256) / 256 of 16 bits is the upper half of x * 257.
  const __m128i factor = _mm_set1_epi16(257);
  __m128i alpha = _mm_srli_epi32(source, 24);
  __m128i rest = _mm_xor_si128(_mm_or_si128(alpha, _mm_slli_epi32(alpha, 16)), bytes);
  __m128i even = _mm_mullo_epi16(_mm_and_si128(under, bytes), rest);
  __m128i odd = _mm_mullo_epi16(_mm_srli_epi16(under, 8), rest);
  even = _mm_mulhi_epu16(_mm_add_epi16(even, half), factor);
  odd = _mm_mulhi_epu16(_mm_add_epi16(odd, half), factor);
  return _mm_adds_epu8(source, _mm_or_si128(even, _mm_slli_epi16(odd, 8)));
}

/// Every byte times `opacity / 256`, rounded; `opacity` is below 256.
static inline four faded(four pixels, unsigned opacity) {
  const __m128i half = _mm_set1_epi16(128), factor = _mm_set1_epi16((short)opacity);
  __m128i even = _mm_mullo_epi16(_mm_and_si128(pixels, _mm_set1_epi16(255)), factor);
  __m128i odd = _mm_mullo_epi16(_mm_srli_epi16(pixels, 8), factor);
  even = _mm_srli_epi16(_mm_add_epi16(even, half), 8);
  odd = _mm_and_si128(_mm_add_epi16(odd, half), _mm_set1_epi16((short)0xff00));
  return _mm_or_si128(even, odd);
}

#else

typedef u32x4 four;

static inline four load(const uint32_t *from) { return load4(from); }
static inline void store(four pixels, uint32_t *to) { store4(pixels, to); }
static inline int is_clear(four a, four b) {
  four any = a | b;
  return (any[0] | any[1] | any[2] | any[3]) == 0;
}

static inline four over(four source, four under) {
  four result;
  for (int n = 0; n < 4; n++) {
    uint32_t rest = 255 - (source[n] >> 24), pixel = 0;
    for (int shift = 0; shift < 32; shift += 8) {
      uint32_t below = (under[n] >> shift & 255) * rest + 128;
      uint32_t sum = (source[n] >> shift & 255) + ((below + (below >> 8)) >> 8);
      pixel |= (sum > 255 ? 255 : sum) << shift;
    }
    result[n] = pixel;
  }
  return result;
}

static inline four faded(four pixels, unsigned opacity) {
  four result;
  for (int n = 0; n < 4; n++) {
    uint32_t pixel = 0;
    for (int shift = 0; shift < 32; shift += 8)
      pixel |= ((pixels[n] >> shift & 255) * opacity + 128) >> 8 << shift;
    result[n] = pixel;
  }
  return result;
}

#endif

/// Eight pixels.
static inline void blend_eight(
    four first, four second, const uint32_t *under, uint32_t *destination, unsigned opacity) {
  if (opacity < 256) {
    first = faded(first, opacity);
    second = faded(second, opacity);
  }
  first = over(first, load(under));
  second = over(second, load(under + 4));
  store(first, destination);
  store(second, destination + 4);
}

/// `skips`: `under` is the destination, so clear pixels can be skipped.
static inline void blend(
    const uint32_t *source, const uint32_t *under, uint32_t *destination, size_t count,
    unsigned opacity, int skips) {
  size_t at = 0;
  for (; at + 8 <= count; at += 8) {
    four first = load(source + at), second = load(source + at + 4);
    if (skips && is_clear(first, second)) continue;
    blend_eight(first, second, under + at, destination + at, opacity);
  }
  uint32_t rest[8] = {0}, below[8] = {0};
  size_t left = count - at;
  if (left == 0) return;
  if (at > 0 && under != destination) {
    // Blends the last eight, some of them a second time: faster than a partial group.
    at = count - 8;
    blend_eight(load(source + at), load(source + at + 4), under + at, destination + at, opacity);
    return;
  }
  memcpy(rest, source + at, left * 4);
  memcpy(below, under + at, left * 4);
  for (size_t n = 0; n < left; n += 4) {
    four pixels = load(rest + n);
    if (opacity < 256) pixels = faded(pixels, opacity);
    store(over(pixels, load(below + n)), below + n);
  }
  memcpy(destination + at, below, left * 4);
}

void waypost_blend(
    const uint32_t *source, const uint32_t *under, uint32_t *destination, size_t count,
    unsigned opacity) {
  if (opacity >= 256)
    blend(source, under, destination, count, 256, 0);
  else
    blend(source, under, destination, count, opacity, 0);
}

void waypost_blend_over(
    const uint32_t *source, uint32_t *destination, size_t count, unsigned opacity) {
  if (opacity >= 256)
    blend(source, destination, destination, count, 256, 1);
  else
    blend(source, destination, destination, count, opacity, 1);
}
