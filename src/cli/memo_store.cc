#include "cli/memo_store.h"

#include <set>

#include "base/digest.h"
#include "base/elf_image.h"
#include "base/file.h"

namespace fairlead::cli {
namespace {

namespace iroot = analysis::iroot;
using explore::Memo;

constexpr uint64_t kAfterOutside = 1;
constexpr uint64_t kUnlocked = 2;
constexpr uint64_t kSevere = 4;
constexpr uint64_t kAtomic = 8;

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
  const Result<store::MemoRows> rows = store.LoadMemo(program, input);
  if (!rows) return rows.error();
  std::vector<explore::MemoEntry> entries;
  for (const store::IRootRow& row : rows->roots) {
    const Result<explore::IRoot> root = iroot::ParseIRootUntrusted(row.root);
    if (!root) continue;
    explore::MemoEntry entry = {.root = *root,
                                .exposures = row.exposures,
                                .predicted = row.predicted,
                                .attempts = row.attempts,
                                .attempts_here = row.attempts_here};
    entry.candidate = {.after_outside = (row.flags & kAfterOutside) != 0,
                       .unlocked = (row.flags & kUnlocked) != 0,
                       .atomic = (row.flags & kAtomic) != 0,
                       .severe = (row.flags & kSevere) != 0};
    entries.push_back(entry);
  }
  std::map<uint64_t, explore::SiteFacts> facts;
  for (const store::IRootPlaceRow& row : rows->places) {
    facts[row.anchor] = {row.place, row.function, row.library, row.update};
  }
  std::vector<Memo::Growth> growth;
  for (const store::IRootGrowthRow& row : rows->growth) {
    growth.push_back({row.executions, row.nanoseconds, row.exposed});
  }
  Memo memo;
  memo.Restore(std::move(entries), std::move(facts), std::move(growth));
  return memo;
}

Result<Memo> LoadLastMemo(store::Store& store, const std::string& program) {
  const Result<uint64_t> input = store.MainInput(program);
  if (!input) return input.error();
  return LoadMemo(store, program, *input);
}

Status KeepMemo(Memo& memo, store::Store& store, const std::string& program,
                uint64_t input) {
  store::MemoRows rows;
  std::set<uint64_t> anchors;
  for (const explore::MemoEntry& entry : memo.TakeChanges()) {
    rows.roots.push_back(
        {.root = iroot::PrintIRoot(entry.root),
         .exposures = entry.exposures - entry.kept_exposures,
         .attempts = entry.attempts - entry.kept_attempts,
         .predicted = entry.predicted,
         .attempts_here = entry.attempts_here,
         .flags = (entry.candidate.after_outside ? kAfterOutside : 0) |
                  (entry.candidate.unlocked ? kUnlocked : 0) |
                  (entry.candidate.atomic ? kAtomic : 0) |
                  (entry.candidate.severe ? kSevere : 0)});
    // What is new brings its places with it.
    if (entry.kept_exposures != 0 || entry.kept_attempts != 0) continue;
    for (const iroot::Step& step : entry.root.used()) {
      anchors.insert(step.place);
    }
  }
  for (const uint64_t anchor : anchors) {
    const auto fact = memo.facts().find(anchor);
    if (fact == memo.facts().end()) continue;
    rows.places.push_back({anchor, fact->second.place, fact->second.function,
                           fact->second.library, fact->second.update});
  }
  for (const Memo::Growth& point : memo.TakeGrowth()) {
    rows.growth.push_back({point.executions, point.nanoseconds, point.exposed});
  }
  return store.AddToMemo(program, input, rows);
}

}  // namespace fairlead::cli
