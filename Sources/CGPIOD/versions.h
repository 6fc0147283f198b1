// Which libgpiod there is: 1.x has line bulks, 2.x has not.
#pragma once

#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define WAYPOST_LIBGPIOD 1
#else
#define WAYPOST_LIBGPIOD 2
#endif

/// Copies a name, NULL as an empty one.
void waypost_gpio_copy_name(char *target, const char *name);

/// Makes reads of `fd` non-blocking; -1 with errno.
int waypost_gpio_unblock(int fd);
