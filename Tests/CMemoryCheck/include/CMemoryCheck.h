// Copyright Waypost contributors. Licence: Apache-2.0.
//
// What a program asks of valgrind's memcheck while it runs under it.
#pragma once
#include <stddef.h>

/// 1 when the program runs under valgrind, 0 when it does not, -1 when it was built without
/// valgrind's header and cannot know.
int waypost_memcheck_is_on(void);

/// From now on every load from these bytes is reported as "Invalid read", every store as "Invalid
/// write"; both are carried out.
void waypost_memcheck_forbid(const void *start, size_t count);
