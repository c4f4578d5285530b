#include "explore/names/typed_objects.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using trace::Event;
using trace::EventKind;
using trace::SiteName;
using trace::TypeName;

constexpr uint64_t kPointerBytes = 8;
// Structs that begin before an address: so many are looked at, the nearest
// first.
constexpr size_t kMaxClaims = 64;

// How large may be what an operation is done to (glibc, x86-64): a condition
// variable gives up and takes a mutex inside one call.
bool FitsPrimitive(EventKind kind, uint64_t bytes) {
  switch (kind) {
    case EventKind::kLock:
    case EventKind::kUnlock:
    case EventKind::kTryLock:
      return bytes == 40 || bytes == 56 || bytes == 4;
    case EventKind::kWait:
    case EventKind::kWaitDone:
    case EventKind::kSignal:
    case EventKind::kBroadcast:
      return bytes == 48;
    case EventKind::kSemWait:
    case EventKind::kSemPost:
    case EventKind::kBarrierWait:
      return bytes == 32;
    default:
      return false;
  }
}

// Locks several: which of them an argument was is not known.
bool LocksSeveral(std::string_view function) {
  return (function.starts_with("scoped_lock<") ||
          function.starts_with("lock<")) &&
         function.find(", ") != std::string_view::npos;
}

bool IsOfSeveral(const Event& event, const trace::Names& names) {
  for (auto node = names.nodes.find(event.node); node != names.nodes.end();
       node = names.nodes.find(node->second.parent)) {
    const auto site = names.sites.find(node->second.site);
    if (site != names.sites.end() && LocksSeveral(site->second.function)) {
      return true;
    }
    if (node->second.parent >= node->first) break;  // untrusted
  }
  return false;
}

}  // namespace

TypedObjects::TypedObjects(const trace::Trace& whole,
                           const std::map<uint64_t, uint64_t>& blocks)
    : names_(whole.names), types_(whole.names.types), blocks_(blocks) {
  for (const Event& event : whole.events) {
    if (trace::IsAccess(event)) {
      OnAccess(event);
    } else if (trace::GroupOf(event.kind) == trace::EventGroup::kSync) {
      OnSync(event);
    } else if (event.kind == EventKind::kAlloc) {
      const SiteName* site = SiteOf(event);
      if (site != nullptr && site->kind == abi::SiteKind::kAlloc &&
          OwnTypeOf(*site) != nullptr) {
        Claim(event.address, 0, site->type);
      }
    }
  }
  // Owners are found by fields, so these must be known.
  for (const Event& event : whole.events) {
    if (trace::IsAccess(event)) NoteOwner(event);
    if (event.kind == EventKind::kAlloc) NoteMaker(event);
  }
}

const SiteName* TypedObjects::SiteOf(const Event& event) const {
  if (!event.instrumented()) return nullptr;
  const auto found = names_.sites.find(event.site);
  return found == names_.sites.end() ? nullptr : &found->second;
}

const TypeName* TypedObjects::OwnTypeOf(const SiteName& site) const {
  if (site.has(abi::kSiteIndexed)) return nullptr;
  const auto found = types_.find(site.type);
  if (found == types_.end() ||
      (found->second.flags & (abi::kTypeLibrary | abi::kTypeLayoutOnly)) != 0) {
    return nullptr;
  }
  return &found->second;
}

// A struct does not go beyond the block or the variable that it is in: a node
// of a container is often of the same type as a part of the container itself.
bool TypedObjects::Fits(uint64_t address, uint64_t base, uint64_t type) const {
  uint64_t first = 0, size = 0;
  if (const std::optional<uint64_t> block = BlockAt(address)) {
    first = *block;
    size = blocks_.at(first);
  } else {
    const auto after = names_.objects.upper_bound(address);
    if (after == names_.objects.begin()) return true;
    first = std::prev(after)->first;
    size = std::prev(after)->second.size;
    if (address - first >= size) return true;
  }
  return base >= first && types_.at(type).size <= size &&
         base - first <= size - types_.at(type).size;
}

void TypedObjects::Claim(uint64_t address, uint64_t offset, uint64_t type) {
  const uint64_t base = address - offset;
  if (base > address || !Fits(address, base, type)) return;
  ++claims_[{base, type}];
  largest_ = std::max<uint64_t>(largest_, types_.at(type).size);
}

