// libgpiod 1.6 (Debian 12) and 2.x (Debian 13) behind one face, one line a request. No logic:
// what fails says so by errno, and what to do then is the caller's.
//
// libgpiod 1.6 speaks the kernel's first GPIO interface (since Linux 4.8; may be left out of newer
// kernels, which then answer EINVAL), libgpiod 2 the second one (since Linux 5.10).
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The kernel's limit for names, with the zero at the end (GPIO_MAX_NAME_SIZE).
enum { WAYPOST_GPIO_NAME_SIZE = 32 };

/// How many events one call of waypost_gpio_read gives at most.
enum { WAYPOST_GPIO_READ_MAX = 16 };

/// What pulls the line while nothing drives it.
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
  /// Nanoseconds as the kernel noted them: CLOCK_MONOTONIC, but CLOCK_REALTIME with libgpiod 1.6
  /// on Linux before 5.7.
  uint64_t time;
  /// Counts the line's events from 1, so that a gap shows what was lost; 0 with libgpiod 1.6.
  uint32_t sequence;
  /// Whether the line became active, not whether its voltage rose.
  bool active;
} waypost_gpio_event;

/// The libgpiod that this was built with: 1 or 2.
int waypost_gpio_api(void);

/// The chip of the device file `path`; NULL with errno.
waypost_gpio_chip *waypost_gpio_open(const char *path);
/// After the release of its last line.
void waypost_gpio_close(waypost_gpio_chip *chip);

/// 0, or -1 with errno.
int waypost_gpio_chip_get_info(waypost_gpio_chip *chip, waypost_gpio_chip_info *info);
int waypost_gpio_line_get_info(
    waypost_gpio_chip *chip, unsigned offset, waypost_gpio_line_info *info);

/// The offset of the first line of that name; -1 with errno, ENOENT where there is none.
int waypost_gpio_find_line(waypost_gpio_chip *chip, const char *name);

/// Takes the line as an input with events at both edges. `debounce_us`: microseconds for which the
/// kernel waits until a level is stable, 0 for none; anything else is ENOTSUP with libgpiod 1.6.
/// NULL with errno.
waypost_gpio_line *waypost_gpio_request(
    waypost_gpio_chip *chip, unsigned offset, const char *consumer, int bias, bool active_low,
    uint32_t debounce_us);
void waypost_gpio_release(waypost_gpio_line *line);

/// Readable when there are events; in error when the chip has gone. It is the line's own.
int waypost_gpio_fd(waypost_gpio_line *line);

/// Reads up to WAYPOST_GPIO_READ_MAX events, without waiting: how many, or -1 with errno, EAGAIN
/// where there is none.
int waypost_gpio_read(waypost_gpio_line *line, waypost_gpio_event *events);

/// 1 when active, 0 when not, -1 with errno.
int waypost_gpio_value(waypost_gpio_line *line);
