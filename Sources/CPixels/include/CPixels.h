// Copyright Waypost contributors. Licence: Apache-2.0.
//
// Kernels that narrow, widen or interleave lanes, with the compiler's vectors. Swift's optimiser
// turns the same steps into scalar code, with two to three times the instructions. And copying past
// the processor's caches, for which Swift has no function.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Packs `count` pixels 0x00RRGGBB (the upper byte is ignored) to RGB565, dithered: offsets[n & 3],
/// from RGB565Dither, is added to pixel n.
void waypost_pack565(
    const uint32_t *source, uint16_t *destination, size_t count, const uint32_t offsets[4]);

/// Widens `count` pixels of RGB565 to 0xFFRRGGBB by bit replication.
void waypost_expand565(const uint16_t *source, uint32_t *destination, size_t count);

/// Blends `count` premultiplied pixels, times `opacity / 256`, over those of `under`, as
/// `BlendKernels` of Pixels describes. `destination`, which may be `under`, is only written.
void waypost_blend(
    const uint32_t *source, const uint32_t *under, uint32_t *destination, size_t count,
    unsigned opacity);

/// The same over the destination itself; what is clear is skipped.
void waypost_blend_over(
    const uint32_t *source, uint32_t *destination, size_t count, unsigned opacity);

/// Copies `bytes` bytes to memory that nobody reads soon: whole lines of 64 bytes bypass the caches
/// where the processor supports that. Call `waypost_streamed` before another thread or device reads
/// them.
void waypost_stream(const void *source, void *destination, size_t bytes);

/// Waits until all that the calling thread streamed is in memory.
void waypost_streamed(void);

// The following functions sample rows and turned blocks, as ResampleKernels and RotateKernels of
// Pixels describe. No destination is read.

/// Stores `count` samples, 1 or more, from `position` on, `step` apart (16.16), in 128 bytes for
/// each eight, aligned to 16. All are in the first 1022 pixels of a row.
void waypost_resample_table(void *table, size_t count, int64_t position, int64_t step);

/// Mixes two rows (`weight` is b's, 0 ... 127; at 0 `b` is not read) at a table's samples.
void waypost_resample_between(
    const uint32_t *a, const uint32_t *b, unsigned weight, const void *table,
    uint32_t *destination, size_t count);

/// The same, dithered to RGB565.
void waypost_resample_between565(
    const uint32_t *a, const uint32_t *b, unsigned weight, const void *table,
    uint16_t *destination, size_t count, const uint32_t offsets[4]);

/// Samples two rows at a table's positions for `waypost_mix_lanes`: at most 8 bytes per pixel,
/// aligned to 16, in whole groups of eight.
void waypost_resample_lanes(
    const uint32_t *source, const uint32_t *other, const void *table, void *lanes,
    void *other_lanes, size_t count);

/// Mixes two rows of lanes; `weight` is b's, 0 ... 127.
void waypost_mix_lanes(
    const void *a, const void *b, unsigned weight, uint32_t *destination, size_t count);

/// The same two for RGB565, without alpha.
void waypost_resample_planes(
    const uint32_t *source, const uint32_t *other, const void *table, void *planes,
    void *other_planes, size_t count);
void waypost_mix_planes565(
    const void *a, const void *b, unsigned weight, uint16_t *destination, size_t count,
    const uint32_t offsets[4]);

/// Mixes two rows of 32-bit pixels; `weight` is b's, 0 ... 128. The destination may be one of them.
void waypost_mix_rows(
    const uint32_t *a, const uint32_t *b, unsigned weight, uint32_t *destination, size_t count);

/// A block of 32-bit pixels that will be read soon; with a width of 0, none.
struct waypost_block {
  const uint32_t *words;
  ptrdiff_t stride;
  size_t width, rows;
};

/// Prefetches the block.
void waypost_fetch(struct waypost_block block);

/// Samples a turned block. The samples' whole columns and rows fit 16 bits with sign, and so does
/// the stride. For RGB565, `offsets` are four rows of four.
void waypost_rotate_block(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v, int64_t du, int64_t dv,
    uint32_t *destination, ptrdiff_t destination_stride, size_t width, size_t height,
    struct waypost_block next);
void waypost_rotate_block565(
    const uint32_t *source, ptrdiff_t stride, int64_t u, int64_t v, int64_t du, int64_t dv,
    uint16_t *destination, ptrdiff_t destination_stride, size_t width, size_t height,
    struct waypost_block next, const uint32_t offsets[16]);

/// Undoes the PNG filter of a row in place (PNG 3rd edition, section 9).
///
/// `filter` is 1 (sub) to 4 (Paeth); `pixel` is the bytes of a pixel, 1 to 4; `above` is the row
/// above, with its filter undone, or a row of zeros. Three bytes after both rows must be readable.
void waypost_unfilter(
    unsigned filter, uint8_t *row, const uint8_t *above, size_t count, unsigned pixel);

/// Converts a row of red, green, blue and, if `pixel` is 4, alpha to pixels 0xAARRGGBB.
void waypost_rgb_to_words(const uint8_t *source, uint32_t *destination, size_t count, unsigned pixel);

/// Draws a band of rows of a path, by the non-zero rule, and clears its cells.
///
/// `width` is in pixels, `cell_stride` in cells and `stride` in pixels from row to row. A row has
/// `width` cells, and three more that can be read and written. The running sum of its cells is
/// each pixel's covered area, 131072 for a whole pixel. `spans` has the first and the last cell of
/// each row that is not 0; a last one of -1 means none, and one of `width` or more is cut off.
/// `color` is 0xAARRGGBB, not premultiplied; `pixels` are. With `steep`, coverage c counts as
/// 3c^2 - 2c^3.
void waypost_sweep(
    int32_t *cells, size_t cell_stride, const int32_t *spans, size_t rows, size_t width,
    uint32_t *pixels, ptrdiff_t stride, uint32_t color, int steep);
