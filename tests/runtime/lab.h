// tests/runtime/lab.h
//
// Runs one program under the runtime and tells how it went: what `fairlead run`
// will do, without the command line. Creates the control page, preloads the
// library, drains the ring, waits.

#ifndef FAIRLEAD_TESTS_RUNTIME_LAB_H_
#define FAIRLEAD_TESTS_RUNTIME_LAB_H_

#include <cstdint>
#include <string>
#include <vector>

#include "abi/control.h"

namespace fairlead::lab {

struct Setting {
  std::string library;               // path of libfairlead_rt.so
  std::vector<std::string> command;  // program and arguments
  abi::CarrierId carrier = abi::CarrierId::kThread;
  uint32_t strategy = 1;  // sched::StrategyId::kRandom
  uint64_t seed = 1;
  uint64_t flags = abi::kPlanRecord | abi::kPlanQuiet;
  uint64_t max_steps = 1'000'000;
  uint64_t max_ns = 20'000'000'000;
  std::vector<abi::ChoiceRecord> choices;  // to follow, with kPlanFollow
  std::vector<abi::InputRecord> inputs;    // the same
  std::string payload;                     // of the inputs
  std::vector<uint64_t> idle_sites;
  std::vector<uint64_t> ordered_sites;
  bool discard_output = false;
  bool keep_events = true;  // else they are read and forgotten
  uint64_t ring_capacity = 1u << 16;
  std::string planned_for;  // another executable than the one that is run
  uint32_t reader_pid = 0;  // another reader than this process
  bool drain = true;        // false: nobody reads the ring
};

struct Run {
  abi::Outcome outcome;
  int wait_status = 0;  // of waitpid
  std::vector<abi::Event> events;
  std::vector<abi::ChoiceRecord> choices;
  std::vector<abi::InputRecord> inputs;
  std::string payload;
  std::vector<uint64_t> site_ids;  // of the program's instrumented sites

  // "ended(0)", "signaled(11)", "deadlock", "livelock", "cut", ...; "+misuse"
  // behind it when there was one.
  std::string Verdict() const;
};

// The word of events.inc for a kind of event.
const char* WordOf(abi::EventKind kind);
abi::EventGroup GroupOf(abi::EventKind kind);

// Runs the program without the runtime, for ten seconds at most; returns its
// status as of waitpid.
int ExecutePlainly(const Setting& setting);

// Throws std::runtime_error when the program cannot be started.
Run Execute(const Setting& setting);

// The same, following the schedule of `run`.
Setting Following(Setting setting, const Run& run);

}  // namespace fairlead::lab

#endif  // FAIRLEAD_TESTS_RUNTIME_LAB_H_
