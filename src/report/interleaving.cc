#include "report/interleaving.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/printable.h"
#include "base/short_name.h"
#include "base/text.h"
#include "finding/slice_actors.h"
#include "report/event_text.h"
#include "trace/access.h"
#include "trace/kinds.h"

namespace fairlead::report {
namespace {

using finding::Actor;
using finding::Finding;
using finding::ThreadState;
using trace::Event;
using trace::EventKind;
using trace::Tid;

constexpr std::string_view kWaits = "waits: ";
constexpr std::string_view kWaitsFor = "waits for descriptor ";

// What an access has to do with earlier ones of other threads, or of signal
// handlers in its own.
struct Note {
  std::string text = {};
  std::optional<uint64_t> from = {};  // the step that it is about
  bool sees = false;
};

class Relations {
 public:
  Note NoteOn(const Event& event, Actor actor) {
    if (event.kind == EventKind::kFree) {
      freed_.push_back(&event);
      return {};
    }
    if (!trace::IsAccess(event)) return {};
    Note note = OnFreed(event);
    Location& location = locations_[event.address];
    const Access& write = location.write;
    if (note.text.empty() && write.event != nullptr && write.actor != actor) {
      note = trace::Writes(event) ? OnOverwrite(event, actor, location)
                                  : OnRead(event, *write.event);
    }
    if (note.text.empty() && !trace::Writes(event))
      note = OnRange(event, actor);
    if (trace::Writes(event)) {
      location.write = {&event, actor};
    } else {
      location.read[actor] = &event;
    }
    return note;
  }

 private:
  struct Access {
    const Event* event = nullptr;
    Actor actor = 0;
  };
  struct Location {
    Access write = {};                        // the last one
    std::map<Actor, const Event*> read = {};  // the last one of each
  };

  Note OnFreed(const Event& event) const {
    for (const Event* free : freed_) {
      if (event.address >= free->address &&
          event.address - free->address < free->value) {
        return {fmt::format("freed in step {}", free->seq), free->seq};
      }
    }
    return {};
  }

  // A value that is another one was written by a step that is not shown.
  static Note OnRead(const Event& event, const Event& write) {
    constexpr uint64_t kWord = 8;  // more bytes come without a value
    const bool known = event.size == write.size && event.size <= kWord;
    if (known && event.value != write.value) return {};
    return Seen(write);
  }

  // A copy reads what was written into the middle of it.
  Note OnRange(const Event& event, Actor actor) const {
    const Event* latest = nullptr;
    for (auto each = locations_.upper_bound(event.address);
         each != locations_.end() && each->first - event.address < event.size;
         ++each) {
      const Access& write = each->second.write;
      if (write.event == nullptr || write.actor == actor) continue;
      if (latest == nullptr || write.event->seq > latest->seq) {
        latest = write.event;
      }
    }
    return latest == nullptr ? Note() : Seen(*latest);
  }

  static Note Seen(const Event& write) {
    return {fmt::format("sees step {}", write.seq), write.seq, true};
  }

  // A write over what another wrote since this one looked: unseen, or seen only
  // as the old value that has come back.
  static Note OnOverwrite(const Event& event, Actor actor,
                          const Location& location) {
    const auto read = location.read.find(actor);
    const Event& write = *location.write.event;
    if (read == location.read.end() || read->second->seq > write.seq) return {};
    if (!event.old_value) {
      return {fmt::format("overwrites step {}, unseen", write.seq), write.seq};
    }
    if (event.kind != EventKind::kCas || !event.has(abi::kFlagSuccess) ||
        read->second->value != *event.old_value) {
      return {};
    }
    return {
        fmt::format("ABA: changed and back since step {}", read->second->seq),
        read->second->seq};
  }

