// tests/runtime/expect.cc
//
// usage: runtime_expect LIBRARY PROGRAM SOURCE CARRIER
//
// The one runner of all programs in programs/. A program says in its comments
// what must happen to it:
//
//   // EXPECT: ended(0) deadlock       over the seeds, exactly these verdicts
//   // TEXT:   waits for a signal      some failing outcome's text has this
//   // EVENTS: barrier timed-out      some execution has such an event; words
//                                      of events.inc, and of the flags below
//   // PLAIN:  0                       exit code without the runtime, to see
//                                      that glibc does as we say
//   // ARGS:   3 4                     arguments of the program
//   // FLAGS:  spurious                abi::PlanFlag, by word
//   // REPEATS: no                     it need not: another process takes part
//   // REPEATS: replayed               only when it follows its schedule, whose
//                                      inputs bring what came from outside
//   // UNCONTROLLED: foreign-threads 2   counted in every execution, exactly
//   // SEEDS:  64                      1 to this many; 24 unless told
//   // STEPS:  1000                    limit; so is MILLISECONDS
//
// Beyond the verdicts, for the first seeds: a repetition gives the same digests
// of events and schedule, and so does the other carrier, both from the seed and
// from the schedule. An execution that is not traced has the same schedule (it
// does not tell accesses). Every wake event names an earlier event of its
// partner.

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "lab.h"

using namespace fairlead;

namespace {

struct Wanted {
  std::set<std::string> verdicts;
  std::vector<std::string> texts;
  std::vector<std::string> events;
  std::vector<std::string> arguments;
  std::vector<std::pair<abi::Uncontrolled, uint64_t>> uncontrolled;
  std::string repeats = "yes";  // or "replayed", or "no"
  int plain = -1;               // -1 = not to be run plainly
  uint64_t flags = 0;
  uint64_t seeds = 24;
  uint64_t steps = 1'000'000;
  uint64_t milliseconds = 20'000;
};

std::string Trim(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  const size_t end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

abi::Uncontrolled UncontrolledOf(const std::string& word) {
  if (word == "foreign-threads") return abi::Uncontrolled::kForeignThread;
  if (word == "blocking-calls") return abi::Uncontrolled::kBlockingCall;
  if (word == "ptrace") return abi::Uncontrolled::kPtrace;
  if (word == "process-shared") return abi::Uncontrolled::kProcessShared;
  if (word == "userfault") return abi::Uncontrolled::kUserfault;
  std::fprintf(stderr, "nothing uncontrolled is called %s\n", word.c_str());
  std::exit(2);
}

Wanted ReadWanted(const std::string& source) {
  Wanted wanted;
  std::ifstream in(source);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("// ")) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = line.substr(3, colon - 3);
    std::istringstream rest(line.substr(colon + 1));
    if (key == "EXPECT") {
      for (std::string word; rest >> word;) wanted.verdicts.insert(word);
    } else if (key == "TEXT") {
      wanted.texts.push_back(Trim(rest.str()));
    } else if (key == "EVENTS") {
      for (std::string word; rest >> word;) wanted.events.push_back(word);
    } else if (key == "PLAIN") {
      rest >> wanted.plain;
    } else if (key == "ARGS") {
      for (std::string word; rest >> word;) wanted.arguments.push_back(word);
    } else if (key == "FLAGS") {
      for (std::string word; rest >> word;) {
        if (word == "spurious") wanted.flags |= abi::kPlanSpurious;
        if (word == "time-passes") wanted.flags |= abi::kPlanTimePasses;
        if (word == "no-dispatch") wanted.flags |= abi::kPlanNoDispatch;
      }
    } else if (key == "UNCONTROLLED") {
      std::string word;
      uint64_t number = 0;
      rest >> word >> number;
      wanted.uncontrolled.emplace_back(UncontrolledOf(word), number);
    } else if (key == "REPEATS") {
      wanted.repeats = Trim(rest.str());
    } else if (key == "SEEDS") {
      rest >> wanted.seeds;
    } else if (key == "STEPS") {
      rest >> wanted.steps;
    } else if (key == "MILLISECONDS") {
      rest >> wanted.milliseconds;
    }
  }
  return wanted;
}

std::string Digests(const lab::Run& run) {
  char text[128];
  std::snprintf(text, sizeof(text), "events %016lx (%lu) schedule %016lx (%lu)",
                run.outcome.event_digest, run.outcome.events,
                run.outcome.schedule_digest, run.outcome.points);
  return text;
}

class Checker {
 public:
  Checker(lab::Setting setting, Wanted wanted)
      : setting_(std::move(setting)), wanted_(std::move(wanted)) {}

  int Check() {
    for (uint64_t seed = 1; seed <= wanted_.seeds; ++seed) {
      setting_.seed = seed;
      Judge(lab::Execute(setting_),
            wanted_.repeats != "no" && seed <= kRepeatedSeeds);
    }
    if (seen_ != wanted_.verdicts) {
      Fail("verdicts over all seeds: " + Join(seen_) +
           "; expected: " + Join(wanted_.verdicts));
    }
    for (const std::string& text : wanted_.texts) {
      if (texts_.find(text) == std::string::npos) {
        Fail("no outcome says \"" + text + "\"; they say:\n" + texts_);
      }
    }
    for (const std::string& event : wanted_.events) {
      if (!events_.contains(event)) Fail("no execution has an event " + event);
    }
    if (wanted_.plain >= 0) CheckPlainly();
    return failures_ == 0 ? 0 : 1;
  }

 private:
  static constexpr uint64_t kRepeatedSeeds = 3;

