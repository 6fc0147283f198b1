// The kernel's device events, by netlink(7) with NETLINK_KOBJECT_UEVENT.
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CLinux.h"

// The multicast group of the kernel; udev's own is 2.
enum { KERNEL_GROUP = 1 };

int waypost_device_events_socket(void) {
  int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  if (fd < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    close(fd);
    return -1;
  }
  return fd;
}

ssize_t waypost_device_events_receive(int fd, char *bytes, size_t size) {
  struct sockaddr_nl sender = {0};
  socklen_t length = sizeof sender;
  ssize_t count = recvfrom(fd, bytes, size, 0, (struct sockaddr *)&sender, &length);
  if (count > 0 && sender.nl_pid != 0) return 0;
  return count;
}
