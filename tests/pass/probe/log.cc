#include "tests/pass/probe/log.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace fairlead::probe {
namespace {

struct Node {
  uint32_t parent;
  const abi::SiteRecord* site;
};

struct Log {
  std::mutex lock;
  std::map<std::string, uint64_t> counts;
  std::vector<Node> nodes = {{0, nullptr}};
  std::map<std::pair<uint32_t, const abi::SiteRecord*>, uint32_t> children;
};

// Never destroyed: threads may outlive the end of the program.
Log& TheLog() {
  static Log& log = *new Log;
  return log;
}

const abi::FieldRecord* FieldAt(const abi::TypeRecord& type, uint32_t offset) {
  const abi::FieldRecord* fields = type.fields.get();
  for (uint16_t i = 0; i < type.num_fields; ++i) {
    const uint32_t begin = fields[i].offset;
    if (offset >= begin && offset < begin + fields[i].size) return &fields[i];
  }
  return nullptr;
}

}  // namespace

Line& Line::Add(const char* name, const char* value) {
  text_ += '\t';
  text_ += name;
  text_ += '=';
  text_ += value != nullptr ? value : "";
  return *this;
}

Line& Line::Add(const char* name, uint64_t value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%" PRIu64, value);
  return Add(name, digits);
}

const char* WordOf(abi::SiteKind kind) {
  switch (kind) {
#define FL_SITE_KIND(name, word, number, reads, writes) \
  case abi::SiteKind::name:                             \
    return word;
#include "abi/sites.inc"
#undef FL_SITE_KIND
  }
  return "?";
}

const char* BaseName(const char* path) {
  if (path == nullptr) return "";
  const char* slash = std::strrchr(path, '/');
  return slash != nullptr ? slash + 1 : path;
}

void Describe(const abi::SiteRecord& site, Line& line) {
  line.Add("kind", WordOf(site.kind));
  line.Add("file", site.file ? BaseName(site.file->path.get()) : "");
  line.Add("line", site.line).Add("column", site.column);
  line.Add("function", site.function->name.get());
  line.Add("library", (site.flags & abi::kSiteLibrary) != 0);
  line.Add("order", static_cast<uint64_t>(site.order()));
  if (!site.type) return;
  line.Add("type", site.type->name.get()).Add("offset", site.field_offset);
  const abi::FieldRecord* field = FieldAt(*site.type.get(), site.field_offset);
  if (field != nullptr) line.Add("field", field->name.get());
}

void Tell(const Line& line) {
  Log& log = TheLog();
  const std::lock_guard lock(log.lock);
  ++log.counts[line.text()];
}

uint32_t NodeOf(uint32_t parent, const abi::SiteRecord* site) {
  Log& log = TheLog();
  const std::lock_guard lock(log.lock);
  const auto [child, fresh] =
      log.children.try_emplace({parent, site}, log.nodes.size());
  if (fresh) log.nodes.push_back({parent, site});
  return child->second;
}

std::string ChainOf(uint32_t node) {
  Log& log = TheLog();
  const std::lock_guard lock(log.lock);
  std::string chain;
  for (; node != 0; node = log.nodes[node].parent) {
    const char* name = log.nodes[node].site->function->name.get();
    chain = chain.empty() ? name : name + (">" + chain);
  }
  return chain;
}

void WriteLog() {
  const char* path = std::getenv("PROBE_EVENTS");
  if (path == nullptr) return;
  std::FILE* out = std::fopen(path, "w");
  if (out == nullptr) return;
  Log& log = TheLog();
  const std::lock_guard lock(log.lock);
  for (const auto& [text, count] : log.counts) {
    std::fprintf(out, "%s\tcount=%" PRIu64 "\n", text.c_str(), count);
  }
  std::fclose(out);
}

}  // namespace fairlead::probe
