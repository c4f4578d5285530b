#include "trace/program_tables.h"

#include <limits>

namespace fairlead::trace {

const SiteName& NamedTables::Find(uint32_t site) {
  const auto found = names_.sites.find(site);
  return found == names_.sites.end() ? unknown() : found->second;
}

const TypeName* NamedTables::TypeOf(uint64_t id) {
  const auto found = names_.types.find(id);
  return found == names_.types.end() ? nullptr : &found->second;
}

const FunctionName* NamedTables::FunctionOf(const Event& event) {
  if (event.value > std::numeric_limits<uint32_t>::max()) return nullptr;
  const auto found = names_.functions.find(static_cast<uint32_t>(event.value));
  return found == names_.functions.end() ? nullptr : &found->second;
}

}  // namespace fairlead::trace