void TypedObjects::OnAccess(const Event& event) {
  const SiteName* site = SiteOf(event);
  if (site == nullptr) return;
  if (!site->library) {
    if (OwnTypeOf(*site) != nullptr) {
      Claim(event.address, site->field_offset, site->type);
    }
    return;
  }
  if (site->type == 0 || site->has(abi::kSiteIndexed)) return;
  const auto origin = names_.OriginOf(event);
  if (!origin || origin->call->kind != abi::SiteKind::kCall) return;
  const TypeName* type = OwnTypeOf(*origin->call);
  if (type == nullptr) return;
  const uint64_t at = origin->call->field_offset;
  const FieldPath field = FieldPathAt(*type, at, 0, types_);
  uint64_t inside = 0;
  if (field.type == 0 || field.offset != at ||
      !FindPart(field.type, site->type, types_, inside)) {
    return;
  }
  Claim(event.address, site->field_offset + inside + at, origin->call->type);
}

void TypedObjects::OnSync(const Event& event) {
  const SiteName* call = SiteOf(event);
  if (call == nullptr || event.address == 0) return;
  if (call->library) {
    const auto origin = names_.OriginOf(event);
    if (!origin) return;
    call = origin->call;
  }
  if (call->kind != abi::SiteKind::kCall) return;
  const TypeName* type = OwnTypeOf(*call);
  if (type == nullptr) return;
  const uint64_t at = call->field_offset;
  const FieldPath field = FieldPathAt(*type, at, 0, types_);
  if (!field.lock || field.offset != at ||
      !FitsPrimitive(event.kind, field.size) || IsOfSeveral(event, names_)) {
    return;
  }
  Claim(event.address, at, call->type);
}

std::optional<uint64_t> TypedObjects::BlockAt(uint64_t address) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return {};
  const auto& [first, bytes] = *std::prev(after);
  if (address - first >= bytes) return {};
  return first;
}

void TypedObjects::NoteOwner(const Event& event) {
  const SiteName* site = SiteOf(event);
  if (site == nullptr || !site->library || !trace::Writes(event) ||
      event.size != kPointerBytes) {
    return;
  }
  const std::optional<uint64_t> made = BlockAt(event.value);
  if (!made || owners_.contains(*made) || At(*made)) return;
  const std::optional<uint64_t> holder = BlockAt(event.address);
  if (holder == made) return;
  if (const auto object = At(event.address)) {
    const FieldPath field =
        FieldPathAt(TypeOf(*object), event.address - object->base, 0, types_);
    if (field.library) owners_[*made] = {object->base + field.offset};
    return;
  }
  if (holder) {
    const auto owner = owners_.find(*holder);
    if (owner != owners_.end()) owners_[*made] = owner->second;
    return;
  }
  const auto after = names_.objects.upper_bound(event.address);
  if (after == names_.objects.begin()) return;
  const auto& [first, variable] = *std::prev(after);
  if (event.address - first < variable.size) owners_[*made] = {first};
}

// A block that a library allocates on behalf of a field of the program's, if
// there is but one struct that the field may be in.
void TypedObjects::NoteMaker(const Event& event) {
  const SiteName* site = SiteOf(event);
  if (site == nullptr || !site->library || owners_.contains(event.address)) {
    return;
  }
  const auto origin = names_.OriginOf(event);
  if (!origin || origin->call->kind != abi::SiteKind::kCall) return;
  const TypeName* type = OwnTypeOf(*origin->call);
  if (type == nullptr) return;
  const uint64_t at = origin->call->field_offset;
  if (!FieldPathAt(*type, at, 0, types_).library) return;
  std::optional<uint64_t> base;
  for (const auto& [claim, times] : claims_) {
    if (claim.second != origin->call->type) continue;
    if (base) return;
    base = claim.first;
  }
  if (base) owners_[event.address] = {*base + at};
}

std::optional<TypedObject> TypedObjects::At(uint64_t address) const {
  std::optional<TypedObject> best;
  std::tuple<uint64_t, size_t> weight;
  size_t room = kMaxClaims;
  for (auto claim = claims_.upper_bound({address, ~uint64_t{0}});
       claim != claims_.begin() && room > 0; --room) {
    --claim;
    const auto& [base, type] = claim->first;
    const uint64_t size = types_.at(type).size;
    if (address - base >= largest_) break;
    if (address - base >= size) continue;
    if (const std::tuple mine(size, claim->second); !best || mine > weight) {
      best = TypedObject{.base = base, .type = type};
      weight = mine;
    }
  }
  return best;
}

std::optional<BlockOwner> TypedObjects::OwnerOf(uint64_t block) const {
  const auto found = owners_.find(block);
  if (found == owners_.end()) return {};
  return found->second;
}

}  // namespace fairlead::explore
