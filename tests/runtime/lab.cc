#include "lab.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "abi/packed_sites.h"
#include "abi/site.h"

namespace fairlead::lab {
namespace {

using abi::ControlPage;
using abi::RegionId;

// A control page in a memory file, laid out and filled for one execution.
class Page {
 public:
  explicit Page(const Setting& setting) {
    ControlPage layout = {};
    for (size_t i = 0; i < abi::kNumRegions; ++i) {
      layout.regions[i].capacity = abi::kRegions[i].capacity;
    }
    layout.region(RegionId::kRing).capacity = setting.ring_capacity;
    layout.region(RegionId::kChoicesIn).capacity = setting.choices.size();
    layout.region(RegionId::kInputsIn).capacity = setting.inputs.size();
    layout.region(RegionId::kPayloadIn).capacity = setting.payload.size();
    layout.region(RegionId::kIdleSites).capacity = setting.idle_sites.size();
    layout.region(RegionId::kOrderedSites).capacity =
        setting.ordered_sites.size();
    layout.region(RegionId::kInputsIn).capacity = setting.inputs.size();
    layout.region(RegionId::kPayloadIn).capacity = setting.payload.size();
    size_ = abi::LayOut(layout);
    fd_ = memfd_create("fairlead-control", 0);
    if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(size_)) != 0) {
      throw std::runtime_error("no memory file");
    }
    void* mapped =
        mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (mapped == MAP_FAILED) throw std::runtime_error("mmap failed");
    page_ = static_cast<ControlPage*>(mapped);
    *page_ = layout;
    Fill(setting);
  }
  ~Page() {
    munmap(page_, size_);
    close(fd_);
  }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  ControlPage& operator*() { return *page_; }
  ControlPage* operator->() { return page_; }
  int fd() const { return fd_; }

 private:
  void Fill(const Setting& setting) {
    struct stat program = {};
    const std::string& path = setting.planned_for.empty()
                                  ? setting.command.at(0)
                                  : setting.planned_for;
    if (stat(path.c_str(), &program) != 0) {
      throw std::runtime_error("no program " + path);
    }
    page_->magic = abi::kControlMagic;
    page_->version = abi::kControlVersion;
    page_->plan = {.program_dev = program.st_dev,
                   .program_ino = program.st_ino,
                   .flags = setting.flags,
                   .strategy = setting.strategy,
                   .carrier = setting.carrier,
                   .seed = setting.seed,
                   .params = {},
                   .max_steps = setting.max_steps,
                   .max_ns = setting.max_ns,
                   .livelock_points = 0,
                   .heap_bytes = 0,
                   .explore_iterations = 0,
                   .explore_done = 0,
                   .explore_call = 0,
                   .explore_seed = 0,
                   .other_world = 0,
                   .reader_pid = setting.reader_pid != 0
                                     ? setting.reader_pid
                                     : static_cast<uint32_t>(getpid()),
                   .left_out = 0};
    std::ranges::copy(setting.choices,
                      page_->entries<abi::ChoiceRecord>(RegionId::kChoicesIn));
    page_->region(RegionId::kChoicesIn).used = setting.choices.size();
    std::ranges::copy(setting.inputs,
                      page_->entries<abi::InputRecord>(RegionId::kInputsIn));
    page_->region(RegionId::kInputsIn).used = setting.inputs.size();
    std::ranges::copy(setting.payload,
                      page_->entries<char>(RegionId::kPayloadIn));
    page_->region(RegionId::kPayloadIn).used = setting.payload.size();
    std::ranges::copy(setting.idle_sites,
                      page_->entries<uint64_t>(RegionId::kIdleSites));
    page_->region(RegionId::kIdleSites).used = setting.idle_sites.size();
    std::ranges::copy(setting.ordered_sites,
                      page_->entries<uint64_t>(RegionId::kOrderedSites));
    page_->region(RegionId::kOrderedSites).used = setting.ordered_sites.size();
    std::ranges::copy(setting.inputs,
                      page_->entries<abi::InputRecord>(RegionId::kInputsIn));
    page_->region(RegionId::kInputsIn).used = setting.inputs.size();
    std::ranges::copy(setting.payload,
                      page_->entries<char>(RegionId::kPayloadIn));
    page_->region(RegionId::kPayloadIn).used = setting.payload.size();
  }

