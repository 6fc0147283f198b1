// Copyright Waypost contributors. Licence: Apache-2.0.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// libcurl's multi interface, loaded when it is first needed. Its own package brings some thirty
/// libraries, which neither a build nor a board without a network should need.

/// Whether libcurl can be loaded.
int waypost_curl_available(void);

/// Name and version of what was loaded, for diagnosis.
const char *waypost_curl_version(void);

/// Several transfers at once. Belongs to one thread.
typedef struct waypost_curl waypost_curl;

/// NULL: no memory, or no libcurl.
waypost_curl *waypost_curl_create(long connections);
void waypost_curl_destroy(waypost_curl *fetcher);

/// Gets `count` bytes; another answer than `count` ends the transfer.
typedef size_t (*waypost_curl_sink)(const char *bytes, size_t size, size_t count, void *context);

/// What to ask for. The texts are copied.
typedef struct {
  const char *url;
  const char *user_agent;
  /// "0-99".
  const char *range;
  /// One more line of the request's header; NULL: none.
  const char *header;
  /// Schemes that may be used, and those that a redirection may lead to: "http,https".
  const char *schemes;
  const char *redirections;
  /// Seconds until a connection is there.
  long connect_seconds;
  /// Bytes a second that come at least, over so many seconds.
  long least_bytes, slow_seconds;
  waypost_curl_sink on_header, on_body;
  void *context;
} waypost_curl_request;

/// Begins a transfer; 0: it could not be begun, and its context will not come back.
int waypost_curl_begin(waypost_curl *fetcher, const waypost_curl_request *request);

/// Waits until a transfer can go on, `descriptor` can be read, or `milliseconds` are over, and lets
/// the transfers go on; 0: they cannot.
int waypost_curl_wait(waypost_curl *fetcher, int descriptor, int milliseconds);

/// How a transfer ended.
typedef struct {
  void *context;
  /// A CURLcode; 0: the whole answer came.
  int code;
  /// HTTP's status; 0: none came.
  long status;
  /// Seconds of the last Retry-After; 0: none.
  int64_t retry_after;
  /// What is wrong, for people; empty where `code` is 0.
  char message[256];
} waypost_curl_result;

/// The next transfer that ended; 0: none.
int waypost_curl_next(waypost_curl *fetcher, waypost_curl_result *result);
