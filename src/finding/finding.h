// finding/finding.h
//
// A finding: a claim about a program, with what shows it. Oracles make them
// from executions that failed, analyses from traces; the store keeps them, and
// reports show them. Plain values; nothing here judges.

#ifndef FAIRLEAD_FINDING_FINDING_H_
#define FAIRLEAD_FINDING_FINDING_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/target.h"
#include "trace/schedule.h"
#include "trace/trace.h"

namespace fairlead::finding {

enum class Kind : uint8_t {
#define FL_FINDING(name, word, severity, title) name,
#include "finding/kinds.inc"
#undef FL_FINDING
};

// Ascending. kInfo: nothing that has to be changed; told on demand.
enum class Severity : uint8_t { kInfo, kLow, kMedium, kHigh };

// What is known about the claim.
enum class Verdict : uint8_t {
  kPredicted,  // an analysis says so; no execution has shown it
  kConfirmed,  // its schedule has been repeated, and fails every time
  kRefuted,    // forced, and did not happen, or nothing failed
  kUnknown,    // seen, but repeating it did not always show it
};

std::string_view WordOf(Kind kind);
std::string_view WordOf(Severity severity);
std::string_view WordOf(Verdict verdict);
std::string_view TitleOf(Kind kind);
Severity SeverityOf(Kind kind);

// Null for a word that none has: stored ones may be of a later version.
std::optional<Kind> FindFindingKind(std::string_view word);
std::optional<Severity> FindSeverity(std::string_view word);
std::optional<Verdict> FindVerdict(std::string_view word);

// A place in the program that a claim is about, named so that it survives a
// rebuild.
struct Where {
  std::string function = {};  // "" = not known
  trace::Place place = {};
  uint64_t anchor = 0;  // of a site; 0 = code without sites
  bool operator==(const Where&) const = default;
};

// "lost.c:18 (increment)"; "" when nothing is known.
std::string WhereText(const Where& where);

// A thread when the execution ended.
struct ThreadState {
  std::string thread = {};  // "main/1 (worker)"
  std::string doing = {};   // "waits for lock b, held by main"; "" = nothing
                            // to say
  bool at_fault = false;    // it is the one that failed
  std::vector<Where> frames = {};  // innermost first
  bool operator==(const ThreadState&) const = default;
};

using QuietSites = trace::QuietSites;

// An interleaving that is, or may be, forced.
struct Aim {
  Target target;
  std::string sentence = {};  // for people
  // Fingerprint of the finding that predicts it; 0 = it is none of its own.
  uint64_t prediction = 0;
  uint64_t attempts = 0;
  std::vector<std::string> tried = {};  // what came of them, in lines
};

// Of an event of the slice, what it has to do with the failure.
struct Deciding {
  uint64_t step = 0;        // Event::seq
  bool conflicts = false;   // one of the steps that get in each other's way
  bool no_return = false;   // from here on it fails, whatever else happens
  std::string held = {};    // the locks that its thread holds, by name
  std::string called = {};  // "Buy, line 15": who called the function of
                            // it, where that says more than its own place
  bool operator==(const Deciding&) const = default;
};

// What shows a finding.
struct Witness {
  std::optional<trace::Schedule> schedule;  // none: nothing to repeat
  trace::Trace slice;  // the events that matter, with their names
  // Why it happens, in one sentence: which steps of which threads get in each
  // other's way on what, and what would forbid that. "" = not known.
  std::string explanation;
  // The events that tell it in the fewest rows, ascending; empty = nobody
  // knows.
  std::vector<Deciding> deciding;
  std::vector<ThreadState> threads;
  // Source lines that the slice and the frames name, as they were then: by file
  // and line.
  std::map<std::string, std::map<uint32_t, std::string>> sources;
  std::string output;  // what the program printed; its end, if it was long
  std::string error;
  // Of a prediction, and of what was found while one was forced.
  std::optional<Aim> aim;
};

struct Finding {
  Kind kind = Kind::kCrash;
  Severity severity = Severity::kHigh;
  Verdict verdict = Verdict::kUnknown;
  std::string message;               // one sentence: what, where, who
  std::vector<std::string> details;  // further lines
  std::vector<Where> sites;          // of the cause, the most telling first
  uint64_t fingerprint = 0;          // equal for one cause; see fingerprint.h
  bool always = false;  // every schedule that was tried fails like this
  Witness witness;
};

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_FINDING_H_
