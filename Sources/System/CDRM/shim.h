#include <drm_fourcc.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

// The ioctl behind drmModeAtomicCommit, which copies and sorts its request on the heap at each
// call; its number is a macro that Swift cannot import. -1 and errno on failure.
static inline int waypost_drm_atomic(int fd, struct drm_mode_atomic *request) {
  return drmIoctl(fd, DRM_IOCTL_MODE_ATOMIC, request);
}
