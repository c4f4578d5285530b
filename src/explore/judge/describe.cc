#include "explore/judge/describe.h"

#include <signal.h>

#include <algorithm>

#include "base/text.h"
#include "explore/judge/failure_words.h"
#include "explore/judge/library_bugs.h"
#include "explore/judge/outcome_oracle.h"
#include "explore/judge/terminate_words.h"
#include "explore/judge/wait_words.h"
#include "explore/names/stacks.h"
#include "finding/fingerprint.h"
#include "finding/printed.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using finding::Finding;
using finding::Kind;
using finding::ThreadState;
using finding::Where;

// Threads beyond this many are not described one by one.
constexpr size_t kMaxThreadsShown = 64;
// Of what the program printed, the last so many bytes are kept.
constexpr size_t kMaxOutput = 64 << 10;

std::string LastOf(std::string text) {
  return text.size() <= kMaxOutput ? text
                                   : text.substr(text.size() - kMaxOutput);
}

std::vector<Where> Frames(uint32_t site, uint32_t flags, uint32_t node,
                          Namer& namer) {
  std::vector<Where> frames;
  if (Where where = namer.OwnWhere(site, flags, node);
      !finding::WhereText(where).empty()) {
    frames.push_back(std::move(where));
  }
  for (const uint32_t call : namer.CallSites(node)) {
    // How the library starts a thread, for instance, is nobody's concern.
    if (namer.Site(call).library) continue;
    Where where = namer.WhereOf(call, abi::kFlagInstrumented);
    // A synchronisation call is a call site itself: its node ends with it.
    if (!frames.empty() && frames.back() == where) continue;
    frames.push_back(std::move(where));
  }
  return frames;
}

std::string WaitText(abi::EventKind op, uint64_t object, abi::Tid holder,
                     Namer& namer) {
  const trace::KindEntry* kind = trace::FindKind(op);
  if (kind == nullptr) return "waits";
  if (op == abi::EventKind::kUse) return DescriptorText(object);
  std::string text = fmt::format("waits: {}", kind->word);
  if (op == abi::EventKind::kJoin) {
    // The object is a handle, which says nothing.
    return holder == abi::Tid::kNone
               ? text
               : fmt::format("{} {}", text, namer.Thread(holder));
  }
  if (object != 0) text += " " + namer.Object(object);
  if (holder != abi::Tid::kNone) {
    text += fmt::format(", held by {}", namer.Thread(holder));
  }
  return text;
}

// The places that make two deadlocks the same: those of the cycle; without
// one, those of a wait under a lock; else those of the threads that wait for a
// word of another.
std::vector<Where> DeadlockSites(const abi::Outcome& outcome, Namer& namer) {
  std::vector<Where> cycle, words, all;
  for (uint32_t i = 0; i < outcome.num_waits; ++i) {
    const abi::WaitRecord& wait = outcome.waits[i];
    const Where where = namer.OwnWhere(wait.site, wait.site_flags, wait.node);
    if (wait.in_cycle == 1) cycle.push_back(where);
    if (wait.op != abi::EventKind::kJoin) words.push_back(where);
    all.push_back(where);
  }
  if (!cycle.empty()) return cycle;
  if (const WaitUnderLock under = WaitUnderLockOf(outcome);
      under.waits != nullptr) {
    const auto where = [&](const abi::WaitRecord& wait) {
      return namer.OwnWhere(wait.site, wait.site_flags, wait.node);
    };
    return {where(*under.waits), where(*under.blocked)};
  }
  return words.empty() ? all : words;
}

// Where the program calls fairlead::explore(): the header says nothing.
Where ExploreCall(const abi::Outcome& outcome, Namer& namer) {
  for (const uint32_t call : namer.CallSites(outcome.misused.node)) {
    Where where = namer.WhereOf(call, abi::kFlagInstrumented);
    if (!where.place.file.ends_with("fairlead/explore.hpp")) return where;
  }
  return namer.WhereOf(outcome.misused.site, outcome.misused.site_flags);
}