  std::map<uint64_t, Location> locations_;
  std::vector<const Event*> freed_;
};

// Whether the function of std::atomic that an access is part of says no more
// than the access.
bool SaysTheSame(const Event& event, std::string_view callee) {
  switch (event.kind) {
    case EventKind::kAtomicLoad:
      return callee == "load" || callee.starts_with("operator ");
    case EventKind::kAtomicStore:
      return callee == "store" || callee == "operator=";
    case EventKind::kCas:
      return callee.starts_with("compare_exchange_");
    default:
      return false;
  }
}

// A name that the standard keeps for libraries: nobody has written it.
bool IsInternal(std::string_view function) { return function.starts_with('_'); }

bool IsFailure(const Event& event) {
  return event.kind == EventKind::kMisuse ||
         (trace::GroupOf(event.kind) == trace::EventGroup::kFault &&
          event.kind != EventKind::kThrow && event.kind != EventKind::kExit);
}

bool IsAccessFault(const Event& event) {
  return event.value == SIGSEGV || event.value == SIGBUS;
}

// Where people should look. What the compiler added has line 0: the call that
// led there says more.
const trace::Place* PlaceWithLine(const Event& event,
                                  const trace::Names& names) {
  const trace::Place* place = names.ShownPlaceOf(event);
  if (place == nullptr || place->line != 0) return place;
  for (auto node = names.nodes.find(event.node); node != names.nodes.end();
       node = names.nodes.find(node->second.parent)) {
    const auto site = names.sites.find(node->second.site);
    if (site != names.sites.end() && !site->second.library &&
        site->second.place.line != 0) {
      return &site->second.place;
    }
    if (node->second.parent >= node->first) break;  // untrusted
  }
  return nullptr;
}

std::string SourceAt(const trace::Place& place,
                     const finding::Witness& witness) {
  const auto file = witness.sources.find(place.file);
  if (file == witness.sources.end()) return "";
  const auto line = file->second.find(place.line);
  return line == file->second.end() ? "" : std::string(Trim(line->second));
}

bool IsAbout(const Event& misuse, const Event& access) {
  return misuse.kind == EventKind::kMisuse && trace::IsAccess(access) &&
         misuse.tid == access.tid && misuse.address == access.address;
}

// "main/1 (worker)" is the thread "main/1".
std::string_view PathOf(std::string_view thread) {
  return thread.substr(0, thread.find(" ("));
}

class Builder {
 public:
  Builder(const Finding& finding, Rows rows)
      : finding_(finding), witness_(finding.witness), rows_(rows) {
    for (const finding::Deciding& each : witness_.deciding) {
      deciding_[each.step] = &each;
    }
  }

  Interleaving Build() {
    // An assertion or an exception ends in an abort: one row says both.
    has_cause_ =
        std::ranges::any_of(witness_.slice.events, [](const Event& event) {
          return event.kind == EventKind::kAssertion ||
                 event.kind == EventKind::kUncaught;
        });
    const std::vector<Event>& events = witness_.slice.events;
    const std::vector<Actor> actors = finding::ActorsOf(events).by_event;
    for (size_t i = 0; i < events.size(); ++i) {
      // A misuse comes ahead of the access that it is about: one row says both.
      const bool told =
          i + 1 < events.size() && IsAbout(events[i], events[i + 1]);
      const size_t before = table_.rows.size();
      if (!told) AddEvent(events[i], actors[i], i);
      if (table_.rows.size() > before && i > 0 &&
          IsAbout(events[i - 1], events[i])) {
        table_.rows.back().text = fmt::format(
            "{}: {}", finding::TitleOf(finding_.kind), table_.rows.back().text);
        table_.rows.back().failed = true;
      }
    }
    if (IsStuck()) {
      AddWaits();
    } else if (IsOfPlace()) {
      AddStanding();
    }
    if (finding_.kind == finding::Kind::kTest) AddFailedCheck();
    NumberColumns();
    return std::move(table_);
  }

 private:
  bool IsStuck() const {
    return finding_.kind == finding::Kind::kDeadlock ||
           finding_.kind == finding::Kind::kLostWakeup;
  }

