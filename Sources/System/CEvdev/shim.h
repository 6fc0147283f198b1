#include <libevdev/libevdev.h>

/// Has libevdev log nothing. Swift 6.0's compiler cannot call a function that takes one with a
/// `va_list`.
static inline void waypost_evdev_log_nothing(void) { libevdev_set_log_function(0, 0); }
