// Copyright Waypost contributors. Licence: Apache-2.0.
#pragma once

#include <poll.h>
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

/// Allows at most `connections` connections, and `per_host` to one host. NULL: no memory, or no
/// libcurl.
waypost_curl *waypost_curl_create(long connections, long per_host);
/// All transfers have to be finished or cancelled.
void waypost_curl_destroy(waypost_curl *fetcher);

/// Receives `count` bytes; returning anything but `count` ends the transfer.
typedef size_t (*waypost_curl_sink)(const char *bytes, size_t size, size_t count, void *context);

/// What to ask for. The texts are copied.
typedef struct {
  const char *url;
  const char *user_agent;
  /// "0-99"; NULL: all.
  const char *range;
  /// More lines of the request's header, "Name: value".
  const char *const *headers;
  size_t header_count;
  /// Schemes that may be used, and those that a redirection may lead to: "http,https".
  const char *schemes;
  const char *redirections;
  /// A file of the certificates that are trusted; NULL: the system's.
  const char *certificates;
  /// Timeouts in seconds, for connecting and for the whole transfer; 0 for the second: no limit.
  long connect_seconds, total_seconds;
  /// The transfer fails after `slow_seconds` seconds below `least_bytes` bytes a second.
  long least_bytes, slow_seconds;
  waypost_curl_sink on_header, on_body;
  void *context;
} waypost_curl_request;

/// A transfer under way; invalid once `waypost_curl_next` has returned its result.
typedef struct waypost_curl_transfer waypost_curl_transfer;

/// Begins a transfer. NULL: it did not begin, and no result will carry its context.
waypost_curl_transfer *waypost_curl_begin(
    waypost_curl *fetcher, const waypost_curl_request *request);

/// Cancels a transfer that is under way; no result will carry its context.
void waypost_curl_cancel(waypost_curl *fetcher, waypost_curl_transfer *transfer);

/// Waits until a transfer can proceed, one of `descriptors` has an event, or `milliseconds` have
/// passed, then advances the transfers; 0 on failure. Sets `revents` as poll(2) does.
int waypost_curl_wait(
    waypost_curl *fetcher, struct pollfd *descriptors, unsigned count, int milliseconds);

/// How a transfer ended.
typedef struct {
  void *context;
  /// A CURLcode; 0: the whole answer came.
  int code;
  /// HTTP's status; 0: none came.
  long status;
  /// Seconds of the last Retry-After; 0: none.
  int64_t retry_after;
  /// 1: a connection was established, including TLS for https.
  int was_connected;
  /// Where the last redirection led; cut to what fits.
  char address[512];
  /// What is wrong, for people; empty where `code` is 0.
  char message[256];
} waypost_curl_result;

/// The next transfer that ended; 0: none.
int waypost_curl_next(waypost_curl *fetcher, waypost_curl_result *result);
