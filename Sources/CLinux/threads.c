#include "threads.h"

#include <sys/prctl.h>

void waypost_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