  int fd_ = -1;
  uint64_t size_ = 0;
  ControlPage* page_ = nullptr;
};

// Reads the ring until told that the program is gone.
void Drain(ControlPage& page, const std::atomic<bool>& gone, bool keep,
           std::vector<abi::Event>& out) {
  abi::RingCursors& cursors = page.cursors;
  const uint64_t mask = page.region(RegionId::kRing).capacity - 1;
  const auto* records = page.entries<abi::Event>(RegionId::kRing);
  uint64_t tail = 0;
  uint64_t sum = 0;
  for (;;) {
    const bool last = gone.load();
    const uint64_t head = __atomic_load_n(&cursors.head, __ATOMIC_SEQ_CST);
    for (; tail < head; ++tail) {
      const abi::Event& event = records[tail & mask];
      sum += event.address ^ event.value;
      if (keep) out.push_back(event);
    }
    __atomic_store_n(&cursors.tail, tail, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&cursors.writer_sleeps, __ATOMIC_SEQ_CST) != 0) {
      syscall(SYS_futex, &cursors.tail, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    }
    if (last) break;
    __atomic_store_n(&cursors.reader_sleeps, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&cursors.head, __ATOMIC_SEQ_CST) == head &&
        !gone.load()) {
      // The end of the program changes nothing here, so look now and then.
      const timespec patience = {.tv_sec = 0, .tv_nsec = 5'000'000};
      syscall(SYS_futex, &cursors.head, FUTEX_WAIT, static_cast<uint32_t>(head),
              &patience, nullptr, 0);
    }
    __atomic_store_n(&cursors.reader_sleeps, 0, __ATOMIC_SEQ_CST);
  }
  // So that the reading is not optimised away.
  static std::atomic<uint64_t> sink;
  sink = sum;
}

void DiscardOutput() {
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, 1);
  dup2(null, 2);
}

