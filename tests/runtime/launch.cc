// tests/runtime/launch.cc
//
// usage: runtime_launch LIBRARY [option...] -- PROGRAM [ARGUMENT...]
//
//   --carrier fiber|thread   --seed N   --strategy N   --steps N
//   --trace                  stream events, count them
//   --events                 the same, and print them
//   --repeat N               N executions; fails unless all digests are equal
//   --follow fiber|thread    all but the first follow its schedule, on this
//                            carrier
//   --ring N                 room for so many events (a power of two)
//   --idle FILE              leave the sites of a profile idle
//
// Runs a program under the runtime by hand and prints its outcome.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "lab.h"

using namespace fairlead;

namespace {

void Print(const lab::Run& run) {
  for (const abi::Event& event : run.events) {
    std::printf(
        "t%u %-16s flags %04x size %u instr %u site %u node %u %#lx "
        "= %#lx\n",
        event.thread, lab::WordOf(event.kind), event.flags, event.size,
        event.instructions, event.site, event.node, event.address, event.value);
  }
}

// Ids of the lines `mark 0x…` of a profile, ascending.
std::vector<uint64_t> Sites(const std::string& path, const std::string& mark) {
  std::vector<uint64_t> ids;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(mark)) {
      ids.push_back(std::stoull(line.substr(mark.size()), nullptr, 16));
    }
  }
  std::ranges::sort(ids);
  return ids;
}

abi::CarrierId CarrierOf(const std::string& word) {
  return word == "fiber" ? abi::CarrierId::kFiber : abi::CarrierId::kThread;
}

}  // namespace

int main(int argc, char** argv) {
  lab::Setting setting;
  setting.flags &= ~uint64_t{abi::kPlanQuiet};
  setting.library = argc > 1 ? argv[1] : "";
  setting.keep_events = false;
  uint64_t repeat = 1;
  bool events = false;
  std::string follow;  // the carrier, or empty
  int i = 2;
  for (; i < argc && std::string(argv[i]) != "--"; ++i) {
    const std::string option = argv[i];
    if (option == "--trace" || option == "--events") {
      setting.flags |= abi::kPlanTrace;
      events = option == "--events";
      setting.keep_events = events;
      continue;
    }
    if (option == "--no-digest") {
      setting.flags |= abi::kPlanNoDigest;
      continue;
    }
    const std::string value = i + 1 < argc ? argv[++i] : "";
    if (option == "--carrier") {
      setting.carrier = CarrierOf(value);
    } else if (option == "--follow") {
      follow = value;
    } else if (option == "--seed") {
      setting.seed = std::stoull(value);
    } else if (option == "--strategy") {
      setting.strategy = static_cast<uint32_t>(std::stoul(value));
    } else if (option == "--ring") {
      setting.ring_capacity = std::stoull(value);
    } else if (option == "--steps") {
      setting.max_steps = std::stoull(value);
    } else if (option == "--idle") {
      setting.idle_sites = Sites(value, "idle: ");
      setting.ordered_sites = Sites(value, "ordered: ");
    } else if (option == "--repeat") {
      repeat = std::stoull(value);
    }
  }
  for (++i; i < argc; ++i) setting.command.push_back(argv[i]);
  if (setting.command.empty()) {
    std::fprintf(stderr,
                 "usage: runtime_launch LIBRARY [option...] -- "
                 "PROGRAM [ARGUMENT...]\n");
    return 2;
  }

  int different = 0;
  lab::Run first;
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t n = 0; n < repeat; ++n) {
    lab::Run run = lab::Execute(setting);
    if (n == 0) {
      if (events) Print(run);
      first = run;
      if (!follow.empty()) {
        setting = lab::Following(setting, first);
        setting.carrier = CarrierOf(follow);
      }
      continue;
    }
    different += run.outcome.event_digest != first.outcome.event_digest ||
                 run.outcome.schedule_digest != first.outcome.schedule_digest;
  }
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - begin;
  const abi::Outcome& outcome = first.outcome;
  std::printf(
      "%s: threads %u points %lu steps %lu events %lu choices %zu digests "
      "%016lx %016lx carrier %s; %.2f ms each; %d of %lu differ\n",
      first.Verdict().c_str(), outcome.num_threads, outcome.points,
      outcome.steps, outcome.events, first.choices.size(), outcome.event_digest,
      outcome.schedule_digest,
      outcome.carrier == abi::CarrierId::kFiber ? "fiber" : "thread",
      took.count() / static_cast<double>(repeat), different, repeat);
  if (outcome.text[0] != '\0') std::printf("%s\n", outcome.text);
  return different == 0 ? 0 : 1;
}
