#include "explore/stacks.h"

#include <string_view>

#include "trace/unwind.h"

namespace fairlead::explore {
namespace {

using finding::Where;

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

enum class Whose {
  kProgram,  // or a library of its
  kLibrary,  // the C or C++ library
  kOurs,     // the runtime's, or nobody's
};

Whose WhoseIs(uint64_t address, const Namer& namer) {
  for (const abi::ModuleEntry& module : namer.modules()) {
    if (address < module.begin || address >= module.end) continue;
    const std::string path = PathOf(module);
    const std::string_view name = FileName(path);
    if (name.starts_with("libfairlead_rt")) return Whose::kOurs;
    const bool library =
        name.starts_with("libc.so") || name.starts_with("libstdc++");
    return library ? Whose::kLibrary : Whose::kProgram;
  }
  return Whose::kOurs;
}

std::vector<Where> Named(const std::vector<uint64_t>& addresses, Namer& namer) {
  std::vector<Where> frames;
  size_t num_kept = 0;  // up to the last one of the program's
  for (const uint64_t address : addresses) {
    const Whose whose = WhoseIs(address, namer);
    if (whose == Whose::kOurs) continue;
    // How a library ends the program says nothing; how it calls it back does.
    if (whose == Whose::kLibrary && frames.empty()) continue;
    Where where = namer.CodeOf(address);
    if (where.function.empty() || where.function == "_start") continue;
    // Between a thread and its function, templates of the library call each
    // other; one that fails itself is told.
    if (!frames.empty() && where.place.file.starts_with("/usr/")) continue;
    frames.push_back(std::move(where));
    if (whose == Whose::kProgram) num_kept = frames.size();
  }
  frames.resize(num_kept);
  return frames;
}

}  // namespace

Stacks::Stacks(const ControlMemory& memory, Namer& namer) {
  const auto records = memory.Copy<abi::StackRecord>(abi::RegionId::kStacks);
  if (records.empty()) return;
  const auto bytes = memory.Copy<char>(abi::RegionId::kStackBytes);
  trace::Unwinder unwinder(namer.modules());
  for (const abi::StackRecord& record : records) {
    if (record.offset > bytes.size() ||
        record.bytes > bytes.size() - record.offset) {
      continue;
    }
    by_thread_[record.thread] = Named(
        unwinder.UnwindUntrusted(
            record, std::span(bytes).subspan(record.offset, record.bytes)),
        namer);
  }
}

std::vector<Where> Stacks::Of(abi::Tid thread) const {
  const auto found = by_thread_.find(thread);
  return found == by_thread_.end() ? std::vector<Where>() : found->second;
}

}  // namespace fairlead::explore