pid_t Start(const Setting& setting, int fd) {
  std::vector<char*> arguments;
  for (const std::string& argument : setting.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const std::string control =
      std::string(abi::kControlVariable) + "=" + std::to_string(fd);
  const std::string preload = "LD_PRELOAD=" + setting.library;
  std::vector<char*> environment = {
      const_cast<char*>(control.c_str()), const_cast<char*>(preload.c_str()),
      // As explore/run/sanitizers.h has it; names of
      // functions would take half a second.
      const_cast<char*>("ASAN_OPTIONS=use_sigaltstack=0:symbolize=0"),
      const_cast<char*>("UBSAN_OPTIONS=symbolize=0")};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  if (setting.discard_output) DiscardOutput();
  execve(arguments[0], arguments.data(), environment.data());
  _exit(127);
}

// Those of the unit at `at`; gives what lies between it and the next one.
size_t AddSiteIds(const char* at, std::vector<uint64_t>& ids) {
  abi::UnitRecord unit;
  std::memcpy(static_cast<void*>(&unit), at, sizeof(unit));
  int32_t distance;
  const char* field = at + offsetof(abi::UnitRecord, packed);
  std::memcpy(&distance, field, sizeof(distance));
  const auto* packed = reinterpret_cast<const uint8_t*>(field) + distance;
  abi::SiteUnpacker unpacker(packed, packed + unit.num_packed_bytes);
  abi::PackedSite site = {};
  for (uint32_t i = 0; i < unit.num_sites && unpacker.Next(site); ++i) {
    ids.push_back(site.id);
  }
  return (unit.size + abi::kUnitAlignment - 1) / abi::kUnitAlignment *
         abi::kUnitAlignment;
}

// Reads the ids out of the program's section fl_units.
std::vector<uint64_t> SiteIds(ControlPage& page) {
  const auto& program = page.entries<abi::ModuleEntry>(RegionId::kModules)[0];
  std::vector<uint64_t> ids;
  if (program.num_sites == 0) return ids;
  std::ifstream file(program.path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const auto section = [&](size_t index) {
    Elf64_Shdr found;
    std::memcpy(&found, bytes.data() + header.e_shoff + index * sizeof(found),
                sizeof(found));
    return found;
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr found = section(i);
    const std::string name = bytes.c_str() + names.sh_offset + found.sh_name;
    if (name != "fl_units") continue;
    const char* at = bytes.data() + found.sh_offset;
    for (const char* end = at + found.sh_size; at < end;) {
      at += AddSiteIds(at, ids);
    }
  }
  return ids;
}

}  // namespace

std::string Run::Verdict() const {
  std::string verdict;
  switch (outcome.status) {
    case abi::Status::kNotStarted:
      return "not-started";
    case abi::Status::kRunning:
      return "killed(" + std::to_string(WTERMSIG(wait_status)) + ")";
    case abi::Status::kEnded:
      verdict = "ended(" + std::to_string(outcome.exit_code) + ")";
      if (!WIFEXITED(wait_status) ||
          WEXITSTATUS(wait_status) != (outcome.exit_code & 0xff)) {
        return verdict + " but status " + std::to_string(wait_status);
      }
      break;
    case abi::Status::kSignaled:
      verdict = "signaled(" + std::to_string(outcome.signal) + ")";
      if (!WIFSIGNALED(wait_status) ||
          WTERMSIG(wait_status) != outcome.signal) {
        return verdict + " but status " + std::to_string(wait_status);
      }
      break;
    case abi::Status::kDeadlock:
      verdict = "deadlock";
      break;
    case abi::Status::kLivelock:
      verdict = "livelock";
      break;
    case abi::Status::kMisuse:
      if (outcome.misuse == abi::Misuse::kSanitizer) return "sanitizer";
      return "misuse(" + std::to_string(static_cast<int>(outcome.misuse)) + ")";
    case abi::Status::kCut:
      verdict = "cut";
      break;
    case abi::Status::kDivergence:
      return "divergence";
    case abi::Status::kUnsupported:
      return "unsupported";
    case abi::Status::kReplaced:
      return "replaced(" + std::to_string(wait_status) + ")";
    case abi::Status::kInternal:
      return "internal";
  }
  if (outcome.misuse != abi::Misuse::kNone) verdict += "+misuse";
  return verdict;
}

const char* WordOf(abi::EventKind kind) {
  switch (kind) {
#define FL_EVENT(name, word, number, group) \
  case abi::EventKind::name:                \
    return word;
#include "abi/events.inc"
#undef FL_EVENT
  }
  return "?";
}

abi::EventGroup GroupOf(abi::EventKind kind) {
  switch (kind) {
#define FL_EVENT(name, word, number, group) \
  case abi::EventKind::name:                \
    return abi::EventGroup::group;
#include "abi/events.inc"
#undef FL_EVENT
  }
  return abi::EventGroup::kExtension;
}

int ExecutePlainly(const Setting& setting) {
  std::vector<char*> arguments;
  for (const std::string& argument : setting.command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    alarm(10);
    if (setting.discard_output) DiscardOutput();
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

Run Execute(const Setting& setting) {
  Page page(setting);
  const pid_t child = Start(setting, page.fd());
  if (child < 0) throw std::runtime_error("fork failed");
  Run run;
  std::atomic<bool> gone = false;
  std::thread reader;
  if ((setting.flags & abi::kPlanTrace) != 0 && setting.drain) {
    reader = std::thread(
        [&] { Drain(*page, gone, setting.keep_events, run.events); });
  }
  waitpid(child, &run.wait_status, 0);
  gone = true;
  if (reader.joinable()) {
    syscall(SYS_futex, &page->cursors.head, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    reader.join();
  }
  run.outcome = page->outcome;
  const auto* choices = page->entries<abi::ChoiceRecord>(RegionId::kChoicesOut);
  run.site_ids = SiteIds(*page);
  run.choices.assign(choices,
                     choices + page->region(RegionId::kChoicesOut).used);
  const auto* inputs = page->entries<abi::InputRecord>(RegionId::kInputsOut);
  run.inputs.assign(inputs, inputs + page->region(RegionId::kInputsOut).used);
  run.payload.assign(page->entries<char>(RegionId::kPayloadOut),
                     page->region(RegionId::kPayloadOut).used);
  return run;
}

Setting Following(Setting setting, const Run& run) {
  setting.flags |= abi::kPlanFollow;
  setting.choices = run.choices;
  setting.inputs = run.inputs;
  setting.payload = run.payload;
  return setting;
}

}  // namespace fairlead::lab
