// cli/trace_perfetto.cc
//
// `fairlead trace perfetto`: a trace as Chrome's trace JSON, which Perfetto's
// page and chrome://tracing open: a track per thread, one of who ran when, and
// a span for each lock that is held. A step is a microsecond. Works event by
// event, so that the size of the trace does not matter.

#include <fmt/format.h>

#include <map>
#include <memory>

#include "base/file.h"
#include "cli/command.h"
#include "cli/trace_input.h"
#include "finding/held_locks.h"
#include "report/event_text.h"
#include "report/run_columns.h"
#include "trace/names.h"

namespace fairlead::cli {
namespace {

using report::JsonString;
using trace::Event;
using trace::EventKind;

constexpr int kSchedule = 0;  // the track of who ran; threads are from 1

int TrackOf(trace::Tid tid) { return static_cast<int>(abi::Index(tid)) + 1; }

class PerfettoWriter {
 public:
  PerfettoWriter(const trace::Names& names, OutputFile& out)
      : names_(names), out_(out) {}

  Status Begin() {
    Put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    Entry(
        "{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\","
        "\"args\":{\"name\":\"program, a step is 1 us\"}}");
    NameTrack(kSchedule, "who runs");
    for (const auto& [tid, name] : names_.threads) {
      NameTrack(
          TrackOf(tid),
          name.name.empty()
              ? names_.ThreadText(tid)
              : fmt::format("{} ({})", names_.ThreadText(tid), name.name));
    }
    return status_;
  }

  Status On(const Event& event) {
    if (!running_ || running_->tid != event.tid) {
      EndStretch(event.seq);
      running_ = {.tid = event.tid, .since = event.seq};
    }
    last_ = event.seq;
    PutEvent(event);
    FollowLocks(event);
    return status_;
  }

  Status End() {
    EndStretch(last_ + 1);
    for (const auto& [key, id] : held_) EndLock(key.second, id, last_ + 1);
    Put("\n]}\n");
    if (status_) status_ = out_.Write(buffer_);
    return status_;
  }

 private:
  struct Stretch {
    trace::Tid tid;
    uint64_t since;
  };

  void Put(std::string_view text) {
    constexpr size_t kBufferBytes = size_t{1} << 16;
    buffer_ += text;
    if (buffer_.size() < kBufferBytes || !status_) return;
    status_ = out_.Write(buffer_);
    buffer_.clear();
  }

  void Entry(std::string_view json) {
    if (!first_) Put(",\n");
    first_ = false;
    Put(json);
  }

  void NameTrack(int track, std::string_view name) {
    Entry(
        fmt::format("{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":"
                    "\"thread_name\",\"args\":{{\"name\":{1}}}}},\n"
                    "{{\"ph\":\"M\",\"pid\":1,\"tid\":{0},\"name\":"
                    "\"thread_sort_index\",\"args\":{{\"sort_index\":{0}}}}}",
                    track, JsonString(name)));
  }

  void EndStretch(uint64_t now) {
    if (!running_) return;
    Entry(
        fmt::format("{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{},\"dur\":{}"
                    ",\"cat\":\"switch\",\"name\":{}}}",
                    kSchedule, running_->since, now - running_->since,
                    JsonString(names_.ThreadText(running_->tid))));
  }

  void PutEvent(const Event& event) {
    const trace::Place* place = names_.ShownPlaceOf(event);
    Entry(fmt::format(
        "{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"ts\":{},\"dur\":1,\"cat\":"
        "\"event\",\"name\":{},\"args\":{{\"step\":{},\"function\":{},"
        "\"place\":{}}}}}",
        TrackOf(event.tid), event.seq,
        JsonString(report::EventText(event, names_)), event.seq,
        JsonString(names_.FunctionOf(event)),
        JsonString(place == nullptr ? "" : trace::PlaceText(*place))));
  }

