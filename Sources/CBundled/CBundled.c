#include "CBundled.h"
