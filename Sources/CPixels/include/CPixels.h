// Copyright Waypost contributors. Licence: Apache-2.0.
//
// Kernels with the compiler's vectors that narrow, widen or weave lanes: out of the same
// steps written in Swift its optimiser makes scalars, at twice to three times the instructions.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Packs `count` words 0x00RRGGBB (the upper byte is ignored) to RGB565, dithered: what is added to
/// pixel n is offsets[n & 3], as RGB565Dither gives it.
void waypost_pack565(
    const uint32_t *source, uint16_t *destination, size_t count, const uint32_t offsets[4]);

/// Widens `count` pixels of RGB565 to 0xFFRRGGBB by bit replication.
void waypost_expand565(const uint16_t *source, uint32_t *destination, size_t count);

/// Undoes a row's filter of PNG (PNG 3rd edition, section 9) in place.
///
/// `filter` is 1 (sub) to 4 (Paeth); `pixel` is a pixel's bytes, 1 to 4; `above` is the row above,
/// undone, or a row of zeros. Three bytes behind both rows are readable.
void waypost_unfilter(
    unsigned filter, uint8_t *row, const uint8_t *above, size_t count, unsigned pixel);

/// Rows of PNG's red, green, blue and, if `pixel` is 4, alpha to 0xAARRGGBB.
void waypost_rgb_to_words(const uint8_t *source, uint32_t *destination, size_t count, unsigned pixel);
