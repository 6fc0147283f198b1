// Copyright Waypost contributors. Licence: Apache-2.0.
#include "lanes.h"

static inline size_t groups(size_t count) { return (count + 7) / 8 * 2; }

// A table's entry for four samples.
typedef struct {
  int32_t numbers[4];
  weights4 weights;
#ifdef __SSE2__
  i16x8 wide_weights[2];
#endif
} samples4;

static inline mixed4 sample_words(const uint32_t *source, const samples4 *group) {
  u32x4 first, second;
  load_pairs(
      source, group->numbers[0], group->numbers[1], group->numbers[2], group->numbers[3], &first,
      &second);
  return mix4(first, second, group->weights);
}

#ifdef __SSE2__

// SSE2 cannot multiply bytes. So rows that are mixed first stay at 16 bits per channel and are
// sampled in that form, where one load fetches two neighbours.
typedef struct {
  i16x8 first, second;
} sampled4;

enum { widest = 1024 };
typedef struct {
  u64x2 words[widest / 2];
} row_buffer;
typedef uint64_t row_word;

static inline void note_weights(samples4 *group, u32x4 places) {
  u16x8 lower = (u16x8)places;
  group->weights = fraction_weights(places);
  group->wide_weights[0] = (i16x8)(__builtin_shufflevector(lower, lower, 0, 0, 0, 0, 2, 2, 2, 2) >> 9);
  group->wide_weights[1] = (i16x8)(__builtin_shufflevector(lower, lower, 4, 4, 4, 4, 6, 6, 6, 6) >> 9);
}

static inline i16x8 low_half(u32x4 four) {
  return (i16x8)_mm_unpacklo_epi8((__m128i)four, _mm_setzero_si128());
}

static inline i16x8 high_half(u32x4 four) {
  return (i16x8)_mm_unpackhi_epi8((__m128i)four, _mm_setzero_si128());
}

// Nothing after a row is read, even if its length is no multiple of four.
static inline u32x4 load_some(const uint32_t *from, size_t count) {
  u32x4 four = {0};
  memcpy(&four, from, count * 4);
  return four;
}

static inline const row_word *prepared(const uint32_t *source, size_t count, row_buffer *row) {
  i16x8 *out = (i16x8 *)row->words;
  size_t at = 0;
  for (; at + 4 <= count; at += 4) {
    u32x4 four = load4(source + at);
    *out++ = low_half(four);
    *out++ = high_half(four);
  }
  if (at < count) {
    u32x4 four = load_some(source + at, count - at);
    *out++ = low_half(four);
    *out++ = high_half(four);
  }
  return (const row_word *)row->words;
}

static inline const row_word *prepared_between(
    const uint32_t *a, const uint32_t *b, unsigned weight, size_t count, row_buffer *row) {
  if (weight == 0) return prepared(a, count, row);
  i16x8 *out = (i16x8 *)row->words, weights = all((int)weight);
  size_t at = 0;
  for (; at + 4 <= count; at += 4) {
    u32x4 p = load4(a + at), q = load4(b + at);
    *out++ = mix_lanes(low_half(p), low_half(q), weights);
    *out++ = mix_lanes(high_half(p), high_half(q), weights);
  }
  if (at < count) {
    u32x4 p = load_some(a + at, count - at), q = load_some(b + at, count - at);
    *out++ = mix_lanes(low_half(p), low_half(q), weights);
    *out++ = mix_lanes(high_half(p), high_half(q), weights);
  }
  return (const row_word *)row->words;
}

static inline i16x8 sample2(const row_word *row, const int32_t *numbers, i16x8 weights) {
  u64x2 one = (u64x2)_mm_loadu_si128((const __m128i *)(row + numbers[0]));
  u64x2 other = (u64x2)_mm_loadu_si128((const __m128i *)(row + numbers[1]));
  i16x8 first = (i16x8)__builtin_shufflevector(one, other, 0, 2);
  i16x8 second = (i16x8)__builtin_shufflevector(one, other, 1, 3);
  return mix_lanes(first, second, weights);
}

