#include "explore/names/place_names.h"

namespace fairlead::explore {

void PlaceNames::Begin(const ControlMemory& memory) {
  memory_ = &memory;
  namer_.reset();
  std::vector<Module> modules;
  for (const abi::ModuleEntry& entry :
       memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules)) {
    modules.push_back({PathOf(entry), entry.first_site});
  }
  if (modules != modules_) {  // sites are counted from another beginning
    sites_.clear();
    calls_.clear();
    modules_ = std::move(modules);
  }
  callers_ = memory.Copy<abi::CallerRecord>(abi::RegionId::kCallers);
}

Namer& PlaceNames::NamerNow() {
  if (namer_ == nullptr) namer_ = std::make_unique<Namer>(*memory_);
  return *namer_;
}

uint64_t PlaceNames::AnchorOf(uint64_t place) {
  const auto index = static_cast<uint32_t>(place >> 1);
  return (place & 1) != 0 ? SiteAnchor(index) : CallerAnchor(index);
}

uint64_t PlaceNames::SiteAnchor(uint32_t index) {
  if (const auto known = sites_.find(index); known != sites_.end()) {
    return known->second;
  }
  const trace::SiteName name = NamerNow().Site(index);
  sites_[index] = name.anchor;
  if (name.anchor != 0) {
    facts_[name.anchor] = {
        name.place, name.function, name.library,
        name.kind == abi::SiteKind::kRmw || name.kind == abi::SiteKind::kCas};
  }
  return name.anchor;
}

uint64_t PlaceNames::CallerAnchor(uint32_t index) {
  if (index >= callers_.size()) return 0;
  const abi::CallerRecord& record = callers_[index];
  const std::pair key(record.module, record.offset);
  if (const auto known = calls_.find(key); known != calls_.end()) {
    return known->second;
  }
  const trace::CallerName name = NamerNow().Caller(index);
  const auto& all = NamerNow().modules();
  const bool library = name.module >= all.size() ||
                       (all[name.module].flags &
                        (abi::kModuleProgram | abi::kModuleInstrumented)) == 0;
  calls_[key] = name.anchor;
  if (name.anchor != 0) {
    facts_[name.anchor] = {name.place, name.function, library, false};
  }
  return name.anchor;
}

}  // namespace fairlead::explore
