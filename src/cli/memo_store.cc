#include "cli/memo_store.h"

#include <set>

#include "base/digest.h"
#include "base/elf_image.h"
#include "base/file.h"

namespace fairlead::cli {
namespace {

namespace iroot = analysis::iroot;
using explore::Memo;

// Of an iRoot's row.
constexpr uint64_t kAfterOutside = 1;
constexpr uint64_t kUnlocked = 2;
constexpr uint64_t kSevere = 4;
constexpr uint64_t kAtomic = 8;

store::MemoKey KeyOf(const std::string& program) {
  return {.program = program, .kind = kIRootMemo};
}

// The part of a row that is alike for all that may be known.
void TakeKnown(const store::MemoItemRow& row, explore::Known& known) {
  known.exposures = row.exposures;
  known.predicted = row.predicted;
  known.attempts = row.attempts;
  known.attempts_here = row.attempts_here;
}

store::MemoItemRow RowOf(const explore::Known& known, std::string item,
                         uint64_t flags) {
  return {.item = std::move(item),
          .exposures = known.exposures - known.kept_exposures,
          .attempts = known.attempts - known.kept_attempts,
          .predicted = known.predicted,
          .attempts_here = known.attempts_here,
          .flags = flags};
}

uint64_t FlagsOf(const explore::Candidate& candidate) {
  return (candidate.after_outside ? kAfterOutside : 0) |
         (candidate.unlocked ? kUnlocked : 0) |
         (candidate.atomic ? kAtomic : 0) | (candidate.severe ? kSevere : 0);
}

void TakeFlags(uint64_t flags, explore::Candidate& candidate) {
  candidate = {.after_outside = (flags & kAfterOutside) != 0,
               .unlocked = (flags & kUnlocked) != 0,
               .atomic = (flags & kAtomic) != 0,
               .severe = (flags & kSevere) != 0};
}

explore::PlaceFacts PlacesOf(const std::vector<store::MemoPlaceRow>& rows) {
  explore::PlaceFacts places;
  for (const store::MemoPlaceRow& row : rows) {
    places[row.anchor] = {row.place, row.function, row.library, row.update};
  }
  return places;
}

// Of those of `anchors` that are known.
std::vector<store::MemoPlaceRow> PlaceRowsOf(const std::set<uint64_t>& anchors,
                                             const explore::PlaceFacts& facts) {
  std::vector<store::MemoPlaceRow> rows;
  for (const uint64_t anchor : anchors) {
    const auto fact = facts.find(anchor);
    if (fact == facts.end()) continue;
    rows.push_back({anchor, fact->second.place, fact->second.function,
                    fact->second.library, fact->second.update});
  }
  return rows;
}

}  // namespace

uint64_t InputDigest(const std::vector<std::string>& argv,
                     const std::string& stdin_path) {
  std::string text;
  for (size_t i = 1; i < argv.size(); ++i) {
    text += argv[i];
    text += '\0';
  }
  // A pipe's contents are for the program, and a device's have no end.
  if (IsRegularFile(stdin_path)) {
    const Result<uint64_t> digest = DigestOfFile(stdin_path, text);
    if (digest) return *digest;
  } else {
    text += stdin_path;
  }
  return DigestOf(text);
}

Result<Memo> LoadMemo(store::Store& store, const std::string& program,
                      uint64_t input) {
  const Result<store::MemoRows> rows = store.LoadMemo(KeyOf(program), input);
  if (!rows) return rows.error();
  std::vector<explore::MemoEntry> entries;
  for (const store::MemoItemRow& row : rows->items) {
    const Result<explore::IRoot> root = iroot::ParseIRootUntrusted(row.item);
    if (!root) continue;
    explore::MemoEntry& entry = entries.emplace_back(*root);
    TakeKnown(row, entry);
    TakeFlags(row.flags, entry.candidate);
  }
  std::vector<Memo::Growth> growth;
  for (const store::MemoGrowthRow& row : rows->growth) {
    growth.push_back({row.executions, row.nanoseconds, row.exposed});
  }
  Memo memo;
  memo.Restore(std::move(entries), PlacesOf(rows->places), std::move(growth));
  return memo;
}

Result<Memo> LoadLastMemo(store::Store& store, const std::string& program) {
  const Result<uint64_t> input = store.MainInput(KeyOf(program));
  if (!input) return input.error();
  return LoadMemo(store, program, *input);
}

Status KeepMemo(Memo& memo, store::Store& store, const std::string& program,
                uint64_t input) {
  store::MemoRows rows;
  std::set<uint64_t> anchors;
  for (const explore::MemoEntry& entry : memo.TakeChanges()) {
    rows.items.push_back(
        RowOf(entry, iroot::PrintIRoot(entry.root), FlagsOf(entry.candidate)));
    // What is new brings its places with it.
    if (entry.kept_exposures != 0 || entry.kept_attempts != 0) continue;
    for (const iroot::Step& step : entry.root.used()) {
      anchors.insert(step.place);
    }
  }
  rows.places = PlaceRowsOf(anchors, memo.facts());
  for (const Memo::Growth& point : memo.TakeGrowth()) {
    rows.growth.push_back({point.executions, point.nanoseconds, point.exposed});
  }
  return store.AddToMemo(KeyOf(program), input, rows);
}

}  // namespace fairlead::cli