static inline sampled4 sample4(const row_word *row, const samples4 *group) {
  return (sampled4){
      sample2(row, group->numbers, group->wide_weights[0]),
      sample2(row, group->numbers + 2, group->wide_weights[1])};
}

static inline u32x4 bytes_of(sampled4 four) {
  return (u32x4)_mm_packus_epi16((__m128i)four.first, (__m128i)four.second);
}

typedef struct {
  i16x8 first, second;
} row_dither;

// Like `packed`, with 256 in place of alpha: 1 times -32768 then makes the sums signed numbers.
static inline row_dither row_dither_of(const uint32_t offsets[4]) {
  row_dither result;
  for (int i = 0; i < 4; i++) {
    int16_t red = (int16_t)(31 + 32 * (offsets[i] & 7));
    int16_t green = (int16_t)(63 + 64 * (offsets[i] >> 8 & 3));
    i16x8 *to = i < 2 ? &result.first : &result.second;
    int at = (i & 1) * 4;
    (*to)[at] = red;
    (*to)[at + 1] = green;
    (*to)[at + 2] = red;
    (*to)[at + 3] = 256;
  }
  return result;
}

static inline __m128i sums565(sampled4 four, row_dither added) {
  const i16x8 factors = {31, 63, 31, 0, 31, 63, 31, 0};
  const __m128i places = _mm_setr_epi16(1, 32, 2048, -32768, 1, 32, 2048, -32768);
  u16x8 first = (u16x8)(four.first * factors + added.first) >> 8;
  u16x8 second = (u16x8)(four.second * factors + added.second) >> 8;
  u32x4 low = (u32x4)_mm_madd_epi16((__m128i)first, places);
  u32x4 high = (u32x4)_mm_madd_epi16((__m128i)second, places);
  return (__m128i)(__builtin_shufflevector(low, high, 0, 2, 4, 6) +
                   __builtin_shufflevector(low, high, 1, 3, 5, 7));
}

static inline u16x8 packed_row(sampled4 a, sampled4 b, row_dither added) {
  return (u16x8)_mm_packs_epi32(sums565(a, added), sums565(b, added)) ^ 0x8000;
}

#else

typedef mixed4 sampled4;

enum { widest = 1024 };
typedef struct {
  uint32_t words[widest];
} row_buffer;
typedef uint32_t row_word;

static inline void note_weights(samples4 *group, u32x4 places) {
  group->weights = fraction_weights(places);
}

static inline const row_word *prepared_between(
    const uint32_t *a, const uint32_t *b, unsigned weight, size_t count, row_buffer *row) {
  if (weight == 0) return a;
  waypost_mix_rows(a, b, weight, row->words, count);
  return row->words;
}

static inline sampled4 sample4(const row_word *row, const samples4 *group) {
  return sample_words(row, group);
}

static inline u32x4 bytes_of(sampled4 four) { return joined(four); }

typedef dither row_dither;

static inline row_dither row_dither_of(const uint32_t offsets[4]) { return dither_of(offsets); }

static inline u16x8 packed_row(sampled4 a, sampled4 b, row_dither added) {
  plane blue, green, red;
  planes_of(a, b, &blue, &green, &red);
  return packed(blue, green, red, added);
}

#endif

void waypost_resample_table(void *table, size_t count, int64_t position, int64_t step) {
  samples4 *group = table;
  int64_t last = position + step * (int64_t)(count - 1);
  for (size_t at = 0; at < groups(count) * 4; at += 4, group++) {
    u32x4 places;
    for (int i = 0; i < 4; i++) {
      // The last group is filled by repeating the last sample.
      int64_t place = position + step * (int64_t)(at + i);
      if (at + i >= count) place = last;
      group->numbers[i] = (int32_t)(place >> 16);
      places[i] = (uint32_t)place;
    }
    note_weights(group, places);
  }
}

