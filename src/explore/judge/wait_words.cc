#include "explore/judge/wait_words.h"

#include <fmt/core.h>

#include "base/subprocess.h"
#include "explore/judge/outcome_oracle.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

// The signals that a thread waits for: SIGUSR1 or SIGUSR2.
std::string SignalNames(uint64_t set) {
  std::string names;
  for (int signal = 1; signal <= 64; ++signal) {
    if ((set >> (signal - 1) & 1) == 0) continue;
    if (!names.empty()) names += " or ";
    names += SignalName(signal);
  }
  return names.empty() ? "a signal" : names;
}

std::string WaitLine(const abi::WaitRecord& wait, Namer& namer) {
  std::string line =
      fmt::format("{}: {}", namer.Thread(wait.thread), trace::WordOf(wait.op));
  if (wait.op == abi::EventKind::kSignalWait) {
    line += fmt::format(" for {}, which nobody is left to send",
                        SignalNames(wait.object));
  } else if (wait.op == abi::EventKind::kJoin) {
    // The object is a handle, which says nothing.
    if (wait.holder != abi::Tid::kNone) line += " " + namer.Thread(wait.holder);
    return line + At(namer.OwnPlace(wait.site, wait.site_flags, wait.node));
  } else if (wait.op == abi::EventKind::kUse) {
    line = fmt::format("{}: {}", namer.Thread(wait.thread),
                       DescriptorText(wait.object));
  } else if (wait.object != 0) {
    line += " " + namer.Object(wait.object);
  }
  if (wait.holder != abi::Tid::kNone) {
    line += fmt::format(", held by {}", namer.Thread(wait.holder));
  }
  if (wait.in_cycle == 1) line += " (in the cycle)";
  return line + At(namer.OwnPlace(wait.site, wait.site_flags, wait.node));
}

// Where there is no cycle.
std::string UnderLockText(const abi::Outcome& outcome, Namer& namer) {
  const WaitUnderLock under = WaitUnderLockOf(outcome);
  if (under.waits == nullptr) {
    return "every thread waits, and nobody is left to act";
  }
  return fmt::format(
      "{} waits for {} and holds {}, for which {} waits",
      namer.Thread(under.waits->thread), namer.Object(under.waits->object),
      namer.Object(under.blocked->object), namer.Thread(under.blocked->thread));
}

std::string CycleText(const abi::Outcome& outcome, Namer& namer) {
  std::vector<std::string> cycle;
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    if (outcome.waits[i].in_cycle != 1) continue;
    cycle.push_back(namer.Thread(outcome.waits[i].thread));
  }
  if (cycle.empty()) return UnderLockText(outcome, namer);
  std::string text;
  for (size_t i = 0; i < cycle.size(); ++i) {
    if (i != 0) text += i + 1 == cycle.size() ? " and " : ", ";
    text += cycle[i];
  }
  if (cycle.size() == 1) return text + " waits for itself";
  return text + " wait for each other";
}

std::vector<std::string> WaitLines(const abi::Outcome& outcome, Namer& namer) {
  std::vector<std::string> lines;
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    lines.push_back(WaitLine(outcome.waits[i], namer));
  }
  return lines;
}

}  // namespace

Words WordsOfDeadlock(const abi::Outcome& outcome, Namer& namer) {
  return {CycleText(outcome, namer), WaitLines(outcome, namer)};
}

Words WordsOfLivelock(const abi::Outcome& outcome, Namer& namer) {
  return {"threads repeat themselves, and nothing changes",
          WaitLines(outcome, namer)};
}

std::string DescriptorText(uint64_t object) {
  // As runtime/outside/waiting.h makes it: 0 stands for no descriptor.
  return object == 0 ? "waits in a call of the kernel"
                     : fmt::format("waits for descriptor {}", object - 1);
}

}  // namespace fairlead::explore
