// What Swift's Glibc module lacks for threads.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Names the calling thread, as `ps -L` shows it; bytes after the 15th are cut off.
void waypost_name_thread(const char *name);

/// Drops the clean pages of code and constants, the program's and its libraries'. Pages that are
/// used again return from the page cache; those that only the start needed do not. Returns the
/// number of bytes of address space dropped.
size_t waypost_release_code(void);

/// Makes all threads share two heaps, instead of each having one that is never freed, and keeps
/// memory of 64 KiB and more out of them, so that it is given back when it is freed (mallopt(3)).
void waypost_share_heaps(void);

/// Gives memory that was freed back to the kernel (malloc_trim(3)). Takes up to a few milliseconds.
void waypost_trim_heaps(void);

// Whether malloc gives `count` bytes now.
bool waypost_has_memory(size_t count);

/// Lowers the calling thread's priority by `steps` of nice(2), 0 to 19. On Linux the value is each
/// thread's own (setpriority(2)).
void waypost_yield_thread(int steps);

/// Pre-faults memory that will be written (madvise(2), MADV_POPULATE_WRITE). No other thread can
/// map or unmap anything meanwhile, so use it for parts of some hundred KiB. Kernels before 5.14
/// do nothing, and fault each page when it is touched.
void waypost_populate(void *memory, size_t bytes);
