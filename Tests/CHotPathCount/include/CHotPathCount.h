// Copyright Waypost contributors. Licence: Apache-2.0.
//
// Counts what a steady frame should not do, by taking the place of the C library's and the Swift
// runtime's functions in the program that links this. Needs the dynamic Swift runtime; retains and
// releases are counted on x86-64.
#pragma once

typedef struct {
  long allocations;  // malloc, calloc, realloc, memalign
  long locks;        // pthread_mutex_lock
  long retains;      // swift_retain and swift_release
} waypost_counts;

/// All since the start.
waypost_counts waypost_counts_now(void);