// Where the thread that ended the execution failed. The place where it was last
// seen depends on which sites tell something, the instruction on which body of
// its function ran: only its stack is the same in a replay.
Where FailedAt(Kind kind, const abi::Outcome& outcome, const Stacks& stacks,
               Namer& namer) {
  if (std::optional<Where> frame = stacks.OwnFrame(outcome.thread)) {
    return *std::move(frame);
  }
  Where code = kind == Kind::kCrash ? namer.CodeOf(outcome.fault_pc) : Where();
  if (!code.function.empty()) return code;
  return namer.OwnWhere(outcome.site, outcome.site_flags, outcome.node);
}

std::vector<Where> SitesOf(Kind kind, const abi::Outcome& outcome,
                           const Stacks& stacks, Namer& namer) {
  switch (kind) {
    case Kind::kDeadlock:
    case Kind::kLostWakeup:
    case Kind::kLivelock:
      return DeadlockSites(outcome, namer);
    case Kind::kMisuse:
    case Kind::kDoubleFree:
    case Kind::kBadFree:
    case Kind::kUseAfterFree:
    case Kind::kOutOfBounds:
    case Kind::kUninitialised:
    case Kind::kAlways:
      return {namer.OwnWhere(outcome.misused.site, outcome.misused.site_flags,
                             outcome.misused.node)};
    case Kind::kClosure:
      return {ExploreCall(outcome, namer)};
    case Kind::kAssertion:
      return {};  // its text says more than where libc was called from
    case Kind::kCrash:
    case Kind::kAbort:
    case Kind::kUncaught:
      return {FailedAt(kind, outcome, stacks, namer)};
    default:
      return {};
  }
}

// Where a finding is, for people: also when that does not identify it.
std::vector<Where> ShownSites(Kind kind, const abi::Outcome& outcome,
                              const Stacks& stacks, Namer& namer) {
  if (kind == Kind::kAssertion) {
    return {FailedAt(kind, outcome, stacks, namer)};
  }
  return SitesOf(kind, outcome, stacks, namer);
}

bool IsStandstill(Kind kind) {
  return kind == Kind::kDeadlock || kind == Kind::kLostWakeup ||
         kind == Kind::kLivelock;
}

// What the C++ library says about an exception that nobody caught.
std::string WhatLine(std::string_view error) {
  constexpr std::string_view kMark = "what():";
  for (const std::string_view line : Split(error, '\n')) {
    const size_t at = line.find(kMark);
    if (at != std::string_view::npos) {
      return std::string(Trim(line.substr(at + kMark.size())));
    }
  }
  return "";
}

// Exceptions of the library begin with their own type ("std::future_error:
// Broken promise"), which `sentence` has said.
std::string_view WithoutType(std::string_view what, std::string_view sentence) {
  const size_t colon = what.find(": ");
  if (colon == std::string_view::npos || colon == 0) return what;
  return sentence.contains(fmt::format("of type {} ", what.substr(0, colon)))
             ? what.substr(colon + 2)
             : what;
}

std::string MessageOf(const Failure& failure, const Finished& finished,
                      const Stacks& stacks, Namer& namer,
                      std::vector<std::string>& details) {
  const std::string error = finished.output->Error();
  switch (failure.kind) {
    case Kind::kSanitizer:
      if (!failure.said.empty()) return failure.said;
      return failure.cause.empty() ? finished.executed.outcome.text
                                   : failure.cause;
    case Kind::kTest:
      return failure.said;
    case Kind::kExit:
      return fmt::format("the program ended with exit code {}{}",
                         finished.executed.ending.exit_code,
                         failure.said.empty() ? "" : ": " + failure.said);
    case Kind::kClient:
      return fmt::format("the client of the server ended with {}",
                         failure.said.empty() ? failure.cause : failure.said);
    case Kind::kOutput:
      return "the program printed what it should not";
    case Kind::kJudge:
      return failure.cause.empty() ? "the judge refused this execution"
                                   : failure.cause;
    case Kind::kWrongAnswer:
    case Kind::kCorruptedState:
      return failure.said;
    default:
      break;
  }
  Words words = WordsOf(failure.kind, finished.executed, namer);
  details.insert(details.end(), words.details.begin(), words.details.end());
  if (failure.kind == Kind::kUncaught) {
    if (const std::string what = WhatLine(error); !what.empty()) {
      words.sentence += fmt::format(": {}", WithoutType(what, words.sentence));
    }
  }
  // What the program or the C library said is the likely reason.
  if (failure.kind == Kind::kAbort && !failure.said.empty()) {
    details.push_back("it said: " + failure.said);
  }
  if (const std::string why =
          WhyTerminated(failure.kind, failure.said,
                        stacks.FunctionsOf(finished.executed.outcome.thread));
      !why.empty()) {
    details.push_back(why);
  }
  return words.sentence;
}

}  // namespace

