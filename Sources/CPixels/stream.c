// Copyright Waypost contributors. Licence: Apache-2.0.
//
// Copying to a frame that the processor rarely reads again. A plain store first reads the cache
// line that it changes; a streaming store does not.
#include <string.h>

#include "CPixels.h"

#ifdef __SSE2__
#include <emmintrin.h>

enum {
  LINE = 64,
  /// How far ahead to prefetch the source: hardware prefetchers do not predict a tile's next row.
  AHEAD = 1024,
};

void waypost_stream(const void *source, void *destination, size_t bytes) {
  const char *from = source;
  char *to = destination;
  size_t head = -(uintptr_t)to & (LINE - 1);
  if (bytes < head + LINE) {
    memcpy(to, from, bytes);
    return;
  }
  memcpy(to, from, head);
  from += head;
  to += head;
  bytes -= head;
  for (; bytes >= LINE; bytes -= LINE, from += LINE, to += LINE) {
    _mm_prefetch((const char *)((uintptr_t)from + AHEAD), _MM_HINT_T0);
    for (int n = 0; n < LINE; n += 16)
      _mm_stream_si128((__m128i *)(to + n), _mm_loadu_si128((const __m128i *)(from + n)));
  }
  memcpy(to, from, bytes);
}

void waypost_streamed(void) { _mm_sfence(); }

#else

void waypost_stream(const void *source, void *destination, size_t bytes) {
  memcpy(destination, source, bytes);
}

void waypost_streamed(void) {}

#endif
