#include "analysis/asset/objects.h"

#include <algorithm>

#include "order/access.h"

namespace fairlead::analysis::asset {
namespace {

using trace::Event;
using trace::EventKind;

// Variables of one file, or of one class, that are told apart.
constexpr size_t kMaxStatics = 256;

}  // namespace

const Objects::Use& Objects::UseOf(const Event& event) {
  static const Use kUnknown;
  constexpr uint32_t kMostSites = 1u << 22;  // the number may be made up
  if (tables_ == nullptr || !event.instrumented() || event.site > kMostSites) {
    return kUnknown;
  }
  if (event.site >= uses_.size()) uses_.resize(event.site + 1);
  Use& use = uses_[event.site];
  if (use.known) return use;
  use.known = true;
  const trace::SiteName& site = tables_->SiteOf(event);
  use.library = site.library;
  use.layout = site.library ? nullptr : layouts_.Of(site.type);
  if (use.layout != nullptr && !use.layout->is_set) use.layout = nullptr;
  use.offset = site.field_offset;
  use.indexed = site.has(abi::kSiteIndexed);
  use.pointer = site.has(abi::kSitePointer);
  use.file = site.place.file;
  return use;
}

std::shared_ptr<SetInstance> Objects::ObjectAt(uint64_t address,
                                               const Layout& layout) {
  std::shared_ptr<SetInstance>& object = objects_[{address, layout.type}];
  if (object == nullptr) {
    object = std::make_shared<SetInstance>();
    object->number = ++num_sets_;
    object->layout = &layout;
    object->begin = address;
    ranges_.insert({address, {address + layout.size, object}});
  }
  return object;
}

// The innermost object around a byte.
std::optional<Located> Objects::InObject(uint64_t address) const {
  constexpr int kMostNested = 8;
  auto at = ranges_.upper_bound(address);
  const Range* best = nullptr;
  for (int i = 0; i < kMostNested && at != ranges_.begin(); ++i) {
    --at;
    if (best != nullptr && at->first != best->set->begin) break;
    if (address >= at->second.end) continue;
    if (best == nullptr || at->second.end < best->end) best = &at->second;
  }
  if (best == nullptr) return {};
  const Layout& layout = *best->set->layout;
  const uint64_t offset = address - best->set->begin;
  const uint32_t field = layout.FieldAt(offset);
  if (field == Layout::kNoField) return {};
  return Located{best->set, field, layout.fields[field].wide, false, offset};
}

bool Objects::IsInside(uint64_t address) const {
  const auto in = InObject(address);
  return in && in->wide;
}

std::optional<Located> Objects::InBlock(uint64_t address) const {
  auto at = owned_.upper_bound(address);
  if (at == owned_.begin()) return {};
  --at;
  if (address >= at->second.end) return {};
  return Located{at->second.set, at->second.field, true, true,
                 address - at->first};
}

bool Objects::IsModuleData(uint64_t address) const {
  auto at = module_data_.upper_bound(address);
  return at != module_data_.begin() && address < std::prev(at)->second;
}

std::optional<Located> Objects::InStatics(const Event& event, const Use& use) {
  if (use.library || use.file.empty() || !IsModuleData(event.address)) {
    return {};
  }
  std::shared_ptr<SetInstance>& set = statics_[use.file];
  if (set == nullptr) {
    set = std::make_shared<SetInstance>();
    set->number = ++num_sets_;
    set->file = use.file;
  }
  const auto known = std::ranges::find(set->addresses, event.address);
  auto field = static_cast<uint32_t>(known - set->addresses.begin());
  // The elements of an array, by the place that goes through them.
  const auto [of_site, fresh] = static_of_site_.try_emplace(event.site, field);
  if (!fresh) field = of_site->second;
  if (field == set->addresses.size()) {
    if (field == kMaxStatics) return {};
    set->addresses.push_back(event.address);
  }
  const bool wide = use.indexed || set->addresses[field] != event.address;
  return Located{set, field, wide, false, event.address};
}

std::optional<Located> Objects::Typed(const Event& event, const Use& use) {
  if (!layouts_.HasMethods(use.layout->type)) {
    // Data of another object: nodes, elements.
    if (!objects_.contains({event.address - use.offset, use.layout->type})) {
      if (auto in = InObject(event.address)) return in;
    }
    if (auto in = InBlock(event.address)) return in;
  }
  if (use.indexed || event.address < use.offset) {
    return InObject(event.address);
  }
  const std::shared_ptr<SetInstance> set =
      ObjectAt(event.address - use.offset, *use.layout);
  if (set->file.empty() && set->begin != 0 && IsModuleData(set->begin)) {
    set->file = use.file;
  }
  const uint64_t offset = event.address - set->begin;
  const uint32_t field = set->layout->FieldAt(offset);
  if (field == Layout::kNoField) return {};
  return Located{set, field, set->layout->fields[field].wide, false, offset};
}

std::optional<Located> Objects::Locate(const Event& event) {
  const Use& use = UseOf(event);
  std::optional<Located> located;
  if (use.layout != nullptr) {
    located = Typed(event, use);
  } else {
    located = InObject(event.address);
    if (!located) located = InBlock(event.address);
    if (!located) located = InStatics(event, use);
  }
  if (located && use.pointer && event.has(abi::kFlagWrites)) {
    Own(*located, event.value);
  }
  return located;
}

void Objects::Own(const Located& by, uint64_t pointer) {
  const auto block = blocks_.find(pointer);
  if (block == blocks_.end() || by.set->layout == nullptr) return;
  // Memory of an object is no buffer of its own.
  if (by.set->begin >= pointer && by.set->begin < block->second) return;
  owned_.try_emplace(pointer, Owned{block->second, by.set, by.field});
}

void Objects::OnMethod(uint64_t type, uint64_t address, bool constructs) {
  const Layout* layout = layouts_.Of(type);
  if (layout == nullptr || address == 0) return;
  const bool known = objects_.contains({address, type});
  // Data of another object, as far as is known.
  if (!known && !layouts_.HasMethods(type) &&
      (IsInside(address) || InBlock(address))) {
    return;
  }
  if (constructs) {
    // What was there before is gone, but for what this is a part of.
    const auto last = ranges_.lower_bound(address + layout->size);
    bool inside = false;
    for (auto at = ranges_.lower_bound(address); at != last; ++at) {
      inside |= at->second.end > address + layout->size;
    }
    if (!inside) Drop(address, address + std::max(layout->size, 1u));
  }
  if (!layout->is_set || objects_.contains({address, type})) return;
  const auto object = ObjectAt(address, *layout);
  // What is known as an object of a base belongs to this one from now on.
  for (const auto& [base, offset] : layouts_.BasesOf(type)) {
    auto& part = objects_[{address + offset, base}];
    if (part != nullptr && part != object) {
      gone_.push_back(part->number);
      const auto [first, last] = ranges_.equal_range(part->begin);
      for (auto at = first; at != last;) {
        at = at->second.set == part ? ranges_.erase(at) : std::next(at);
      }
    }
    part = object;
  }
}

void Objects::Drop(uint64_t begin, uint64_t end) {
  for (auto at = ranges_.lower_bound(begin);
       at != ranges_.end() && at->first < end;) {
    gone_.push_back(at->second.set->number);
    at = ranges_.erase(at);
  }
  objects_.erase(objects_.lower_bound({begin, 0}),
                 objects_.lower_bound({end, 0}));
}

void Objects::OnOther(const Event& event) {
  switch (event.kind) {
    case EventKind::kAlloc:
      blocks_[event.address] = event.address + event.value;
      break;
    case EventKind::kFree: {
      const auto block = blocks_.find(event.address);
      if (block == blocks_.end()) break;
      Drop(block->first, block->second);
      owned_.erase(event.address);
      blocks_.erase(block);
      break;
    }
    case EventKind::kModuleData:
      module_data_[event.address] = event.address + event.value;
      break;
    default:
      break;
  }
}

}  // namespace fairlead::analysis::asset
