#include "explore/names/stacks.h"

#include <string_view>

#include "trace/library_file.h"
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

// A sanitizer's runtime is linked into the program.
bool IsSanitizers(const Where& where) {
  if (!where.place.file.empty()) return false;
  for (const std::string_view begin :
       {"__asan", "__sanitizer", "__ubsan", "__lsan", "__interceptor_",
        "___interceptor_", "asan_thread_start"}) {
    if (where.function.starts_with(begin)) return true;
  }
  return false;
}

// The switch between two bodies of a function has no lines of its own.
bool IsSwitchOf(const Where& outer, const Where& inner) {
  return outer.place.file.empty() && outer.function == inner.function;
}

// The program's own frames. What a library does before it ends the program,
// between a thread and its function, or on behalf of the program is told as the
// line that called it; where nothing of the program is left, a library's frames
// are better than none.
std::vector<Where> Named(const std::vector<uint64_t>& addresses, Namer& namer) {
  std::vector<Where> own;
  std::vector<Where> others;
  for (const uint64_t address : addresses) {
    const Whose whose = WhoseIs(address, namer);
    if (whose == Whose::kOurs) continue;
    for (Where& where : namer.FramesAt(address)) {
      if (where.function.empty() || where.function == "_start") continue;
      const bool is_own = whose == Whose::kProgram &&
                          !trace::IsLibraryFile(where.place.file) &&
                          !IsSanitizers(where);
      std::vector<Where>& frames = is_own ? own : others;
      if (!frames.empty() && IsSwitchOf(where, frames.back())) continue;
      frames.push_back(std::move(where));
    }
  }
  return own.empty() ? others : own;
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
    const std::vector<uint64_t> addresses = unwinder.UnwindUntrusted(
        record, std::span(bytes).subspan(record.offset, record.bytes));
    by_thread_[record.thread] = Named(addresses, namer);
    for (const uint64_t address : addresses) {
      for (Where& frame : namer.FramesAt(address)) {
        functions_[record.thread].push_back(std::move(frame.function));
      }
    }
  }
}

std::optional<Where> Stacks::OwnFrame(abi::Tid thread) const {
  const auto found = by_thread_.find(thread);
  if (found == by_thread_.end()) return {};
  for (const Where& frame : found->second) {
    if (!trace::IsLibraryFile(frame.place.file)) return frame;
  }
  return {};
}

std::vector<std::string> Stacks::FunctionsOf(abi::Tid thread) const {
  const auto found = functions_.find(thread);
  return found == functions_.end() ? std::vector<std::string>() : found->second;
}

std::vector<Where> Stacks::Of(abi::Tid thread) const {
  const auto found = by_thread_.find(thread);
  return found == by_thread_.end() ? std::vector<Where>() : found->second;
}

}  // namespace fairlead::explore