/// Pixels of a row that a table's samples are made of.
static inline size_t row_words(const samples4 *table, size_t count) {
  size_t words = (size_t)table[groups(count) - 1].numbers[3] + 2;
  return words < widest ? words : widest;
}

void waypost_resample_between(
    const uint32_t *a, const uint32_t *b, unsigned weight, const void *table,
    uint32_t *destination, size_t count) {
  const samples4 *group = table;
  row_buffer buffer;
  const row_word *row = prepared_between(a, b, weight, row_words(table, count), &buffer);
  size_t at = 0;
  for (; at + 4 <= count; at += 4) store4(bytes_of(sample4(row, group++)), destination + at);
  if (at < count) {
    u32x4 last = bytes_of(sample4(row, group));
    memcpy(destination + at, &last, (count - at) * 4);
  }
}

void waypost_resample_between565(
    const uint32_t *a, const uint32_t *b, unsigned weight, const void *table,
    uint16_t *destination, size_t count, const uint32_t offsets[4]) {
  const samples4 *group = table;
  row_dither added = row_dither_of(offsets);
  row_buffer buffer;
  const row_word *row = prepared_between(a, b, weight, row_words(table, count), &buffer);
  for (size_t at = 0; at < count; at += 8, group += 2) {
    store565(
        packed_row(sample4(row, group), sample4(row, group + 1), added), destination + at,
        count - at);
  }
}

void waypost_resample_lanes(
    const uint32_t *source, const uint32_t *other, const void *table, void *lanes,
    void *other_lanes, size_t count) {
  const samples4 *group = table;
  mixed4 *first = lanes, *second = other_lanes;
  for (size_t at = 0; at < count; at += 4, group++) {
    *first++ = sample_words(source, group);
    *second++ = sample_words(other, group);
  }
}

void waypost_mix_lanes(
    const void *a, const void *b, unsigned weight, uint32_t *destination, size_t count) {
  const mixed4 *first = a, *second = weight == 0 ? a : b;
  weights4 weights = same_weight(weight);
  size_t at = 0;
#pragma clang loop unroll_count(2)
  for (; at + 4 <= count; at += 4)
    store4(joined(mix_mixed(*first++, *second++, weights)), destination + at);
  if (at < count) {
    u32x4 last = joined(mix_mixed(*first, *second, weights));
    memcpy(destination + at, &last, (count - at) * 4);
  }
}

typedef struct {
  plane blue, green, red;
} planes8;

static inline planes8 sample8(const uint32_t *source, const samples4 *group) {
  planes8 result;
  planes_of(
      sample_words(source, group), sample_words(source, group + 1), &result.blue, &result.green,
      &result.red);
  return result;
}

void waypost_resample_planes(
    const uint32_t *source, const uint32_t *other, const void *table, void *planes,
    void *other_planes, size_t count) {
  const samples4 *group = table;
  planes8 *first = planes, *second = other_planes;
  for (size_t at = 0; at < count; at += 8, group += 2) {
    *first++ = sample8(source, group);
    *second++ = sample8(other, group);
  }
}

void waypost_mix_planes565(
    const void *a, const void *b, unsigned weight, uint16_t *destination, size_t count,
    const uint32_t offsets[4]) {
  const planes8 *first = a, *second = weight == 0 ? a : b;
  dither added = dither_of(offsets);
  for (size_t at = 0; at < count; at += 8, first++, second++) {
    store565(
        packed(
            mix_plane(first->blue, second->blue, weight),
            mix_plane(first->green, second->green, weight),
            mix_plane(first->red, second->red, weight), added),
        destination + at, count - at);
  }
}

void waypost_mix_rows(
    const uint32_t *a, const uint32_t *b, unsigned weight, uint32_t *destination, size_t count) {
  weights4 weights = same_weight(weight);
  size_t at = 0;
  for (; at + 4 <= count; at += 4)
    store4(joined(mix4(load4(a + at), load4(b + at), weights)), destination + at);
  for (; at < count; at++) destination[at] = mix1(a[at], b[at], weight);
}