  // It failed at a place, and the other threads were not done.
  bool IsOfPlace() const {
    return finding_.kind == finding::Kind::kAssertion ||
           finding_.kind == finding::Kind::kAbort ||
           finding_.kind == finding::Kind::kCrash;
  }

  void AddEvent(const Event& event, Actor actor, size_t index) {
    if (event.kind == EventKind::kAbort && has_cause_) return;
    // What threads wait for says it better.
    if (event.kind == EventKind::kDeadlock) return;
    if (event.kind == EventKind::kMisuse && IsStuck()) return;
    Note note = relations_.NoteOn(event, actor);
    NoteWait(event);
    if (!IsShown(event)) {
      ++table_.left_out;
      return;
    }
    const trace::Names& names = witness_.slice.names;
    Row row = {.step = event.seq,
               .column = Column(names.ThreadText(event.tid)),
               .text = EventText(event, names),
               .note = std::move(note.text),
               .place = {},
               .function = names.FunctionOf(event),
               .source = "",
               .decides = Decides(event),
               .from = note.from,
               .sees = note.sees,
               .event = index};
    if (event.kind == EventKind::kMisuse) {
      row.text = finding::TitleOf(finding_.kind);
    }
    row.failed = IsFailure(event);
    // The end of the program is nothing that a function of a library did.
    const bool ends =
        event.kind == EventKind::kExit ||
        (event.kind == EventKind::kFault && !IsAccessFault(event));
    if (const auto origin = names.OriginOf(event)) {
      const std::string callee = BareName(origin->callee);
      if (!ends && !IsInternal(callee) && !SaysTheSame(event, callee)) {
        row.text = fmt::format("{}: {}", callee, row.text);
      }
      row.function = origin->call->function;
    }
    if (const trace::Place* place = PlaceWithLine(event, names)) {
      row.place = *place;
    } else if (!row.function.empty() && !ends) {
      // Nobody's line: a destructor that runs at the end of the program.
      row.text = fmt::format("{}: {}", BareName(row.function), row.text);
    }
    AddMarks(event, row);
    row.source = SourceAt(row.place, witness_);
    // As wide as it will be shown.
    row.text = PrintableLine(row.text);
    table_.rows.push_back(std::move(row));
  }

  // A fault or a misuse is what all this is about.
  bool IsShown(const Event& event) const {
    return rows_ == Rows::kAll || Decides(event);
  }

  bool Decides(const Event& event) const {
    return deciding_.empty() || deciding_.contains(event.seq) ||
           IsFailure(event);
  }

  void AddMarks(const Event& event, Row& row) const {
    const auto found = deciding_.find(event.seq);
    if (found == deciding_.end()) return;
    const finding::Deciding& mark = *found->second;
    row.conflicts = mark.conflicts;
    row.no_return = mark.no_return;
    if (!mark.held.empty()) row.text += fmt::format(" [{}]", mark.held);
    const auto add = [&](const std::string& words) {
      row.note += row.note.empty() ? words : "; " + words;
    };
    if (!mark.called.empty()) add("called by " + mark.called);
    if (mark.no_return) add("point of no return");
  }

  // Which threads have a row that says what they wait for.
  void NoteWait(const Event& event) {
    const std::string thread = witness_.slice.names.ThreadText(event.tid);
    if (event.kind == EventKind::kWait) told_waits_.insert(thread);
    if (event.kind == EventKind::kWaitDone) told_waits_.erase(thread);
  }

