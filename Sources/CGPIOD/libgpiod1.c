#include "versions.h"

#if WAYPOST_LIBGPIOD == 1
#include <errno.h>

#include "CGPIOD.h"

// A line belongs to its chip and is known by its own address: waypost_gpio_line is gpiod_line.
static struct gpiod_line *of(waypost_gpio_line *line) { return (struct gpiod_line *)line; }

int waypost_gpio_api(void) { return 1; }

int waypost_gpio_chip_get_info(waypost_gpio_chip *wrapped, waypost_gpio_chip_info *info) {
  struct gpiod_chip *chip = (struct gpiod_chip *)wrapped;
  waypost_gpio_copy_name(info->name, gpiod_chip_name(chip));
  waypost_gpio_copy_name(info->label, gpiod_chip_label(chip));
  info->lines = gpiod_chip_num_lines(chip);
  return 0;
}

int waypost_gpio_line_get_info(
    waypost_gpio_chip *chip, unsigned offset, waypost_gpio_line_info *info) {
  struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, offset);
  if (!line || gpiod_line_update(line) < 0) return -1;
  waypost_gpio_copy_name(info->name, gpiod_line_name(line));
  waypost_gpio_copy_name(info->consumer, gpiod_line_consumer(line));
  info->used = gpiod_line_is_used(line);
  return 0;
}

int waypost_gpio_find_line(waypost_gpio_chip *chip, const char *name) {
  struct gpiod_line *line = gpiod_chip_find_line((struct gpiod_chip *)chip, name);
  return line ? (int)gpiod_line_offset(line) : -1;
}

waypost_gpio_line *waypost_gpio_request(
    waypost_gpio_chip *chip, unsigned offset, const char *consumer, int bias, bool active_low,
    uint32_t debounce_us) {
  static const int biases[] = {
      [WAYPOST_GPIO_BIAS_AS_IS] = 0,
      [WAYPOST_GPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
      [WAYPOST_GPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
      [WAYPOST_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
  };
  if (debounce_us) {
    errno = ENOTSUP;
    return 0;
  }
  struct gpiod_line *line = gpiod_chip_get_line((struct gpiod_chip *)chip, offset);
  if (!line) return 0;
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = biases[bias] | (active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0),
  };
  if (gpiod_line_request(line, &config, 0) < 0) return 0;
  if (waypost_gpio_unblock(gpiod_line_event_get_fd(line)) < 0) {
    int code = errno;
    gpiod_line_release(line);
    errno = code;
    return 0;
  }
  return (waypost_gpio_line *)line;
}

void waypost_gpio_release(waypost_gpio_line *line) { gpiod_line_release(of(line)); }

int waypost_gpio_fd(waypost_gpio_line *line) { return gpiod_line_event_get_fd(of(line)); }

int waypost_gpio_read(waypost_gpio_line *line, waypost_gpio_event *events) {
  struct gpiod_line_event found[WAYPOST_GPIO_READ_MAX];
  int count = gpiod_line_event_read_multiple(of(line), found, WAYPOST_GPIO_READ_MAX);
  for (int i = 0; i < count; i++) {
    events[i].time = (uint64_t)found[i].ts.tv_sec * 1000000000u + (uint64_t)found[i].ts.tv_nsec;
    events[i].sequence = 0;
    events[i].active = found[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
  }
  return count;
}

int waypost_gpio_value(waypost_gpio_line *line) { return gpiod_line_get_value(of(line)); }
#endif
