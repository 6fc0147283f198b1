// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The part of libcurl.so.4's public interface (curl.h, multi.h) that is used. Its numbers do not
// change while the library keeps its name (curl.se/libcurl/abi.html).
typedef void CURL;
typedef void CURLM;
enum {
  OPT_WRITEDATA = 10001, OPT_URL = 10002, OPT_RANGE = 10007, OPT_ERRORBUFFER = 10010,
  OPT_TIMEOUT = 13, OPT_USERAGENT = 10018, OPT_LOW_SPEED_LIMIT = 19, OPT_LOW_SPEED_TIME = 20,
  OPT_HTTPHEADER = 10023, OPT_HEADERDATA = 10029, OPT_FOLLOWLOCATION = 52,
  OPT_SSL_VERIFYPEER = 64, OPT_MAXREDIRS = 68, OPT_SSL_VERIFYHOST = 81, OPT_NOSIGNAL = 99,
  OPT_CAINFO = 10065, OPT_PRIVATE = 10103, OPT_CONNECTTIMEOUT = 78, OPT_SUPPRESS_CONNECT_HEADERS = 265,
  OPT_WRITEFUNCTION = 20011, OPT_HEADERFUNCTION = 20079, OPT_PROTOCOLS_STR = 10318,
  OPT_REDIR_PROTOCOLS_STR = 10319, MOPT_MAX_HOST_CONNECTIONS = 7, MOPT_MAX_TOTAL_CONNECTIONS = 13,
  INFO_ADDRESS = 0x100001, INFO_STATUS = 0x200002, INFO_PRIVATE = 0x100015,
  INFO_RETRY_AFTER = 0x600039, INFO_PRETRANSFER = 0x300006, MESSAGE_DONE = 1, GLOBAL_ALL = 3, ERROR_SIZE = 256
};
typedef struct {
  int message;
  CURL *easy;
  union {
    void *whatever;
    int code;
  } data;
} CURLMsg;
typedef struct {
  int descriptor;
  short events, found;
} waitfd;
struct slist;

static struct {
  pthread_once_t once;
  int found;
  int (*global_init)(long flags);
  const char *(*version)(void);
  CURL *(*easy_init)(void);
  void (*easy_cleanup)(CURL *);
  int (*setopt)(CURL *, int option, ...);
  int (*getinfo)(CURL *, int info, ...);
  const char *(*strerror)(int code);
  struct slist *(*append)(struct slist *, const char *);
  void (*free_all)(struct slist *);
  CURLM *(*multi_init)(void);
  int (*multi_cleanup)(CURLM *);
  int (*multi_setopt)(CURLM *, int option, ...);
  int (*add)(CURLM *, CURL *);
  int (*remove)(CURLM *, CURL *);
  int (*perform)(CURLM *, int *running);
  int (*poll)(CURLM *, waitfd *, unsigned count, int milliseconds, int *found);
  CURLMsg *(*info_read)(CURLM *, int *left);
} curl = {.once = PTHREAD_ONCE_INIT};

static int take(void *library, const char *name, void **function) {
  *function = dlsym(library, name);
  return *function != NULL;
}

#define TAKE(name, place) take(library, "curl_" name, (void **)&(place))

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  curl.found =
      TAKE("global_init", curl.global_init) && TAKE("version", curl.version) &&
      TAKE("easy_init", curl.easy_init) && TAKE("easy_cleanup", curl.easy_cleanup) &&
      TAKE("easy_setopt", curl.setopt) && TAKE("easy_getinfo", curl.getinfo) &&
      TAKE("easy_strerror", curl.strerror) && TAKE("slist_append", curl.append) &&
      TAKE("slist_free_all", curl.free_all) && TAKE("multi_init", curl.multi_init) &&
      TAKE("multi_cleanup", curl.multi_cleanup) && TAKE("multi_setopt", curl.multi_setopt) &&
      TAKE("multi_add_handle", curl.add) && TAKE("multi_remove_handle", curl.remove) &&
      TAKE("multi_perform", curl.perform) && TAKE("multi_poll", curl.poll) &&
      TAKE("multi_info_read", curl.info_read) && curl.global_init(GLOBAL_ALL) == 0;
}

int waypost_curl_available(void) {
  pthread_once(&curl.once, load);
  return curl.found;
}

const char *waypost_curl_version(void) {
  return waypost_curl_available() ? curl.version() : "no libcurl";
}

struct waypost_curl {
  CURLM *multi;
};

// What a transfer keeps until it ends.
struct waypost_curl_transfer {
  CURL *easy;
  struct slist *header;
  void *context;
  char message[ERROR_SIZE];
};
typedef waypost_curl_transfer transfer;

waypost_curl *waypost_curl_create(long connections, long per_host) {
  if (!waypost_curl_available()) return NULL;
  waypost_curl *fetcher = calloc(1, sizeof *fetcher);
  if (!fetcher) return NULL;
  fetcher->multi = curl.multi_init();
  if (!fetcher->multi) {
    free(fetcher);
    return NULL;
  }
  curl.multi_setopt(fetcher->multi, MOPT_MAX_TOTAL_CONNECTIONS, connections);
  curl.multi_setopt(fetcher->multi, MOPT_MAX_HOST_CONNECTIONS, per_host);
  return fetcher;
}

