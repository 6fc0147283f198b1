#include "versions.h"

#if WAYPOST_LIBGPIOD == 2
#include <errno.h>
#include <stdlib.h>

#include "CGPIOD.h"

struct waypost_gpio_line {
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *events;
  unsigned offset;
};

int waypost_gpio_api(void) { return 2; }

int waypost_gpio_chip_get_info(waypost_gpio_chip *chip, waypost_gpio_chip_info *info) {
  struct gpiod_chip_info *found = gpiod_chip_get_info((struct gpiod_chip *)chip);
  if (!found) return -1;
  waypost_gpio_copy_name(info->name, gpiod_chip_info_get_name(found));
  waypost_gpio_copy_name(info->label, gpiod_chip_info_get_label(found));
  info->lines = (uint32_t)gpiod_chip_info_get_num_lines(found);
  gpiod_chip_info_free(found);
  return 0;
}

int waypost_gpio_line_get_info(
    waypost_gpio_chip *chip, unsigned offset, waypost_gpio_line_info *info) {
  struct gpiod_line_info *found = gpiod_chip_get_line_info((struct gpiod_chip *)chip, offset);
  if (!found) return -1;
  waypost_gpio_copy_name(info->name, gpiod_line_info_get_name(found));
  waypost_gpio_copy_name(info->consumer, gpiod_line_info_get_consumer(found));
  info->used = gpiod_line_info_is_used(found);
  gpiod_line_info_free(found);
  return 0;
}

int waypost_gpio_find_line(waypost_gpio_chip *chip, const char *name) {
  return gpiod_chip_get_line_offset_from_name((struct gpiod_chip *)chip, name);
}

// Requests the line from its three configurations; NULL with errno if one is rejected.
static struct gpiod_line_request *request(
    struct gpiod_chip *chip, unsigned offset, const char *consumer,
    struct gpiod_line_settings *settings, struct gpiod_line_config *lines,
    struct gpiod_request_config *whole) {
  if (!settings || !lines || !whole) return 0;
  if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0) return 0;
  if (gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) < 0) return 0;
  if (gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0) return 0;
  if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) < 0) return 0;
  gpiod_request_config_set_consumer(whole, consumer);
  gpiod_request_config_set_event_buffer_size(whole, 64);
  return gpiod_chip_request_lines(chip, whole, lines);
}

waypost_gpio_line *waypost_gpio_request(
    waypost_gpio_chip *chip, unsigned offset, const char *consumer, int bias, bool active_low,
    uint32_t debounce_us) {
  static const enum gpiod_line_bias biases[] = {
      [WAYPOST_GPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
      [WAYPOST_GPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
      [WAYPOST_GPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
      [WAYPOST_GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
  };
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *whole = gpiod_request_config_new();
  waypost_gpio_line *line = calloc(1, sizeof *line);
  if (line && settings && gpiod_line_settings_set_bias(settings, biases[bias]) == 0) {
    gpiod_line_settings_set_active_low(settings, active_low);
    gpiod_line_settings_set_debounce_period_us(settings, debounce_us);
    line->offset = offset;
    line->events = gpiod_edge_event_buffer_new(WAYPOST_GPIO_READ_MAX);
    if (line->events)
      line->request =
          request((struct gpiod_chip *)chip, offset, consumer, settings, lines, whole);
  }
  int code = errno;
  gpiod_request_config_free(whole);
  gpiod_line_config_free(lines);
  gpiod_line_settings_free(settings);
  if (line && line->request) {
    if (waypost_gpio_unblock(gpiod_line_request_get_fd(line->request)) == 0) return line;
    code = errno;
  }
  if (line) waypost_gpio_release(line);
  errno = code;
  return 0;
}

void waypost_gpio_release(waypost_gpio_line *line) {
  if (line->request) gpiod_line_request_release(line->request);
  gpiod_edge_event_buffer_free(line->events);
  free(line);
}

int waypost_gpio_fd(waypost_gpio_line *line) { return gpiod_line_request_get_fd(line->request); }

int waypost_gpio_read(waypost_gpio_line *line, waypost_gpio_event *events) {
  int count = gpiod_line_request_read_edge_events(
      line->request, line->events, WAYPOST_GPIO_READ_MAX);
  for (int i = 0; i < count; i++) {
    struct gpiod_edge_event *event =
        gpiod_edge_event_buffer_get_event(line->events, (unsigned long)i);
    events[i].time = gpiod_edge_event_get_timestamp_ns(event);
    events[i].sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event);
    events[i].active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
  }
  return count;
}

int waypost_gpio_value(waypost_gpio_line *line) {
  return gpiod_line_request_get_value(line->request, line->offset);
}
#endif
