// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CTOML.h"

#include <cstring>

namespace {
struct assertion_failed {};

// What toml++ asserts is not always so for text that is no TOML: "[=" reaches the parser of keys,
// which has an error ready for it behind its assertion. That one is passed over; any other ends the
// parsing. With NDEBUG the library would turn assertions into promises to the optimiser.
constexpr void check(bool holds, const char *text) {
  if (holds) return;
  if (std::strcmp(text, "is_bare_key_character(*cp) || is_string_delimiter(*cp)") == 0) return;
  throw assertion_failed();
}
}  // namespace

#undef NDEBUG
#define TOML_ASSERT(expression) check(static_cast<bool>(expression), #expression)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES CTOML_MAX_NESTING_VALUE
// The macro is read by the preprocessor, which knows no enumerators.
#define CTOML_MAX_NESTING_VALUE 32
static_assert(CTOML_MAX_NESTING == CTOML_MAX_NESTING_VALUE, "one limit");
#include <toml++/toml.h>

#include <algorithm>
#include <new>
#include <string>
#include <vector>

struct ctoml_document {
  toml::table root;
  std::vector<ctoml_node> nodes;
  std::string error;
  uint32_t line = 0, column = 0;
};

namespace {

// toml++ bounds nested values but not the parts of a dotted key, each of which is a table that is
// freed recursively. Finds the first key with too many parts; returns its line or 0. Dots in strings
// and comments do not count. Wherever the text is no TOML, the parser stops no later than here.
uint32_t line_with_long_key(const char *p, size_t length) {
  const char *end = p + length;
  uint32_t line = 1;
  size_t dots = 0;
  while (p < end) {
    const char c = *p;
    switch (c) {
      case '\n':
        line++;
        dots = 0;
        p++;
        break;
      case '=': case ',': case '{': case '}': case '[': case ']':
        dots = 0;
        p++;
        break;
      case '.':
        if (++dots >= CTOML_MAX_KEY_PARTS) return line;
        p++;
        break;
      case '#':
        while (p < end && *p != '\n') p++;
        break;
      case '"': case '\'': {
        const bool multi = end - p >= 3 && p[1] == c && p[2] == c;
        p += multi ? 3 : 1;
        while (p < end) {
          if (*p == '\\' && c == '"') {
            if (end - p >= 2 && p[1] == '\n') line++;
            p += std::min<ptrdiff_t>(2, end - p);
          } else if (*p == '\n') {
            if (!multi) break;
            line++;
            p++;
          } else if (*p != c) {
            p++;
          } else if (!multi) {
            p++;
            break;
          } else if (end - p >= 3 && p[1] == c && p[2] == c) {
            p += 3;
            // One or two quotation marks may stand directly before the closing three.
            while (p < end && *p == c) p++;
            break;
          } else {
            p++;
          }
        }
        break;
      }
      default:
        p++;
    }
  }
  return 0;
}

struct pending {
  size_t index;
  const toml::node *node;
};

void fill(ctoml_node &out, const toml::node &node) {
  out.line = node.source().begin.line;
  out.column = node.source().begin.column;
  switch (node.type()) {
    case toml::node_type::table: out.type = CTOML_TABLE; break;
    case toml::node_type::array: out.type = CTOML_ARRAY; break;
    case toml::node_type::string: {
      const std::string &text = node.as_string()->get();
      out.type = CTOML_STRING;
      out.string = text.data();
      out.string_length = text.size();
      break;
    }
    case toml::node_type::integer:
      out.type = CTOML_INTEGER;
      out.integer = node.as_integer()->get();
      break;
    case toml::node_type::floating_point:
      out.type = CTOML_FLOAT;
      out.floating = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      out.type = CTOML_BOOLEAN;
      out.boolean = node.as_boolean()->get();
      break;
    default: out.type = CTOML_DATE;
  }
}

// Breadth first, so that the children of a node lie side by side and nothing recurses.
void flatten(ctoml_document &document) {
  std::vector<ctoml_node> &nodes = document.nodes;
  std::vector<pending> queue;
  nodes.push_back(ctoml_node{});
  fill(nodes[0], document.root);
  queue.push_back({0, &document.root});
  struct child {
    const toml::key *key;
    const toml::node *node;
  };
  std::vector<child> children;
  for (size_t at = 0; at < queue.size(); at++) {
    const pending parent = queue[at];
    children.clear();
    if (const toml::table *table = parent.node->as_table()) {
      for (auto it = table->cbegin(); it != table->cend(); ++it)
        children.push_back({&it->first, &it->second});
      std::stable_sort(children.begin(), children.end(), [](const child &a, const child &b) {
        const auto x = a.key->source().begin, y = b.key->source().begin;
        return x.line != y.line ? x.line < y.line : x.column < y.column;
      });
    } else if (const toml::array *array = parent.node->as_array()) {
      for (size_t i = 0; i < array->size(); i++) children.push_back({nullptr, array->get(i)});
    }
    nodes[parent.index].first_child = nodes.size();
    nodes[parent.index].child_count = children.size();
    for (const child &c : children) {
      ctoml_node node{};
      fill(node, *c.node);
      if (c.key) {
        node.key = c.key->str().data();
        node.key_length = c.key->str().size();
        node.key_line = c.key->source().begin.line;
        node.key_column = c.key->source().begin.column;
      }
      if (c.node->is_table() || c.node->is_array()) queue.push_back({nodes.size(), c.node});
      nodes.push_back(node);
    }
  }
}

void fail(ctoml_document &document, std::string text, uint32_t line, uint32_t column) {
  document.error = std::move(text);
  document.line = line;
  document.column = column;
}

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t length) {
  ctoml_document *document = new (std::nothrow) ctoml_document;
  if (!document) return nullptr;
  if (length > CTOML_MAX_BYTES) {
    fail(*document, "larger than 1 MiB, the most that is read", 1, 1);
    return document;
  }
  if (const uint32_t line = line_with_long_key(bytes, length)) {
    fail(*document, "a dotted key of more than 32 parts", line, 1);
    return document;
  }
  try {
    toml::parse_result result = toml::parse(std::string_view(bytes, length));
    if (result) {
      document->root = std::move(result).table();
      flatten(*document);
    } else {
      const toml::parse_error &error = result.error();
      fail(
        *document, std::string(error.description()), error.source().begin.line,
        error.source().begin.column);
    }
  } catch (const assertion_failed &) {
    fail(*document, "text that the parser cannot make sense of", 1, 1);
  } catch (const std::bad_alloc &) {
    document->nodes.clear();
    fail(*document, "no memory to read it", 1, 1);
  }
  return document;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count) {
  *count = document->nodes.size();
  return document->nodes.data();
}

const char *ctoml_error(const ctoml_document *document, uint32_t *line, uint32_t *column) {
  *line = document->line;
  *column = document->column;
  return document->error.empty() ? nullptr : document->error.c_str();
}
