#include "trace/names.h"

#include <fmt/core.h>

#include "base/text.h"

namespace fairlead::trace {
namespace {

constexpr std::string_view kUnnamedThread = "thread-";

template <typename Map>
void MergeInto(Map& map, Map&& later) {
  later.merge(map);  // keeps what `later` has
  map = std::move(later);
}

}  // namespace

std::string PlaceText(const Place& place) {
  if (place.file.empty()) return "";
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

const FieldName* TypeName::FieldAt(uint64_t offset) const {
  for (const FieldName& field : fields) {
    if (offset >= field.offset && offset - field.offset < field.size) {
      return &field;
    }
  }
  return nullptr;
}

std::string Names::ThreadText(Tid tid) const {
  const auto found = threads.find(tid);
  if (found != threads.end()) return found->second.path;
  if (tid == Tid::kNone) return "nobody";
  return fmt::format("{}{}", kUnnamedThread, abi::Index(tid));
}

std::optional<Tid> Names::FindThread(std::string_view text) const {
  for (const auto& [tid, thread] : threads) {
    if (thread.path == text) return tid;
  }
  if (text == "nobody") return Tid::kNone;
  if (text.starts_with(kUnnamedThread)) {
    const auto number = ParseNumber(text.substr(kUnnamedThread.size()));
    if (number && *number < abi::kMaxThreads) {
      return Tid{static_cast<uint16_t>(*number)};
    }
  }
  return {};
}

std::string Names::ObjectText(uint64_t address) const {
  const auto after = objects.upper_bound(address);
  if (after != objects.begin()) {
    const auto& [first, object] = *std::prev(after);
    if (address == first) return object.name;
    if (address - first < object.size) {
      return fmt::format("{}+{}", object.name, address - first);
    }
  }
  return fmt::format("{:#x}", address);
}

std::string Names::PointeeText(uint64_t address) const {
  const auto found = objects.find(address);
  if (found == objects.end() || found->second.whole.empty()) {
    return ObjectText(address);
  }
  return found->second.whole;
}

const Place* Names::PlaceOf(const Event& event) const {
  const Place* place = nullptr;
  if (event.instrumented()) {
    const auto found = sites.find(event.site);
    if (found != sites.end()) place = &found->second.place;
  } else {
    const auto found = callers.find(event.site);
    if (found != callers.end()) place = &found->second.place;
  }
  return place == nullptr || place->file.empty() ? nullptr : place;
}

std::string Names::FunctionOf(const Event& event) const {
  if (event.instrumented()) {
    const auto found = sites.find(event.site);
    return found == sites.end() ? "" : found->second.function;
  }
  const auto found = callers.find(event.site);
  return found == callers.end() ? "" : found->second.function;
}

std::optional<Names::Origin> Names::OriginOf(const Event& event) const {
  if (!event.instrumented()) return {};
  const auto own = sites.find(event.site);
  if (own == sites.end() || !own->second.library) return {};
  Origin origin = {
      .node = event.node, .call = nullptr, .callee = own->second.function};
  for (auto node = nodes.find(origin.node); node != nodes.end();
       node = nodes.find(origin.node)) {
    const auto site = sites.find(node->second.site);
    if (site == sites.end()) return {};
    if (!site->second.library) {
      origin.call = &site->second;
      return origin;
    }
    origin.callee = site->second.function;
    origin.node = node->second.parent;
  }
  return {};
}

const Place* Names::ShownPlaceOf(const Event& event) const {
  const std::optional<Origin> origin = OriginOf(event);
  if (origin && !origin->call->place.file.empty()) return &origin->call->place;
  // What a library does that nobody called, as at the program's end, has no
  // place that people know.
  if (event.instrumented()) {
    const auto site = sites.find(event.site);
    if (site != sites.end() && site->second.library) return nullptr;
  }
  return PlaceOf(event);
}

void Names::Merge(Names later) {
  MergeInto(sites, std::move(later.sites));
  MergeInto(functions, std::move(later.functions));
  MergeInto(types, std::move(later.types));
  MergeInto(callers, std::move(later.callers));
  MergeInto(nodes, std::move(later.nodes));
  MergeInto(modules, std::move(later.modules));
  MergeInto(threads, std::move(later.threads));
  MergeInto(objects, std::move(later.objects));
}

}  // namespace fairlead::trace
