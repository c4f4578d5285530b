#include "trace/unwind.h"

#include <elfutils/libdwfl.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/elf_image.h"

namespace fairlead::trace {
namespace {

// Deeper ones are recursions.
constexpr size_t kMaxFrames = 64;
// libdw wants numbers for a process and a thread; they mean nothing.
constexpr pid_t kNumber = 1;

// Call frame information is in the binary itself.
int FindNoDebugInfo(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*,
                    const char*, GElf_Word, char**) {
  return -1;
}

constexpr Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = FindNoDebugInfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

struct Image {
  const abi::StackRecord* record = nullptr;
  std::span<const char> bytes;
};

pid_t NextThread(Dwfl*, void* argument, void** thread) {
  if (*thread != nullptr) return 0;
  *thread = argument;
  return kNumber;
}

bool ReadMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
  const Image& image = *static_cast<const Image*>(argument);
  const uint64_t begin = image.record->registers[abi::kStackPointerRegister];
  if (address < begin || address - begin > image.bytes.size() ||
      image.bytes.size() - (address - begin) < sizeof(*result)) {
    return false;
  }
  std::memcpy(result, image.bytes.data() + (address - begin), sizeof(*result));
  return true;
}

bool SetRegisters(Dwfl_Thread* thread, void* argument) {
  const Image& image = *static_cast<const Image*>(argument);
  Dwarf_Word words[abi::kNumStackRegisters];
  std::ranges::copy(image.record->registers, words);
  return dwfl_thread_state_registers(thread, 0, abi::kNumStackRegisters, words);
}

constexpr Dwfl_Thread_Callbacks kThreadCallbacks = {
    .next_thread = NextThread,
    .get_thread = nullptr,
    .memory_read = ReadMemory,
    .set_initial_registers = SetRegisters,
    .detach = nullptr,
    .thread_detach = nullptr,
};

int OnFrame(Dwfl_Frame* frame, void* argument) {
  auto& addresses = *static_cast<std::vector<uint64_t>*>(argument);
  Dwarf_Addr address = 0;
  bool is_activation = false;
  if (!dwfl_frame_pc(frame, &address, &is_activation)) return DWARF_CB_ABORT;
  // A return address may already belong to the next line.
  addresses.push_back(is_activation || address == 0 ? address : address - 1);
  return addresses.size() == kMaxFrames ? DWARF_CB_ABORT : DWARF_CB_OK;
}

}  // namespace

struct Unwinder::Handle {
  Dwfl* dwfl = nullptr;
  Image image;
  bool attached = false;

  ~Handle() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }
};

Unwinder::Unwinder(const std::vector<abi::ModuleEntry>& modules)
    : handle_(std::make_unique<Handle>()) {
  handle_->dwfl = dwfl_begin(&kCallbacks);
  if (handle_->dwfl == nullptr) return;
  for (const abi::ModuleEntry& module : modules) {
    const std::string path(module.path, strnlen(module.path, abi::kPathBytes));
    if (!IsRegularFile(path)) continue;
    dwfl_report_elf(handle_->dwfl, path.c_str(), path.c_str(), -1, module.base,
                    /*add_p_vaddr=*/true);
  }
  dwfl_report_end(handle_->dwfl, nullptr, nullptr);
  handle_->attached = dwfl_attach_state(handle_->dwfl, nullptr, kNumber,
                                        &kThreadCallbacks, &handle_->image);
}

Unwinder::~Unwinder() = default;

std::vector<uint64_t> Unwinder::UnwindUntrusted(const abi::StackRecord& record,
                                                std::span<const char> bytes) {
  std::vector<uint64_t> addresses;
  if (!handle_->attached) return addresses;
  handle_->image = {.record = &record, .bytes = bytes};
  // An error ends the stack where it is; what came before counts.
  dwfl_getthread_frames(handle_->dwfl, kNumber, OnFrame, &addresses);
  return addresses;
}

}  // namespace fairlead::trace