void waypost_curl_destroy(waypost_curl *fetcher) {
  if (!fetcher) return;
  curl.multi_cleanup(fetcher->multi);
  free(fetcher);
}

static void end(transfer *one) {
  if (one->easy) curl.easy_cleanup(one->easy);
  curl.free_all(one->header);
  free(one);
}

waypost_curl_transfer *waypost_curl_begin(
    waypost_curl *fetcher, const waypost_curl_request *request) {
  transfer *one = calloc(1, sizeof *one);
  if (!one) return NULL;
  one->context = request->context;
  one->easy = curl.easy_init();
  int failed = !one->easy;
  for (size_t i = 0; i < request->header_count && !failed; i++) {
    struct slist *longer = curl.append(one->header, request->headers[i]);
    failed = !longer;
    if (longer) one->header = longer;
  }
#define SET(option, value) failed = failed || curl.setopt(one->easy, option, value) != 0
  SET(OPT_URL, request->url);
  SET(OPT_USERAGENT, request->user_agent);
  SET(OPT_RANGE, request->range);
  SET(OPT_HTTPHEADER, one->header);
  SET(OPT_PROTOCOLS_STR, request->schemes);
  SET(OPT_REDIR_PROTOCOLS_STR, request->redirections);
  SET(OPT_FOLLOWLOCATION, 1L);
  SET(OPT_MAXREDIRS, 5L);
  SET(OPT_SSL_VERIFYPEER, 1L);
  SET(OPT_SSL_VERIFYHOST, 2L);
  if (request->certificates) SET(OPT_CAINFO, request->certificates);
  SET(OPT_NOSIGNAL, 1L);
  SET(OPT_CONNECTTIMEOUT, request->connect_seconds);
  SET(OPT_TIMEOUT, request->total_seconds);
  SET(OPT_LOW_SPEED_LIMIT, request->least_bytes);
  SET(OPT_LOW_SPEED_TIME, request->slow_seconds);
  SET(OPT_SUPPRESS_CONNECT_HEADERS, 1L);
  SET(OPT_HEADERFUNCTION, request->on_header);
  SET(OPT_HEADERDATA, request->context);
  SET(OPT_WRITEFUNCTION, request->on_body);
  SET(OPT_WRITEDATA, request->context);
  SET(OPT_ERRORBUFFER, one->message);
  SET(OPT_PRIVATE, (void *)one);
#undef SET
  failed = failed || curl.add(fetcher->multi, one->easy) != 0;
  if (!failed) return one;
  end(one);
  return NULL;
}

void waypost_curl_cancel(waypost_curl *fetcher, waypost_curl_transfer *one) {
  curl.remove(fetcher->multi, one->easy);
  end(one);
}

int waypost_curl_wait(
    waypost_curl *fetcher, struct pollfd *descriptors, unsigned count, int milliseconds) {
  waitfd *waited = NULL;
  if (count) {
    waited = calloc(count, sizeof *waited);
    if (!waited) return 0;
  }
  // The values of events are those of poll(2).
  for (unsigned i = 0; i < count; i++) {
    waited[i].descriptor = descriptors[i].fd;
    waited[i].events = descriptors[i].events;
    descriptors[i].revents = 0;
  }
  int running = 0;
  int went = curl.poll(fetcher->multi, waited, count, milliseconds, NULL) == 0 &&
             curl.perform(fetcher->multi, &running) == 0;
  free(waited);
  // libcurl does not tell that the other side hung up.
  if (count && poll(descriptors, count, 0) < 0) {
    for (unsigned i = 0; i < count; i++) descriptors[i].revents = 0;
  }
  return went;
}

int waypost_curl_next(waypost_curl *fetcher, waypost_curl_result *result) {
  CURLMsg *message;
  int left = 0;
  while ((message = curl.info_read(fetcher->multi, &left))) {
    if (message->message != MESSAGE_DONE) continue;
    int code = message->data.code;
    CURL *easy = message->easy;
    transfer *one = NULL;
    curl.getinfo(easy, INFO_PRIVATE, &one);
    memset(result, 0, sizeof *result);
    result->context = one->context;
    result->code = code;
    curl.getinfo(easy, INFO_STATUS, &result->status);
    curl.getinfo(easy, INFO_RETRY_AFTER, &result->retry_after);
    double connected = 0;
    curl.getinfo(easy, INFO_PRETRANSFER, &connected);
    result->was_connected = connected > 0;
    const char *address = NULL;
    curl.getinfo(easy, INFO_ADDRESS, &address);
    if (address) strncpy(result->address, address, sizeof result->address - 1);
    if (code) {
      const char *text = one->message[0] ? one->message : curl.strerror(code);
      strncpy(result->message, text, sizeof result->message - 1);
    }
    curl.remove(fetcher->multi, easy);
    end(one);
    return 1;
  }
  return 0;
}
