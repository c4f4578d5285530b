// Interleavings for the page: rows, and what a debugger would know at each: the
// locks that are held, and the values of the variables.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

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

constexpr std::string_view kEquals = " = ";

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
           "},\"places\":{" + places_.Json() + "},\"locks\":{" + locks_.Json() +
           "},\"values\":{" + values_.Json() + "},\"life\":{" + life_.Json() +
           "},\"texts\":" + texts_.Json() + "}";
  }

 private:
  void AddRow(const Row& row) {
    int64_t marks = 0;
    if (row.decides) marks |= kDecides;
    if (row.conflicts) marks |= kConflicts;
    if (row.failed) marks |= kFailed;
    if (row.no_return) marks |= kNoReturn;
    if (row.sees) marks |= kSees;
    // Numbers that grow are written as differences: most are the same.
    const int64_t step = row.step ? static_cast<int64_t>(*row.step) : -1;
    steps_.Put("step", step - last_step_);
    last_step_ = step;
    steps_.Put("thread", static_cast<int64_t>(row.column));
    // Most texts differ by their value only.
    const size_t cut = row.text.rfind(kEquals);
    const bool split = cut != std::string::npos;
    steps_.Put("what", texts_.Add(row.text.substr(0, cut)));
    const uint32_t value =
        split ? texts_.Add(row.text.substr(cut + kEquals.size())) : 0;
    steps_.Put("value", value);
    value_of_row_.push_back(value);
    steps_.Put("note", texts_.Add(row.sees ? "" : row.note));
    steps_.Put("place", PlaceOf(row));
    steps_.Put("marks", marks);
    const auto from =
        row.from ? row_of_step_.find(*row.from) : row_of_step_.end();
    const auto here = static_cast<int64_t>(value_of_row_.size()) - 1;
    steps_.Put("back", from == row_of_step_.end()
                           ? 0
                           : here - static_cast<int64_t>(from->second));
  }

  // Its number among those that differ.
  int64_t PlaceOf(const Row& row) {
    const std::array<uint32_t, 4> place = {
        texts_.Add(row.place.file), row.place.line, texts_.Add(row.function),
        texts_.Add(row.source)};
    const auto [found, added] = place_index_.try_emplace(
        place, static_cast<int64_t>(place_index_.size()));
    if (added) {
      places_.Put("file", place[0]);
      places_.Put("line", place[1]);
      places_.Put("function", place[2]);
      places_.Put("source", place[3]);
    }
    return found->second;
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
    locks_.Put("rows", static_cast<int64_t>(RowAt(event) - begin));
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
    std::unordered_map<uint64_t, uint32_t> last;
    int64_t last_row = 0;
    for (size_t i = 0; i < events_.size(); ++i) {
      const std::string text = StoredText(events_[i], names_);
      const auto row = row_of_event_.find(i);
      if (text.empty() || row == row_of_event_.end()) continue;
      const uint32_t value = texts_.Add(text);
      uint32_t& known = last[events_[i].address];
      if (known == value) continue;
      known = value;
      values_.Put("rows", static_cast<int64_t>(row->second) - last_row);
      last_row = static_cast<int64_t>(row->second);
      values_.Put("variable",
                  texts_.Add(names_.ObjectText(events_[i].address)));
      // 0: the one that the row says.
      values_.Put("value", value_of_row_[row->second] == value ? 0 : value);
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
  std::unordered_map<uint64_t, size_t> row_of_step_;
  TextTable texts_;
  Columns steps_;
  Columns locks_;
  Columns values_;
  Columns life_;
  Columns places_;
  std::map<std::array<uint32_t, 4>, int64_t> place_index_;
  std::vector<uint32_t> value_of_row_;
  int64_t last_step_ = 0;
};

}  // namespace

std::string RunJson(const finding::Finding& finding) {
  return RunWriter(finding).Json();
}

}  // namespace fairlead::report