  void FollowLocks(const Event& event) {
    if (finding::Takes(event)) {
      TakeLock(event.tid, event.address, event.seq);
    } else if ((event.kind == EventKind::kUnlock && event.value == 0) ||
               event.kind == EventKind::kFileUnlock) {
      GiveLock(event.tid, event.address, event.seq);
    } else if (event.kind == EventKind::kWait && event.partner) {
      given_up_[event.tid] = event.partner->object;
      GiveLock(event.tid, event.partner->object, event.seq);
    } else if (event.kind == EventKind::kWaitDone &&
               given_up_.contains(event.tid)) {
      TakeLock(event.tid, given_up_[event.tid], event.seq);
    }
  }

  void TakeLock(trace::Tid tid, uint64_t lock, uint64_t now) {
    const auto [held, added] = held_.try_emplace({tid, lock}, next_id_);
    if (!added) return;
    Span('b', lock, next_id_++, now, tid);
  }

  void GiveLock(trace::Tid tid, uint64_t lock, uint64_t now) {
    const auto held = held_.find({tid, lock});
    if (held == held_.end()) return;
    EndLock(lock, held->second, now);
    held_.erase(held);
  }

  void EndLock(uint64_t lock, uint64_t id, uint64_t now) {
    Span('e', lock, id, now, trace::Tid::kMain);
  }

  void Span(char phase, uint64_t lock, uint64_t id, uint64_t now,
            trace::Tid tid) {
    std::string entry = fmt::format(
        "{{\"ph\":\"{}\",\"pid\":1,\"tid\":{},\"ts\":{},\"id\":{},\"cat\":"
        "\"lock\",\"name\":{}",
        phase, TrackOf(tid), now, id,
        JsonString("lock " + names_.ObjectText(lock)));
    if (phase == 'b') {
      entry += fmt::format(",\"args\":{{\"held by\":{}}}",
                           JsonString(names_.ThreadText(tid)));
    }
    Entry(entry + "}");
  }

  const trace::Names& names_;
  OutputFile& out_;
  std::string buffer_;
  bool first_ = true;
  Status status_;
  std::optional<Stretch> running_;
  uint64_t last_ = 0;
  uint64_t next_id_ = 1;
  std::map<std::pair<trace::Tid, uint64_t>, uint64_t> held_;  // ids of spans
  std::map<trace::Tid, uint64_t> given_up_;
};

Status Convert(const TraceInput& input, const std::string& output) {
  Result<trace::FileReader> reader = input.Open();
  if (!reader) return reader.error();
  Result<OutputFile> out = OutputFile::Create(output);
  if (!out) return out.error();
  PerfettoWriter writer(reader->names(), *out);
  Status status = writer.Begin();
  const Status read = ForEachEvent(*reader, {}, [&](const Event& event) {
    if (status) status = writer.On(event);
  });
  if (!read) return read;
  if (status) status = writer.End();
  if (!status) return status;
  return out->Finish();
}

}  // namespace

void AddTracePerfetto(CLI::App& trace, Invocation& invocation) {
  CLI::App* perfetto = trace.add_subcommand(
      "perfetto", "Write a trace as JSON that Perfetto's page opens");
  perfetto->footer(
      "Examples:\n"
      "  fairlead trace perfetto -o app.json app.trace\n"
      "      then open app.json at ui.perfetto.dev, or chrome://tracing\n");
  auto input = std::make_shared<TraceInput>();
  auto output = std::make_shared<std::string>("trace.json");
  perfetto->add_option("file", input->file, "A trace file")->required();
  perfetto->add_flag("--partial", input->partial,
                     "Of a damaged file, read what is whole");
  perfetto->add_option("-o,--output", *output, "The file to write")
      ->capture_default_str();
  perfetto->callback([input, output, &invocation] {
    invocation.action = [input, output] {
      const Status status = Convert(*input, *output);
      if (status) return ExitCode::kNothingFound;
      return Tell(status.error(), Form::kText);
    };
  });
}

}  // namespace fairlead::cli