std::vector<ThreadState> ThreadStates(const Executed& executed,
                                      const Stacks& stacks, Namer& namer) {
  const abi::Outcome& outcome = executed.outcome;
  std::vector<ThreadState> states;
  const auto entries =
      executed.memory->Copy<abi::ThreadEntry>(abi::RegionId::kThreads);
  for (size_t i = 0; i < entries.size(); ++i) {
    const abi::ThreadEntry& entry = entries[i];
    const abi::Tid tid{static_cast<uint16_t>(i)};
    if (entry.end == abi::ThreadEnd::kOver) continue;
    if (states.size() == kMaxThreadsShown) break;
    ThreadState state = {.thread = namer.Thread(tid)};
    state.frames = stacks.Of(tid);
    const bool unwound = !state.frames.empty();
    if (!unwound) {
      state.frames = Frames(entry.site, entry.site_flags, entry.node, namer);
    }
    // A server is ended by SIGTERM once its client is done: nobody's fault.
    state.at_fault = tid == outcome.thread &&
                     outcome.status == abi::Status::kSignaled &&
                     outcome.signal != SIGTERM;
    if (state.at_fault && !unwound && outcome.signal != SIGABRT) {
      Where code = namer.CodeOf(outcome.fault_pc);
      const bool same = !state.frames.empty() &&
                        state.frames[0].function == code.function &&
                        state.frames[0].place.line == code.place.line;
      if (!same) state.frames.insert(state.frames.begin(), std::move(code));
    }
    if (entry.end == abi::ThreadEnd::kWaited) {
      abi::Tid holder = abi::Tid::kNone;
      for (uint32_t w = 0; w < outcome.num_waits; ++w) {
        if (outcome.waits[w].thread == tid) holder = outcome.waits[w].holder;
      }
      state.doing = WaitText(entry.op, entry.object, holder, namer);
    }
    states.push_back(std::move(state));
  }
  return states;
}

Finding Describe(const Failure& failure, const Finished& finished,
                 Namer& namer) {
  const abi::Outcome& outcome = finished.executed.outcome;
  Finding finding;
  finding.kind = failure.kind;
  finding.severity = finding::SeverityOf(failure.kind);
  finding.details = failure.details;
  const Stacks stacks(*finished.executed.memory, namer);
  finding.message =
      MessageOf(failure, finished, stacks, namer, finding.details);
  finding.message += EarlyText(outcome, namer);
  if (std::string nap = EarlyNapText(outcome, namer); !nap.empty()) {
    finding.details.push_back(std::move(nap));
  }
  if (std::string bug = LibraryBug(outcome, stacks); !bug.empty()) {
    finding.message = fmt::format("{}; {}", bug, finding.message);
  }
  finding.sites = ShownSites(failure.kind, outcome, stacks, namer);
  if (!failure.place.place.file.empty()) finding.sites = {failure.place};
  const std::string output = finished.output->Output();
  if (const std::string test = finding::TestUnderWay(output);
      !test.empty() && failure.kind != Kind::kTest) {
    finding.details.push_back("while this test ran: " + test);
  }
  std::string cause = failure.cause;
  // What was wrong before nobody could go on is another matter.
  if (IsStandstill(failure.kind)) cause.clear();
  if (failure.kind == Kind::kCrash) cause = SignalName(outcome.signal);
  if (failure.kind == Kind::kClosure) cause = outcome.cause;
  if (failure.kind == Kind::kMisuse) cause = abi::WordsOf(outcome.misuse);
  finding.fingerprint = finding::Fingerprint(
      failure.kind, cause, SitesOf(failure.kind, outcome, stacks, namer));
  finding.witness.threads = ThreadStates(finished.executed, stacks, namer);
  finding.witness.output = LastOf(output);
  finding.witness.error = LastOf(finished.output->Error());
  return finding;
}

}  // namespace fairlead::explore
