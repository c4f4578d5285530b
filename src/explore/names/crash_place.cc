#include "explore/names/crash_place.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/elf_image.h"
#include "explore/names/namer.h"
#include "trace/unwind.h"

namespace fairlead::explore {
namespace {

// A member of a null pointer's object is this close to it, at most: the page
// that no system lets a program have.
constexpr uint64_t kNullBytes = 4096;

struct Words {
  std::string_view function;
  std::string_view words;
};
constexpr Words kCalls[] = {
#define FL_CALL(function, words) {function, words},
#include "explore/names/program_calls.inc"
#undef FL_CALL
};

const abi::ModuleEntry* ModuleOf(uint64_t address,
                                 const std::vector<abi::ModuleEntry>& modules) {
  for (const abi::ModuleEntry& module : modules) {
    if (address >= module.begin && address < module.end) return &module;
  }
  return nullptr;
}

std::vector<uint64_t> StackOf(const Executed& executed,
                              const std::vector<abi::ModuleEntry>& modules) {
  const ControlMemory& memory = *executed.memory;
  const auto records = memory.Copy<abi::StackRecord>(abi::RegionId::kStacks);
  const auto bytes = memory.Copy<char>(abi::RegionId::kStackBytes);
  for (const abi::StackRecord& record : records) {
    if (record.thread != executed.outcome.thread) continue;
    if (record.offset > bytes.size() ||
        record.bytes > bytes.size() - record.offset) {
      break;
    }
    return trace::Unwinder(modules).UnwindUntrusted(
        record, std::span(bytes).subspan(record.offset, record.bytes));
  }
  return {};
}

std::string FunctionAt(uint64_t address, const abi::ModuleEntry& module) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(PathOf(module));
  if (!image) return "";
  const uint64_t at = address - module.base;
  for (const ElfSymbol& symbol : image->Symbols()) {
    if (symbol.function && at >= symbol.address &&
        at - symbol.address < symbol.size) {
      return std::string(symbol.name);
    }
  }
  return "";
}

}  // namespace

CodeOwner OwnerOf(uint64_t address,
                  const std::vector<abi::ModuleEntry>& modules) {
  const abi::ModuleEntry* module = ModuleOf(address, modules);
  if (module == nullptr) return CodeOwner::kNobodys;
  const std::string path = PathOf(*module);
  const std::string_view name =
      std::string_view(path).substr(path.rfind('/') + 1);
  if (name.starts_with("libfairlead_rt")) return CodeOwner::kOurs;
  const bool library =
      name.starts_with("libc.so") || name.starts_with("libstdc++");
  return library ? CodeOwner::kLibrary : CodeOwner::kProgram;
}

CrashPlace CrashPlaceOf(const Executed& executed) {
  const uint64_t pc = executed.outcome.fault_pc;
  const auto modules =
      executed.memory->Copy<abi::ModuleEntry>(abi::RegionId::kModules);
  CrashPlace place = {.address = pc, .owner = OwnerOf(pc, modules)};
  if (place.owner == CodeOwner::kProgram) return place;
  place.address = 0;
  uint64_t called = 0;  // the outermost that is not the program's
  for (const uint64_t address : StackOf(executed, modules)) {
    const CodeOwner owner = OwnerOf(address, modules);
    if (owner == CodeOwner::kProgram) {
      place.address = address;
      break;
    }
    if (owner != CodeOwner::kNobodys) {
      place.owner = owner;
      called = address;
    }
  }
  if (called != 0) {
    place.call = FunctionAt(called, *ModuleOf(called, modules));
  }
  if (place.owner == CodeOwner::kOurs && IsAccessHook(place.call)) {
    place.owner = CodeOwner::kProgram;
    place.call.clear();
  }
  return place;
}

bool IsAccessHook(std::string_view function) {
  return function.starts_with("__fl_") || function.starts_with("_ZN8fairlead");
}

std::string WordsOfCall(std::string_view function) {
  // Old programs know some of them by names of the C library's own.
  for (const std::string_view begin : {"__libc_", "__"}) {
    if (function.starts_with(begin)) function.remove_prefix(begin.size());
  }
  for (const Words& each : kCalls) {
    if (each.function == function) return std::string(each.words);
  }
  return function.empty() ? "makes a call"
                          : fmt::format("calls {}()", function);
}

bool IsToldCall(std::string_view function) {
  return !WordsOfCall(function).starts_with("calls ") && !function.empty();
}

bool SendsSignals(std::string_view function) {
  constexpr std::string_view kSenders[] = {
      "raise",        "gsignal",  "kill",   "killpg",
      "pthread_kill", "sigqueue", "tgkill", "pthread_sigqueue"};
  return std::ranges::find(kSenders, function) != std::end(kSenders);
}

std::string WordsOfPointer(uint64_t address) {
  if (address < kNullBytes) return "through a null pointer";
  return fmt::format("through a pointer to nowhere ({:#x})", address);
}

}  // namespace fairlead::explore
