// explore/names/namer.h
//
// Gives names to the numbers of an execution: reads the tables in the control
// memory, and the site tables, symbols and debug information of the binaries
// that were loaded (explore/names/binary_file.h).

#ifndef FAIRLEAD_EXPLORE_NAMES_NAMER_H_
#define FAIRLEAD_EXPLORE_NAMES_NAMER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "abi/control.h"
#include "explore/names/binary_file.h"
#include "explore/run/control_memory.h"
#include "finding/finding.h"
#include "trace/names.h"
#include "trace/source_lines.h"

namespace fairlead::explore {

// The numbers that a trace makes use of.
struct UsedNumbers {
  std::set<uint32_t> sites;
  std::set<uint32_t> callers;
  std::set<uint32_t> nodes;
  std::set<uint32_t> functions;
};

class Namer {
 public:
  // Copies the tables as they are now; `memory` is not needed later.
  explicit Namer(const ControlMemory& memory);

  trace::SiteName Site(uint32_t index);
  trace::CallerName Caller(uint32_t index);
  // Null when nobody knows.
  const trace::FunctionName* Function(uint32_t index);
  const trace::TypeName* Type(uint64_t id);

  // "lost.c:18 (increment)" for a site or caller as in an event or an outcome.
  std::string Where(uint32_t site, uint32_t flags);

  // Whether that is a call made by the C library itself.
  bool IsInCLibrary(uint32_t site, uint32_t flags);

  // The same for an address of the program's code; "" if it is in no module.
  std::string Code(uint64_t address);
  // Whether it is in a function that a library's header has, and in nothing of
  // the program around it.
  bool IsLibraryCode(uint64_t address);

  // The same as values.
  finding::Where WhereOf(uint32_t site, uint32_t flags);
  finding::Where CodeOf(uint64_t address);

  // The same for people: of what a library does, the call in the program that
  // led there, if `node`, its calling context, knows it, else its name alone.
  finding::Where OwnWhere(uint32_t site, uint32_t flags, uint64_t node);
  std::string OwnPlace(uint32_t site, uint32_t flags, uint64_t node);

  // The function at an address and those that it is inlined into, the
  // innermost first; empty if the address is in no module.
  std::vector<finding::Where> FramesAt(uint64_t address);

  // Indices of the call sites that lead to a calling context, the innermost
  // first; the outer ones of a deep recursion are left out.
  std::vector<uint32_t> CallSites(uint32_t node) const;

  // "main/1", or "main/1 (worker)" for a thread with a name of its own.
  std::string Thread(abi::Tid tid) const;
  std::string Object(uint64_t address);

  // Names of threads, modules, global objects, and of the numbers in `used`.
  trace::Names For(const UsedNumbers& used);

  const std::vector<trace::ThreadName>& threads() const { return threads_; }
  const std::vector<abi::ModuleEntry>& modules() const { return modules_; }
  // Sites of a module that its file knows, too.
  size_t NumSites(size_t module);

 private:
  BinaryFile& FileOf(size_t module);
  // Of the frames at a return address, the innermost that is no library's own;
  // if all are, the first.
  trace::SourceLine CallAt(size_t module, uint64_t offset);
  // Whose site that is; modules_.size() = nobody's.
  size_t ModuleOf(uint32_t site) const;
  // The anchor of the first call site at `place`, if the module has one there.
  uint64_t AnchorAt(size_t module, const trace::Place& place);
  void NameThreads(const std::vector<abi::ThreadEntry>& entries);
  // Adds the type and those that it is made of.
  void AddType(uint64_t id, trace::Names& names);
  void AddTypes(trace::Names& names);
  // No names but those of global objects.
  const trace::Names& Objects();

  std::vector<abi::ModuleEntry> modules_;
  std::vector<abi::CallerRecord> callers_;
  std::vector<abi::NodeRecord> nodes_;
  std::vector<trace::ThreadName> threads_;               // by number
  std::map<size_t, std::shared_ptr<BinaryFile>> files_;  // by module
  std::optional<trace::Names> objects_;
};

// A module's path and build id as text; both fields are untrusted.
std::string PathOf(const abi::ModuleEntry& module);
std::string BuildIdOf(const abi::ModuleEntry& module);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_NAMER_H_
