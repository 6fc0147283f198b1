// Copyright Waypost contributors. Licence: Apache-2.0.
//
// The two conversions between 32 and 16 bits a pixel, with the compiler's vectors: out of the same
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
