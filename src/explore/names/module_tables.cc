#include "explore/names/module_tables.h"

#include <algorithm>

#include "explore/names/namer.h"

namespace fairlead::explore {

void ModuleTables::Update(const ControlMemory& memory) {
  if (memory.Used(abi::RegionId::kModules) == num_seen_) return;
  const auto entries = memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules);
  for (; num_seen_ < entries.size(); ++num_seen_) {
    const abi::ModuleEntry& entry = entries[num_seen_];
    if (entry.num_sites == 0 && entry.num_functions == 0) continue;
    modules_.push_back({.path = PathOf(entry),
                        .first_site = entry.first_site,
                        .num_sites = entry.num_sites,
                        .first_function = entry.first_function,
                        .num_functions = entry.num_functions});
  }
}

const trace::SiteTable& ModuleTables::TableOf(Module& module) {
  if (module.file == nullptr) module.file = BinaryFile::At(module.path);
  return module.file->Sites();
}

const trace::SiteName& ModuleTables::Find(uint32_t site) {
  for (Module& module : modules_) {
    if (site - module.first_site >= module.num_sites) continue;
    const std::vector<trace::SiteName>& sites = TableOf(module).sites;
    const size_t count = std::min<size_t>(sites.size(), module.num_sites);
    const size_t inside = site - module.first_site;
    if (inside >= count) break;
    Near(module.first_site, std::span(sites).first(count));
    return sites[inside];
  }
  return unknown();
}

const trace::TypeName* ModuleTables::TypeOf(uint64_t id) {
  for (Module& module : modules_) {
    const auto& types = TableOf(module).types;
    const auto found = types.find(id);
    if (found != types.end()) return &found->second;
  }
  return nullptr;
}

const trace::FunctionName* ModuleTables::FunctionOf(const trace::Event& event) {
  for (Module& module : modules_) {
    const uint64_t inside = event.value - module.first_function;
    if (inside >= module.num_functions) continue;
    const auto& functions = TableOf(module).functions;
    return inside < functions.size() ? &functions[inside] : nullptr;
  }
  return nullptr;
}

}  // namespace fairlead::explore