  static abi::CarrierId OtherThan(abi::CarrierId carrier) {
    return carrier == abi::CarrierId::kFiber ? abi::CarrierId::kThread
                                             : abi::CarrierId::kFiber;
  }

  static std::string Join(const std::set<std::string>& words) {
    std::string joined;
    for (const std::string& word : words) joined += " " + word;
    return joined;
  }

  void Fail(const std::string& what) {
    std::fprintf(stderr, "%s seed %lu: %s\n", setting_.command[0].c_str(),
                 setting_.seed, what.c_str());
    ++failures_;
  }

  void CheckPlainly() {
    const int status = lab::ExecutePlainly(setting_);
    if (WIFEXITED(status) && WEXITSTATUS(status) == wanted_.plain) return;
    Fail("without the runtime it ends with status " + std::to_string(status));
  }

  void NoteEvents(const lab::Run& run) {
    constexpr std::pair<abi::EventFlag, const char*> kFlags[] = {
        {abi::kFlagShared, "shared"},       {abi::kFlagSuccess, "success"},
        {abi::kFlagTimedOut, "timed-out"},  {abi::kFlagSpurious, "spurious"},
        {abi::kFlagRecursive, "recursive"}, {abi::kFlagRobust, "robust"}};
    for (const abi::Event& event : run.events) {
      events_.insert(lab::WordOf(event.kind));
      for (const auto& [flag, word] : kFlags) {
        if ((event.flags & flag) != 0) events_.insert(word);
      }
    }
  }

  // `value` of a wake event is the position of its cause, which is an event of
  // the thread that its partner extension names.
  void CheckWakes(const lab::Run& run) {
    std::vector<const abi::Event*> events;  // without extensions
    for (const abi::Event& record : run.events) {
      if (lab::GroupOf(record.kind) != abi::EventGroup::kExtension) {
        events.push_back(&record);
        continue;
      }
      const abi::Event& event = *events.back();
      if (record.kind != abi::EventKind::kExtPartner ||
          lab::GroupOf(event.kind) != abi::EventGroup::kWake) {
        continue;
      }
      if (event.value + 1 >= events.size() ||
          events[event.value]->thread != record.value) {
        Fail(std::string(lab::WordOf(event.kind)) + " names event " +
             std::to_string(event.value) +
             " as its cause, which is not one of "
             "thread " +
             std::to_string(record.value));
        return;
      }
    }
  }

  void Judge(const lab::Run& run, bool repeat) {
    const std::string verdict = run.Verdict();
    seen_.insert(verdict);
    if (!wanted_.verdicts.contains(verdict)) {
      Fail("unexpected verdict " + verdict + ": " + run.outcome.text);
    }
    texts_ += std::string(run.outcome.text) + "\n";
    for (const auto& [what, number] : wanted_.uncontrolled) {
      const uint64_t found =
          run.outcome.uncontrolled[static_cast<size_t>(what)];
      if (found != number) {
        Fail("not controlled: " + std::to_string(found) + " instead of " +
             std::to_string(number));
      }
    }
    NoteEvents(run);
    CheckWakes(run);
    if (!repeat) return;
    lab::Setting own = setting_;
    if (wanted_.repeats == "replayed") {
      setting_ = lab::Following(own, run);
      Compare(run, "a replay of its schedule");
      setting_.carrier = OtherThan(own.carrier);
      Compare(run, "a replay of its schedule on the other carrier");
      setting_ = own;
      return;
    }
    Compare(run, "a repetition");
    setting_.flags &= ~uint64_t{abi::kPlanTrace};
    const lab::Run untraced = lab::Execute(setting_);
    if (untraced.Verdict() != run.Verdict() ||
        untraced.outcome.schedule_digest != run.outcome.schedule_digest) {
      Fail("an execution that is not traced differs: " + run.Verdict() + ", " +
           Digests(run) + " against " + untraced.Verdict() + ", " +
           Digests(untraced));
    }
    setting_ = own;
    setting_.carrier = OtherThan(own.carrier);
    Compare(run, "the other carrier");
    setting_ = lab::Following(setting_, run);
    Compare(run, "a replay of its schedule on the other carrier");
    setting_ = own;
  }

  void Compare(const lab::Run& run, const char* with) {
    const lab::Run again = lab::Execute(setting_);
    if (again.Verdict() != run.Verdict() || Digests(again) != Digests(run)) {
      Fail(std::string(with) + " differs: " + run.Verdict() + ", " +
           Digests(run) + " against " + again.Verdict() + ", " +
           Digests(again) + " " + again.outcome.text);
    }
  }

  lab::Setting setting_;
  Wanted wanted_;
  std::set<std::string> seen_;
  std::string texts_;
  std::set<std::string> events_;
  int failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr,
                 "usage: runtime_expect LIBRARY PROGRAM SOURCE CARRIER\n");
    return 2;
  }
  const Wanted wanted = ReadWanted(argv[3]);
  lab::Setting setting;
  setting.library = argv[1];
  setting.command = {argv[2]};
  setting.command.insert(setting.command.end(), wanted.arguments.begin(),
                         wanted.arguments.end());
  setting.carrier = std::string(argv[4]) == "fiber" ? abi::CarrierId::kFiber
                                                    : abi::CarrierId::kThread;
  setting.flags |= wanted.flags | abi::kPlanTrace;
  setting.max_steps = wanted.steps;
  setting.max_ns = wanted.milliseconds * 1'000'000;
  setting.discard_output = true;
  return Checker(setting, wanted).Check();
}
