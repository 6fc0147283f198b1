// What both versions of libgpiod share. The rest is in libgpiod1.c and libgpiod2.c; the installed
// header decides which of them is compiled.
#include "CGPIOD.h"

#include <fcntl.h>
#include <gpiod.h>

#include "versions.h"

waypost_gpio_chip *waypost_gpio_open(const char *path) {
  return (waypost_gpio_chip *)gpiod_chip_open(path);
}

void waypost_gpio_close(waypost_gpio_chip *chip) { gpiod_chip_close((struct gpiod_chip *)chip); }

void waypost_gpio_copy_name(char *target, const char *name) {
  int i = 0;
  for (; name && name[i] && i < WAYPOST_GPIO_NAME_SIZE - 1; i++) target[i] = name[i];
  target[i] = 0;
}

int waypost_gpio_unblock(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}
