// Copyright Waypost contributors. Licence: Apache-2.0.
//
// The references of waypost-bench: bare C libraries and bare system calls, as a C program uses
// them. The installed programs contain none of this.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The time in nanoseconds of CLOCK_MONOTONIC.
uint64_t bench_now(void);

/// The processor time that the calling thread has used, in nanoseconds.
uint64_t bench_thread_time(void);

/// The processor time that all threads of this process have used, in nanoseconds.
uint64_t bench_process_time(void);

// MARK: pixman, which is loaded when it is needed

/// Whether libpixman-1.so.0 is installed.
bool bench_pixman_is_there(void);

/// Draws `source` (xrgb pixels, `stride` bytes a row) to a part of `target` with pixman's bilinear
/// filter: pixel (x, y) shows the source at (m[0] x + m[1] y + m[2], m[3] x + m[4] y + m[5]).
bool bench_pixman_draw(
    const uint32_t *source, int source_width, int source_height, int source_stride,
    const double m[6], uint32_t *target, int x, int y, int width, int height, int stride);

// MARK: decoders

/// libpng with its own expansion to BGRA, reading the whole picture. False on any error.
bool bench_png(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge);

/// libspng, loaded when it is needed, to RGBA. -1 if libspng.so.0 is not installed.
int bench_spng(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge);

/// libdeflate, loaded when it is needed, only inflating the picture's data. -1 if libdeflate.so.0
/// is not installed.
int bench_deflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// The same with zlib.
int bench_inflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t room);

/// libjpeg-turbo to BGRA.
bool bench_jpeg(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge);

/// libwebp to BGRA.
bool bench_webp(const uint8_t *bytes, size_t count, uint32_t *pixels, uint32_t edge);

// MARK: lookups

typedef struct bench_sqlite bench_sqlite;

/// A prepared statement for a tile of the MBTiles file at `path`, opened for reading; NULL if it
/// cannot be opened.
bench_sqlite *bench_sqlite_open(const char *path);
void bench_sqlite_close(bench_sqlite *file);
/// The length of a tile whose bytes were copied to new memory and freed again; -1 if there is none.
long bench_sqlite_tile(bench_sqlite *file, int z, int column, int row);

/// Reads a piece of a file into new memory, which is freed. Its length, or -1.
long bench_pread(int fd, uint64_t offset, size_t count);

/// The offset at which `part` begins in `whole`; -1 if it does not occur.
long bench_find(const void *whole, size_t count, const void *part, size_t part_count);

// MARK: the system

/// Starts `path` with `arguments`, which end with NULL. `listener`, unless -1, is passed on as a
/// service manager does (LISTEN_FDS); `output`, unless -1, becomes standard output and error.
int bench_spawn(const char *path, char *const arguments[], int listener, int output);

/// Starts a thread that answers each line on `fd` with one of `answer` bytes, until the other end
/// closes.
bool bench_echo(int fd, size_t answer);

/// Starts a thread that only waits with epoll for the eventfd `event`, records when it has read it,
/// and then writes to the eventfd `after`.
bool bench_epoll(int event, int after);
/// When that thread last read its eventfd, in nanoseconds of CLOCK_MONOTONIC; 0 before.
uint64_t bench_epoll_noted(void);

/// Keeps a process's first thread on one core; if `core` is negative, lets it run on any.
void bench_pin(int pid, int core);

/// A Unix socket that listens at `path`, and one that is connected to it. -1 with errno on failure.
int bench_listen(const char *path);
int bench_connect(const char *path);

/// The number of processors that this process may use.
int bench_processors(void);
