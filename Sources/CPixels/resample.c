// Copyright Waypost contributors. Licence: Apache-2.0.
#include "lanes.h"

// A table's entry for four samples.
typedef struct {
  int32_t numbers[4];
  weights4 weights;
} samples4;

static inline size_t groups(size_t count) { return (count + 7) / 8 * 2; }

void waypost_resample_table(void *table, size_t count, int64_t position, int64_t step) {
  samples4 *group = table;
  int64_t last = position + step * (int64_t)(count - 1);
  for (size_t at = 0; at < groups(count) * 4; at += 4, group++) {
    u32x4 places;
    for (int i = 0; i < 4; i++) {
      // What only fills the last groups repeats the last sample.
      int64_t place = position + step * (int64_t)(at + i);
      if (at + i >= count) place = last;
      group->numbers[i] = (int32_t)(place >> 16);
      places[i] = (uint32_t)place;
    }
    group->weights = fraction_weights(places);
  }
}

static inline mixed4 sample4(const uint32_t *source, const samples4 *group) {
  u32x4 first, second;
  load_pairs(
      source, group->numbers[0], group->numbers[1], group->numbers[2], group->numbers[3], &first,
      &second);
  return mix4(first, second, group->weights);
}

void waypost_resample_row(
    const uint32_t *source, const void *table, uint32_t *destination, size_t count) {
  const samples4 *group = table;
  size_t at = 0;
  for (; at + 4 <= count; at += 4) store4(joined(sample4(source, group++)), destination + at);
  if (at < count) {
    u32x4 last = joined(sample4(source, group));
    memcpy(destination + at, &last, (count - at) * 4);
  }
}

void waypost_resample_row565(
    const uint32_t *source, const void *table, uint16_t *destination, size_t count,
    const uint32_t offsets[4]) {
  const samples4 *group = table;
  dither added = dither_of(offsets);
  for (size_t at = 0; at < count; at += 8, group += 2) {
    plane blue, green, red;
    planes_of(sample4(source, group), sample4(source, group + 1), &blue, &green, &red);
    store565(packed(blue, green, red, added), destination + at, count - at);
  }
}

void waypost_resample_lanes(
    const uint32_t *source, const uint32_t *other, const void *table, void *lanes,
    void *other_lanes, size_t count) {
  const samples4 *group = table;
  mixed4 *first = lanes, *second = other_lanes;
  for (size_t at = 0; at < count; at += 4, group++) {
    *first++ = sample4(source, group);
    *second++ = sample4(other, group);
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
      sample4(source, group), sample4(source, group + 1), &result.blue, &result.green,
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
