// Interleavings for the page: rows, and what a debugger would know at each: the
// locks that are held, and the values of the variables.

#include <algorithm>
#include <map>
#include <optional>

#include "finding/held_locks.h"
#include "report/event_text.h"
#include "report/interleaving.h"
#include "report/page.h"
#include "report/run_columns.h"
#include "trace/access.h"

namespace fairlead::report {
namespace {

using trace::Event;
using trace::EventKind;

// Bits of the column "marks".
enum Mark : int64_t {
  kDecides = 1,
  kConflicts = 2,
  kFailed = 4,
  kNoReturn = 8,
  kSees = 16,  // "from" wrote what this one reads
};

class RunWriter {
 public:
  explicit RunWriter(const finding::Finding& finding)
      : events_(finding.witness.slice.events),
        names_(finding.witness.slice.names),
        table_(InterleavingOf(finding)) {
    for (size_t i = 0; i < table_.rows.size(); ++i) {
      const Row& row = table_.rows[i];
      if (row.event) row_of_event_[*row.event] = i;
      if (row.step) row_of_step_[*row.step] = i;
    }
  }

  std::string Json() {
    for (const Row& row : table_.rows) AddRow(row);
    AddLocks();
    AddValues();
    AddLife();
    std::string threads;
    for (const std::string& thread : table_.threads) {
      threads += (threads.empty() ? "" : ",") + JsonString(thread);
    }
    return "{\"threads\":[" + threads + "],\"steps\":{" + steps_.Json() +
           "},\"locks\":{" + locks_.Json() + "},\"values\":{" + values_.Json() +
           "},\"life\":{" + life_.Json() + "},\"texts\":" + texts_.Json() + "}";
  }

 private:
  void AddRow(const Row& row) {
    int64_t marks = 0;
    if (row.decides) marks |= kDecides;
    if (row.conflicts) marks |= kConflicts;
    if (row.failed) marks |= kFailed;
    if (row.no_return) marks |= kNoReturn;
    if (row.sees) marks |= kSees;
    steps_.Put("step", row.step ? static_cast<int64_t>(*row.step) : -1);
    steps_.Put("thread", static_cast<int64_t>(row.column));
    // Most texts differ by their value only.
    const size_t cut = row.text.rfind(" = ");
    const bool split = cut != std::string::npos;
    steps_.Put("what", texts_.Add(row.text.substr(0, cut)));
    steps_.Put("value", split ? texts_.Add(row.text.substr(cut)) : 0);
    steps_.Put("note", texts_.Add(row.sees ? "" : row.note));
    steps_.Put("file", texts_.Add(row.place.file));
    steps_.Put("line", row.place.line);
    steps_.Put("function", texts_.Add(row.function));
    steps_.Put("source", texts_.Add(row.source));
    steps_.Put("marks", marks);
    const auto from =
        row.from ? row_of_step_.find(*row.from) : row_of_step_.end();
    steps_.Put("from", from == row_of_step_.end()
                           ? -1
                           : static_cast<int64_t>(from->second));
  }

  // The row of an event, or of the first after it.
  size_t RowAt(size_t event) const {
    const auto row = row_of_event_.lower_bound(event);
    return row == row_of_event_.end() ? table_.rows.size() : row->second;
  }

  void AddSpan(size_t from, size_t event, uint64_t lock) {
    const size_t begin = RowAt(from);
    if (begin >= table_.rows.size()) return;
    locks_.Put("thread", static_cast<int64_t>(table_.rows[begin].column));
    locks_.Put("lock", texts_.Add(names_.ObjectText(lock)));
    locks_.Put("from", static_cast<int64_t>(begin));
    locks_.Put("to", static_cast<int64_t>(RowAt(event)));
  }

  // From the event that took each to the one that gave it up.
  void AddLocks() {
    std::map<trace::Tid, finding::Held> held;
    std::map<trace::Tid, uint64_t> given_up;
    const auto give = [&](trace::Tid tid, uint64_t lock, size_t event) {
      const auto taken = held[tid].find(lock);
      if (taken == held[tid].end()) return;
      AddSpan(taken->second, event, lock);
      held[tid].erase(taken);
    };
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (finding::Takes(event)) {
        held[event.tid].try_emplace(event.address, i);
      } else if ((event.kind == EventKind::kUnlock && event.value == 0) ||
                 event.kind == EventKind::kFileUnlock) {
        give(event.tid, event.address, i);
      } else if (event.kind == EventKind::kWait && event.partner) {
        given_up[event.tid] = event.partner->object;
        give(event.tid, event.partner->object, i);
      } else if (event.kind == EventKind::kWaitDone &&
                 given_up.contains(event.tid)) {
        held[event.tid].try_emplace(given_up[event.tid], i);
      }
    }
    for (const auto& [tid, locks] : held) {
      for (const auto& [lock, from] : locks) {
        AddSpan(from, events_.size(), lock);
      }
    }
  }

  // Each value that is read or written, where it is another one than before.
  void AddValues() {
    std::map<uint64_t, uint32_t> last;
    for (size_t i = 0; i < events_.size(); ++i) {
      const std::string text = StoredText(events_[i], names_);
      const auto row = row_of_event_.find(i);
      if (text.empty() || row == row_of_event_.end()) continue;
      const uint32_t value = texts_.Add(text);
      uint32_t& known = last[events_[i].address];
      if (known == value) continue;
      known = value;
      values_.Put("row", static_cast<int64_t>(row->second));
      values_.Put("variable",
                  texts_.Add(names_.ObjectText(events_[i].address)));
      values_.Put("value", value);
    }
  }

  // Of the block that the failing access was to: rows that made it, freed it,
  // and touched it.
  void AddLife() {
    const Event* failing = nullptr;
    for (const Event& event : events_) {
      const bool faulty = event.kind == EventKind::kMisuse ||
                          event.kind == EventKind::kFault ||
                          event.kind == EventKind::kFree;
      if (faulty && event.address != 0) failing = &event;
    }
    if (failing == nullptr) return;
    const auto block = BlockOf(failing->address);
    if (!block) return;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      const bool inside = event.address >= block->first &&
                          event.address - block->first < block->second;
      const auto row = row_of_event_.find(i);
      if (!inside || row == row_of_event_.end()) continue;
      life_.Put("row", static_cast<int64_t>(row->second));
    }
  }

  // First byte and size.
  std::optional<std::pair<uint64_t, uint64_t>> BlockOf(uint64_t address) const {
    for (const Event& event : events_) {
      const bool block =
          event.kind == EventKind::kFree || event.kind == EventKind::kAlloc;
      if (block && address >= event.address &&
          address - event.address < std::max<uint64_t>(event.value, 1)) {
        return std::pair(event.address, std::max<uint64_t>(event.value, 1));
      }
    }
    return {};
  }

  const std::vector<Event>& events_;
  const trace::Names& names_;
  Interleaving table_;
  std::map<size_t, size_t> row_of_event_;
  std::map<uint64_t, size_t> row_of_step_;
  TextTable texts_;
  Columns steps_;
  Columns locks_;
  Columns values_;
  Columns life_;
};

}  // namespace

std::string RunJson(const finding::Finding& finding) {
  return RunWriter(finding).Json();
}

}  // namespace fairlead::report
