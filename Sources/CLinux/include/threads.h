// What of threads Swift's Glibc module lacks.
#pragma once

#include <stddef.h>

/// Names the calling thread, as `ps -L` shows it; at most 15 bytes count.
void waypost_name_thread(const char *name);

/// Lets go of the program's own code as far as it was mapped: what runs again comes back from the page
/// cache, and what only the start needed does not.
void waypost_release_code(void);

/// Has all threads allocate from two heaps, instead of one each that nobody gives back (mallopt(3)).
void waypost_share_heaps(void);

/// Has the calling thread give way to others of the process by `steps` of nice(2), 0 to 19. Linux counts
/// for each thread by itself (setpriority(2)).
void waypost_yield_thread(int steps);

/// Has the kernel find the pages of memory that will be written, all at once (madvise(2),
/// MADV_POPULATE_WRITE). Until then no other thread maps or unmaps anything, so it is for parts of some
/// hundred KiB. A kernel before 5.14 does nothing, and finds each when it is touched.
void waypost_populate(void *memory, size_t bytes);
