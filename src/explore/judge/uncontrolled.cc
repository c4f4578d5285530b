#include "explore/judge/uncontrolled.h"

#include <fmt/core.h>

namespace fairlead::explore {
namespace {

using abi::Uncontrolled;

// Who did it first, if that is known.
std::string FirstOf(Uncontrolled what, const abi::Outcome& outcome,
                    Namer* namer) {
  if (namer == nullptr) return "";
  if (what == Uncontrolled::kForeignThread && outcome.foreign_pc != 0) {
    return ", the first by " + namer->Code(outcome.foreign_pc);
  }
  if (what == Uncontrolled::kBlockingCall && outcome.blocked_pc != 0) {
    return ", the first in " + BlockedCallText(outcome, *namer);
  }
  return "";
}

}  // namespace

std::string BlockedCallText(const abi::Outcome& outcome, Namer& namer) {
  const std::string number = outcome.blocked_call == abi::kUnknownCall
                                 ? ""
                                 : fmt::format(" {}", outcome.blocked_call);
  return fmt::format("system call{} by {}", number,
                     namer.Code(outcome.blocked_pc));
}

std::vector<UncontrolledSource> UncontrolledSources(const abi::Outcome& outcome,
                                                    Namer* namer) {
  static constexpr struct {
    Uncontrolled what;
    std::string_view text;
    std::string_view remedy;
  } kTexts[] = {
      {Uncontrolled::kForeignThread, "threads not made by pthread_create",
       "make them with pthread_create or std::thread, not with clone"},
      {Uncontrolled::kProcessShared, "primitives shared between processes",
       "for tests, share them between threads of one process only"},
      {Uncontrolled::kForkedChild, "child processes",
       "test what they do by itself, or see that what the parent gets from "
       "them does not depend on time"},
      {Uncontrolled::kBlockingCall, "waits in the kernel without our knowing",
       "use a kernel with syscall user dispatch (Linux 5.11 or later); on one "
       "that has it, make the call in a way that does not wait"},
      {Uncontrolled::kLateModule, "libraries opened without our knowing",
       "link them into the program, or open them with dlopen"},
      {Uncontrolled::kSeccomp,
       "filters of system calls (seccomp), which hold for fairlead's own calls "
       "as well",
       "test the program without its filter"},
      {Uncontrolled::kUring, "rings of io_uring, which the kernel works on",
       "for tests, use read, write and poll instead"},
      {Uncontrolled::kPtrace, "calls of ptrace",
       "test what is traced by itself, without its tracer"},
      {Uncontrolled::kUserfault,
       "userfaultfd, which was refused with EPERM: who waits for a page would "
       "stop everybody",
       "test the program without it"},
      {Uncontrolled::kExec, "another program in its place, by exec",
       "give fairlead that program, not the one that starts it"},
  };
  std::vector<UncontrolledSource> sources;
  for (const auto& [what, text, remedy] : kTexts) {
    const uint64_t number = outcome.uncontrolled[static_cast<size_t>(what)];
    if (number != 0) {
      sources.push_back(
          {.text = std::string(text) + FirstOf(what, outcome, namer),
           .number = number,
           .remedy = remedy});
    }
  }
  return sources;
}

namespace {

// Requests are judged by, and the state that they leave; a state without
// requests is not.
bool IsJudged(abi::Unheeded what, const abi::Outcome& outcome) {
  using abi::Unheeded;
  constexpr auto kBegin = static_cast<uint32_t>(Unheeded::kRequestBegin);
  if ((outcome.unheeded >> kBegin & 1) == 0) return false;
  switch (what) {
    case Unheeded::kRequestBegin:
    case Unheeded::kRequestEnd:
    case Unheeded::kRequestEndStatus:
    case Unheeded::kSession:
    case Unheeded::kComponent:
    case Unheeded::kStateAdd:
    case Unheeded::kStateRemove:
    case Unheeded::kStateAppend:
    case Unheeded::kStateClear:
    case Unheeded::kStatePut:
    case Unheeded::kStateSet:
    case Unheeded::kStateWalk:
      return true;
    case Unheeded::kSetAdd:
    case Unheeded::kUnitBegin:
    case Unheeded::kUnitEnd:
    case Unheeded::kGuardAddress:
    case Unheeded::kUnitBeginOn:
    case Unheeded::kUnitOfWork:
    case Unheeded::kGuardThisFunc:
      return false;
  }
  return false;
}

}  // namespace

std::vector<std::string> UnheededAnnotations(const abi::Outcome& outcome) {
  std::vector<std::string> names;
  for (size_t i = 0; i < std::size(abi::kUnheededNames); ++i) {
    if ((outcome.unheeded >> i & 1) != 0 &&
        !IsJudged(static_cast<abi::Unheeded>(i), outcome)) {
      names.emplace_back(abi::kUnheededNames[i]);
    }
  }
  return names;
}

std::vector<std::string> UncontrolledLines(const abi::Outcome& outcome,
                                           Namer* namer) {
  std::vector<std::string> lines;
  for (const UncontrolledSource& source : UncontrolledSources(outcome, namer)) {
    lines.push_back(fmt::format("{} ({})", source.text, source.number));
  }
  return lines;
}

}  // namespace fairlead::explore
