// explore/names/module_tables.h
//
// What the compiler recorded about the modules of an execution that goes on,
// for those who watch it (trace/program_tables.h). Files are read when somebody
// asks, and once for all executions (explore/names/binary_file.h).

#ifndef FAIRLEAD_EXPLORE_NAMES_MODULE_TABLES_H_
#define FAIRLEAD_EXPLORE_NAMES_MODULE_TABLES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "explore/names/binary_file.h"
#include "explore/run/control_memory.h"
#include "trace/program_tables.h"

namespace fairlead::explore {

class ModuleTables final : public trace::ProgramTables {
 public:
  // Takes over the modules that have come since the last call; before the
  // events that name their sites. What is in `memory` is untrusted, and not
  // needed later.
  void Update(const ControlMemory& memory);

  const trace::TypeName* TypeOf(uint64_t id) override;
  const trace::FunctionName* FunctionOf(const trace::Event& event) override;

 protected:
  const trace::SiteName& Find(uint32_t site) override;

 private:
  struct Module {
    std::string path;
    uint32_t first_site;
    uint32_t num_sites;
    uint32_t first_function;
    uint32_t num_functions;
    std::shared_ptr<BinaryFile> file = nullptr;  // null = not read yet
  };
  static const trace::SiteTable& TableOf(Module& module);

  size_t num_seen_ = 0;          // of all modules
  std::vector<Module> modules_;  // that have sites
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_MODULE_TABLES_H_
