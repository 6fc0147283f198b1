// Copyright Waypost contributors. Licence: Apache-2.0.
// toml++ behind a plain C interface: bytes in, one flat list of nodes out.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The type of a node's value.
typedef enum {
  CTOML_TABLE,
  CTOML_ARRAY,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  /// A date, a time or both. Their values are not kept, because no key accepts one.
  CTOML_DATE
} ctoml_type;

/// One value of the document with the key that leads to it.
typedef struct {
  ctoml_type type;
  /// Where the value begins, counted from 1; 0 if unknown.
  uint32_t line, column;
  /// Where the key begins; 0 for the root and for elements of an array.
  uint32_t key_line, key_column;
  /// Not terminated; valid until the document is freed.
  const char *key;
  size_t key_length;
  const char *string;
  size_t string_length;
  int64_t integer;
  double floating;
  bool boolean;
  /// A table's or an array's children: `child_count` nodes from index `first_child`, a table's in
  /// the document's order.
  size_t first_child, child_count;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Parses `length` bytes of TOML 1.0 that `TOMLText` made: ASCII, with a key in each table header
/// and at most 32 parts in a dotted key. Arrays and inline tables may nest 32 deep. NULL only
/// if memory is short; free it with `ctoml_free`.
ctoml_document *ctoml_parse(const char *bytes, size_t length);
void ctoml_free(ctoml_document *document);

/// The nodes; number 0 is the root table. Zero nodes when the document has an error.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);

/// The parse error's text and its position, counted from 1; NULL if there is none.
const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column);

#ifdef __cplusplus
}
#endif
