// libgpiod 1.6 (Debian 12) and 2.x (Debian 13) behind one interface, one line per request. No
// logic: a failure is reported by errno, and the caller decides what to do.
//
// libgpiod 1.6 speaks the kernel's first GPIO interface (since Linux 4.8; may be left out of newer
// kernels, which then answer EINVAL), libgpiod 2 the second one (since Linux 5.10).
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The kernel's limit for names, with the zero at the end (GPIO_MAX_NAME_SIZE).
enum { WAYPOST_GPIO_NAME_SIZE = 32 };

/// The most events that one call of waypost_gpio_read returns.
enum { WAYPOST_GPIO_READ_MAX = 16 };

/// The resistor that pulls the line while nothing drives it.
enum {
  WAYPOST_GPIO_BIAS_AS_IS,
  WAYPOST_GPIO_BIAS_DISABLED,
  WAYPOST_GPIO_BIAS_PULL_UP,
  WAYPOST_GPIO_BIAS_PULL_DOWN,
};

typedef struct waypost_gpio_chip waypost_gpio_chip;
typedef struct waypost_gpio_line waypost_gpio_line;

typedef struct {
  char name[WAYPOST_GPIO_NAME_SIZE];  // the kernel's: "gpiochip0"
  char label[WAYPOST_GPIO_NAME_SIZE]; // the driver's: "pinctrl-bcm2711"
  uint32_t lines;
} waypost_gpio_chip_info;

typedef struct {
  char name[WAYPOST_GPIO_NAME_SIZE];     // empty: none
  char consumer[WAYPOST_GPIO_NAME_SIZE]; // empty: none, or not told
  bool used;
} waypost_gpio_line_info;

typedef struct {
  /// The kernel's time in nanoseconds: CLOCK_MONOTONIC, but CLOCK_REALTIME with libgpiod 1.6 on
  /// Linux before 5.7.
  uint64_t time;
  /// The number of the line's event, from 1, so that a gap shows a loss; 0 with libgpiod 1.6.
  uint32_t sequence;
  /// Whether the line became active, not whether its voltage rose.
  bool active;
} waypost_gpio_event;

/// The libgpiod that this was built with: 1 or 2.
int waypost_gpio_api(void);

/// The chip of the device file `path`; NULL with errno.
waypost_gpio_chip *waypost_gpio_open(const char *path);
/// Closes the chip. Release all its lines first.
void waypost_gpio_close(waypost_gpio_chip *chip);

/// 0, or -1 with errno.
int waypost_gpio_chip_get_info(waypost_gpio_chip *chip, waypost_gpio_chip_info *info);
int waypost_gpio_line_get_info(
    waypost_gpio_chip *chip, unsigned offset, waypost_gpio_line_info *info);

/// The offset of the first line with this name; -1 with errno, ENOENT if there is none.
int waypost_gpio_find_line(waypost_gpio_chip *chip, const char *name);

/// Requests the line as an input with events at both edges. `debounce_us`: microseconds for
/// which a level must be stable before the kernel reports it; 0: none. Anything else is ENOTSUP
/// with libgpiod 1.6. NULL with errno on failure.
waypost_gpio_line *waypost_gpio_request(
    waypost_gpio_chip *chip, unsigned offset, const char *consumer, int bias, bool active_low,
    uint32_t debounce_us);
void waypost_gpio_release(waypost_gpio_line *line);

/// The line's own descriptor: readable when there are events, in error when the chip is gone.
int waypost_gpio_fd(waypost_gpio_line *line);

/// Reads up to WAYPOST_GPIO_READ_MAX events without waiting. Returns how many, or -1 with errno,
/// EAGAIN if there is none.
int waypost_gpio_read(waypost_gpio_line *line, waypost_gpio_event *events);

/// 1 when active, 0 when not, -1 with errno.
int waypost_gpio_value(waypost_gpio_line *line);
