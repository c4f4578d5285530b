#include "explore/judge/crash_words.h"

#include <fmt/core.h>
#include <signal.h>

#include "base/demangle.h"
#include "base/subprocess.h"
#include "explore/judge/fate.h"
#include "explore/names/crash_place.h"

namespace fairlead::explore {
namespace {

// Whether the signal came of what the thread did, rather than from a timer or
// from somebody.
bool IsFault(const abi::Outcome& outcome) {
  return outcome.signal_code > 0 &&
         (outcome.signal == SIGSEGV || outcome.signal == SIGBUS ||
          outcome.signal == SIGILL || outcome.signal == SIGFPE ||
          outcome.signal == SIGTRAP);
}

// What a thread did that a fault ended: in a function that the runtime stands
// for, or by a call of what is no code. "" = something else.
std::string DeedOf(const abi::Outcome& outcome, const CrashPlace& place) {
  // One that came from elsewhere says nothing of what the thread did.
  if (SendsSignals(place.call) || !IsFault(outcome)) return "";
  const bool told =
      place.owner == CodeOwner::kOurs ||
      (place.owner == CodeOwner::kLibrary && IsToldCall(place.call));
  if (told && place.address != 0) {
    return fmt::format("{} {}", WordsOfCall(place.call),
                       WordsOfPointer(outcome.fault_address));
  }
  // As runtime/intercept/faults.cc has it.
  const std::string_view text = outcome.text;
  if (text.find("(call of what is no code)") == text.npos) return "";
  return "makes a call " + WordsOfPointer(outcome.fault_address);
}

// Where the program was: in its own code if that can be named, else at the last
// place of its own.
std::string WhereIt(const abi::Outcome& outcome, const CrashPlace& place,
                    Namer& namer) {
  std::string where = place.address == 0 ? "" : namer.Code(place.address);
  const bool unnamed =
      where.empty() && !namer.IsInCLibrary(outcome.site, outcome.site_flags);
  if (unnamed || namer.IsLibraryCode(place.address)) {
    where = namer.OwnPlace(outcome.site, outcome.site_flags, outcome.node);
  }
  return where;
}

// What the program said before it aborted says more than the signal.
void AddAbortCause(const abi::Outcome& outcome, const std::string& where,
                   Namer& namer, Words& words) {
  switch (outcome.abort_cause) {
    case abi::AbortCause::kUnknown:
      return;
    case abi::AbortCause::kAssertion:
      words.sentence = fmt::format("in thread {}: {}",
                                   namer.Thread(outcome.thread), outcome.cause);
      return;
    case abi::AbortCause::kUncaught:
      words.sentence =
          fmt::format("in thread {} nobody catches the exception of type {}{}",
                      namer.Thread(outcome.thread),
                      DemangledType(outcome.cause), At(where));
      if (outcome.message[0] != '\0') {
        words.details.push_back(fmt::format("it says: {}", outcome.message));
      }
      return;
  }
}

}  // namespace

Words WordsOfCrash(const Executed& executed, Namer& namer) {
  const abi::Outcome& outcome = executed.outcome;
  const std::string signal = SignalName(SignalOf(executed));
  Words words = {fmt::format("the program was ended by {}", signal)};
  // Of one that died without the runtime's knowing nothing more is known.
  if (outcome.status != abi::Status::kSignaled) return words;
  // An abort happens inside libc; the last place of the program says more.
  const CrashPlace place =
      outcome.signal == SIGABRT ? CrashPlace() : CrashPlaceOf(executed);
  const std::string where = WhereIt(outcome, place, namer);
  const bool in_library =
      place.owner == CodeOwner::kLibrary && !SendsSignals(place.call);
  words.sentence += fmt::format(
      " in thread {}{}{}", namer.Thread(outcome.thread),
      in_library && !where.empty() ? ", in a call of the C library," : "",
      At(where));
  if (SendsSignals(place.call)) {
    words.details.push_back(fmt::format(
        "the program sent the signal to itself, by {}()", place.call));
  }
  if (const std::string deed = DeedOf(outcome, place); !deed.empty()) {
    words.details.push_back("it was ended by " + signal);
    words.sentence =
        fmt::format("{} {}{}", namer.Thread(outcome.thread), deed, At(where));
  }
  AddAbortCause(outcome, where, namer, words);
  // As runtime/intercept/faults.cc has it.
  if (std::string_view(outcome.text)
          .find("(by a pointer out of freed memory)") !=
      std::string_view::npos) {
    words.details.push_back(
        "use after free: it went by a pointer read from a block that had been "
        "freed, in code that fairlead-cc did not compile");
  }
  if (outcome.fault_address != 0) {
    words.details.push_back(
        fmt::format("it touched {}", namer.Object(outcome.fault_address)));
  }
  return words;
}

}  // namespace fairlead::explore
