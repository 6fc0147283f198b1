// What of threads Swift's Glibc module lacks.
#pragma once

/// Names the calling thread, as `ps -L` shows it; at most 15 bytes count.
void waypost_name_thread(const char *name);
