// Copyright Waypost contributors. Licence: Apache-2.0.
#include "CTOML.h"

namespace {
// All text that TOMLText lets through satisfies the assertions of toml++. If one
// fails nevertheless, parsing ends instead of the process.
struct assertion_failed {};
constexpr void check(bool holds) {
  if (!holds) throw assertion_failed();
}
}  // namespace

// toml++'s own configuration, as its documentation has it. With NDEBUG it would turn assertions
// into promises to the optimiser.
#undef NDEBUG
#define TOML_ASSERT(expression) check(static_cast<bool>(expression))
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32
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
    fail(*document, "the parser gave up", 1, 1);
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
