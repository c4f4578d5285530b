#include "explore/determinism.h"

#include <fmt/core.h>

#include "explore/trace_recorder.h"
#include "explore/verdict.h"
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
  num_modules_ = 0;
  num_threads_ = 0;
  parted_.reset();
}

// Tells the digest where modules, stacks and thread-local storage lie.
void Comparison::KnowMemory(const ControlMemory& memory) {
  trace::Blocks& blocks = digest_.blocks();
  if (memory.Used(abi::RegionId::kModules) != num_modules_) {
    const auto modules = memory.Copy<abi::ModuleEntry>(abi::RegionId::kModules);
    for (; num_modules_ < modules.size(); ++num_modules_) {
      const abi::ModuleEntry& module = modules[num_modules_];
      blocks.AddKnown(module.begin, module.end,
                      trace::kModuleBlocks + num_modules_);
    }
  }
  if (memory.Used(abi::RegionId::kThreads) != num_threads_) {
    const auto threads = memory.Copy<abi::ThreadEntry>(abi::RegionId::kThreads);
    for (; num_threads_ < threads.size(); ++num_threads_) {
      const abi::ThreadEntry& thread = threads[num_threads_];
      blocks.AddKnown(thread.stack_begin, thread.stack_end,
                      trace::kStackBlocks + num_threads_);
      blocks.AddKnown(thread.tls_begin, thread.tls_end,
                      trace::kTlsBlocks + num_threads_);
    }
  }
}

void Comparison::OnRecords(std::span<const abi::Event> records,
                           const ControlMemory& memory) {
  KnowMemory(memory);
  if (first_ && records_.size() < kMaxKept) {
    records_.insert(records_.end(), records.begin(), records.end());
  }
  // As far as they make sense.
  (void)decoder_.EachUntrusted(
      records, [&](const trace::Event& event) { OnEvent(event); });
}

void Comparison::OnEvent(const trace::Event& event) {
  const uint64_t index = num_events_++;
  if (index >= kMaxKept || parted_) return;
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