  // What the threads of a deadlock would have done next.
  void AddWaits() {
    for (const ThreadState& state : witness_.threads) {
      const bool descriptor = state.doing.starts_with(kWaitsFor);
      if (!descriptor && !state.doing.starts_with(kWaits)) continue;
      if (told_waits_.contains(std::string(PathOf(state.thread)))) continue;
      Row row = {
          .step = std::nullopt,
          .column = Column(std::string(PathOf(state.thread))),
          .text = state.doing.substr(descriptor ? 0 : kWaits.size()) + " …",
          .note = "",
          .place = {},
          .function = "",
          .source = "",
          .failed = true};
      if (!state.frames.empty()) {
        row.place = state.frames[0].place;
        row.function = state.frames[0].function;
        row.source = SourceAt(row.place, witness_);
      }
      table_.rows.push_back(std::move(row));
    }
  }

  // What threads of the table had not done yet when another one failed: where
  // a value comes too late, that is the step that decides.
  void AddStanding() {
    for (const ThreadState& state : witness_.threads) {
      const std::string thread(PathOf(state.thread));
      // A table of one thread tells of nobody else.
      const bool has_column =
          std::ranges::find(table_.threads, thread) != table_.threads.end() ||
          table_.threads.size() < 2;
      if (state.at_fault || !state.doing.empty() || state.frames.empty() ||
          !has_column) {
        continue;
      }
      const auto own = std::ranges::find_if(
          state.frames, [](const auto& each) { return each.place.line != 0; });
      if (own == state.frames.end()) continue;
      table_.rows.push_back({.step = std::nullopt,
                             .column = Column(thread),
                             .text = "has come to here …",
                             .note = "",
                             .place = own->place,
                             .function = own->function,
                             .source = SourceAt(own->place, witness_)});
    }
  }

  // A test framework goes on after a check that failed: no event says so.
  void AddFailedCheck() {
    if (finding_.sites.empty() || witness_.slice.events.empty()) return;
    const finding::Where& where = finding_.sites[0];
    if (where.place.line == 0) return;
    // Most often the main thread checks.
    const std::vector<Event>& events = witness_.slice.events;
    const bool main =
        std::ranges::find(events, Tid::kMain, &Event::tid) != events.end();
    const std::string thread =
        witness_.slice.names.ThreadText(main ? Tid::kMain : events.back().tid);
    table_.rows.push_back({.step = std::nullopt,
                           .column = Column(thread),
                           .text = "the check fails",
                           .note = "",
                           .place = where.place,
                           .function = where.function,
                           .source = SourceAt(where.place, witness_),
                           .failed = true});
  }

  size_t Column(const std::string& thread) {
    const auto found = std::ranges::find(table_.threads, thread);
    if (found != table_.threads.end()) {
      return static_cast<size_t>(found - table_.threads.begin());
    }
    table_.threads.push_back(thread);
    return table_.threads.size() - 1;
  }

  // Columns stand in the order of the threads, not of their first rows.
  void NumberColumns() {
    std::vector<std::string> sorted = table_.threads;
    const trace::Names& names = witness_.slice.names;
    std::ranges::sort(sorted, {}, [&](const std::string& thread) {
      const auto tid = names.FindThread(thread);
      return tid ? abi::Index(*tid) : ~size_t{0};
    });
    for (Row& row : table_.rows) {
      row.column = static_cast<size_t>(
          std::ranges::find(sorted, table_.threads[row.column]) -
          sorted.begin());
    }
    table_.threads = std::move(sorted);
    for (std::string& thread : table_.threads) {
      const auto tid = names.FindThread(thread);
      if (!tid) continue;
      const auto named = names.threads.find(*tid);
      if (named != names.threads.end() && !named->second.name.empty()) {
        thread += fmt::format(" ({})", PrintableLine(named->second.name));
      }
    }
  }

  const Finding& finding_;
  const finding::Witness& witness_;
  Rows rows_;
  std::map<uint64_t, const finding::Deciding*> deciding_;  // by step
  Relations relations_;
  bool has_cause_ = false;
  std::set<std::string> told_waits_;  // threads
  Interleaving table_;
};

}  // namespace

Interleaving InterleavingOf(const Finding& finding, Rows rows) {
  return Builder(finding, rows).Build();
}

}  // namespace fairlead::report
