// How fast events are analysed, and whether memory stays flat: a made-up
// program of any length (bench/analysis/workload.h) through the decoder and the
// analyses. Time is processor time of reading, without making the events up, so
// that a busy machine does not count.
//
//   throughput EVENTS [ANALYSIS…]   all of them by default; `none`: the order
//                                   model alone; `decode`: not even that;
//                                   `observer`, `profiler`: those of iRoots

#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "analysis/iroot/observer.h"
#include "analysis/iroot/profiler.h"
#include "analysis/predictor/predictor.h"
#include "base/check.h"
#include "bench/analysis/workload.h"
#include "trace/decode.h"

namespace fairlead::bench {
namespace {

constexpr size_t kChunk = 1 << 15;

double ProcessorSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) * 1e-9;
}

double ResidentMegabytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t total = 0;
  uint64_t resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident) * 4096 / 1e6;
}

// `consume` is given each event, `expect` records of events to come.
template <typename Consume, typename Expect>
void Run(uint64_t num_events, Consume consume, Expect expect) {
  Workload workload(88172645463325252u);
  trace::Decoder decoder;
  std::vector<abi::Event> records;
  uint64_t done = 0;
  uint64_t next_tenth = num_events / 10;
  double spent = 0;
  std::printf("events        events/s      resident MB\n");
  while (done < num_events) {
    records.clear();
    workload.Fill(records, kChunk);
    const double start = ProcessorSeconds();
    const Status status = decoder.EachUntrusted(records, consume, expect);
    FL_CHECK(status.has_value(), "the workload makes no sense");
    done = decoder.num_events();
    spent += ProcessorSeconds() - start;
    if (done < next_tenth) continue;
    next_tenth += num_events / 10;
    std::printf("%-12lu  %-12.0f  %.1f\n", static_cast<unsigned long>(done),
                static_cast<double>(done) / spent, ResidentMegabytes());
  }
}

template <typename Consume>
void Run(uint64_t num_events, Consume consume) {
  Run(num_events, consume, [](const abi::Event&) {});
}

int Predict(uint64_t num_events, analysis::Predictor predictor) {
  Run(
      num_events, [&](const trace::Event& event) { predictor.OnEvent(event); },
      [&](const abi::Event& record) { predictor.Expect(record); });
  std::printf("predictions: %zu\n", predictor.list().predictions().size());
  return 0;
}

int Observe(uint64_t num_events) {
  analysis::iroot::Observer observer;
  Run(num_events, [&](const trace::Event& event) { observer.OnEvent(event); });
  std::printf("exposed: %zu\n", observer.exposed().size());
  return 0;
}

int Profile(uint64_t num_events) {
  analysis::iroot::Profiler profiler;
  Run(num_events, [&](const trace::Event& event) { profiler.OnEvent(event); });
  const double start = ProcessorSeconds();
  profiler.OnEnd();
  std::printf("predicted: %zu; the end took %.2f s%s\n",
              profiler.predicted().size(), ProcessorSeconds() - start,
              profiler.cut() ? " and was cut" : "");
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) {
  using fairlead::analysis::FindAnalysis;
  if (argc < 2) {
    std::fprintf(stderr, "usage: throughput EVENTS [ANALYSIS...]\n");
    return 2;
  }
  const uint64_t num_events = std::strtoull(argv[1], nullptr, 10);
  using namespace fairlead::bench;
  if (argc == 2) return Predict(num_events, fairlead::analysis::Predictor());
  const std::string_view word = argv[2];
  if (word == "observer") return Observe(num_events);
  if (word == "profiler") return Profile(num_events);
  if (word == "decode") {
    Run(num_events, [](const fairlead::trace::Event&) {});
    return 0;
  }
  std::vector<std::unique_ptr<fairlead::analysis::Analysis>> some;
  for (int i = 2; i < argc; ++i) {
    const auto* entry = FindAnalysis(argv[i]);
    if (entry != nullptr) some.push_back(entry->make());
  }
  return Predict(num_events, fairlead::analysis::Predictor(std::move(some)));
}
