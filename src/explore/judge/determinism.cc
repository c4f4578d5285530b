#include "explore/judge/determinism.h"

#include <fmt/core.h>

#include "explore/judge/uncontrolled.h"
#include "explore/names/trace_recorder.h"
#include "trace/text.h"

namespace fairlead::explore {
namespace {

int ExitOf(const Ending& ending) {
  return ending.signal != 0 ? -ending.signal : ending.exit_code;
}

}  // namespace

void Comparison::BeginRepetition() {
  decoder_ = {};
  digest_ = {};
  num_events_ = 0;
  modules_.clear();
  parted_.reset();
}

// Tells the digest of a module when the stream does. Not of all that the table
// has: how many those are depends on when the records are read, and what lies
// in a module that came later would be something else each time. (Stacks and
// thread-local storage have events of their own.)
void Comparison::KnowModule(const trace::Event& event,
                            const ControlMemory& memory) {
  if (memory.Used(abi::RegionId::kModules) != modules_.size()) {
    modules_ = memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules);
  }
  for (size_t i = 0; i < modules_.size(); ++i) {
    const abi::ModuleEntry& module = modules_[i];
    if (event.address < module.begin || event.address >= module.end) continue;
    digest_.blocks().AddKnown(module.begin, module.end,
                              trace::kModuleBlocks + i);
    return;
  }
}

void Comparison::OnRecords(std::span<const abi::Event> records,
                           const ControlMemory& memory) {
  if (first_ && records_.size() < kMaxKept) {
    records_.insert(records_.end(), records.begin(), records.end());
  }
  // As far as they make sense.
  (void)decoder_.EachUntrusted(
      records, [&](const trace::Event& event) { OnEvent(event, memory); });
}

void Comparison::OnEvent(const trace::Event& event,
                         const ControlMemory& memory) {
  const uint64_t index = num_events_++;
  if (index >= kMaxKept || parted_) return;
  if (event.kind == abi::EventKind::kModuleData) KnowModule(event, memory);
  const uint64_t word = digest_.Word(event);
  if (first_) {
    words_.push_back(word);
  } else if (index >= words_.size() || words_[index] != word) {
    parted_ = event;
  }
}

std::string Comparison::EventText(const trace::Event& event,
                                  Namer& namer) const {
  std::vector<abi::Event> record(1);
  record[0].site = event.site;
  record[0].flags = event.flags;
  record[0].node = event.node;
  record[0].kind = event.kind;
  UsedNumbers used;
  AddUsed(record, used);
  return trace::PrintEvent(event, namer.For(used), nullptr);
}

std::vector<std::string> Comparison::Differences(const Executed& executed,
                                                 Namer& namer) {
  const abi::Outcome& now = executed.outcome;
  std::vector<std::string> lines;
  if (first_) {
    first_ = false;
    outcome_ = now;
    exit_ = ExitOf(executed.ending);
    return lines;
  }
  const auto differ = [&](std::string_view what, auto before, auto after) {
    if (before == after) return;
    lines.push_back(
        fmt::format("{}: {} in the first, {} now", what, before, after));
  };
  if (parted_) {
    lines.push_back(fmt::format("event {} differs; now it is  {}", parted_->seq,
                                EventText(*parted_, namer)));
    const auto before = trace::DecodeUntrusted(records_);
    if (before && parted_->seq < before->size()) {
      lines.push_back(fmt::format("it was in the first      {}",
                                  EventText((*before)[parted_->seq], namer)));
    }
  }
  differ("exit code", exit_, ExitOf(executed.ending));
  differ("outcome", static_cast<uint32_t>(outcome_->status),
         static_cast<uint32_t>(now.status));
  differ("threads", outcome_->num_threads, now.num_threads);
  differ("events", outcome_->events, now.events);
  differ("points", outcome_->points, now.points);
  if (lines.empty()) {
    differ("digest of events", outcome_->event_digest, now.event_digest);
    differ("digest of the schedule", outcome_->schedule_digest,
           now.schedule_digest);
  }
  if (!lines.empty()) {
    for (const std::string& line : UncontrolledLines(now, &namer)) {
      lines.push_back("not controlled: " + line);
    }
  }
  return lines;
}

}  // namespace fairlead::explore
