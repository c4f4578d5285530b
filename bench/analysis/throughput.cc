// How fast events are analysed, and whether memory stays flat: a made-up
// program of any length (bench/analysis/workload.h) through the decoder and the
// analyses. Time is processor time of reading, without making the events up, so
// that a busy machine does not count.
//
//   throughput EVENTS [ANALYSIS…]   all of them by default; `none`: the order
//                                   model alone; `decode`: not even that

#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "base/check.h"
#include "bench/analysis/workload.h"
#include "explore/predictor.h"
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

int Run(uint64_t num_events, explore::Predictor* predictor) {
  Workload workload(88172645463325252u);
  trace::Decoder decoder;
  trace::Event event;
  std::vector<abi::Event> records;
  uint64_t done = 0;
  uint64_t next_tenth = num_events / 10;
  double spent = 0;
  std::printf("events        events/s      resident MB\n");
  while (done < num_events) {
    records.clear();
    workload.Fill(records, kChunk);
    const double start = ProcessorSeconds();
    decoder.FeedUntrusted(records);
    while (true) {
      const Result<bool> got = decoder.Next(event);
      FL_CHECK(got.has_value(), "the workload makes no sense");
      if (!*got) break;
      if (predictor != nullptr) predictor->OnEvent(event);
      ++done;
    }
    spent += ProcessorSeconds() - start;
    if (done < next_tenth) continue;
    next_tenth += num_events / 10;
    std::printf("%-12lu  %-12.0f  %.1f\n", static_cast<unsigned long>(done),
                static_cast<double>(done) / spent, ResidentMegabytes());
  }
  if (predictor != nullptr) {
    std::printf("predictions: %zu\n", predictor->list().predictions().size());
  }
  return 0;
}

}  // namespace
}  // namespace fairlead::bench

int main(int argc, char** argv) {
  using fairlead::explore::FindAnalysis;
  if (argc < 2) {
    std::fprintf(stderr, "usage: throughput EVENTS [ANALYSIS...]\n");
    return 2;
  }
  const uint64_t num_events = std::strtoull(argv[1], nullptr, 10);
  if (argc == 2) {
    fairlead::explore::Predictor all;
    return fairlead::bench::Run(num_events, &all);
  }
  if (std::strcmp(argv[2], "decode") == 0) {
    return fairlead::bench::Run(num_events, nullptr);
  }
  std::vector<std::unique_ptr<fairlead::analysis::Analysis>> some;
  for (int i = 2; i < argc; ++i) {
    const auto* entry = FindAnalysis(argv[i]);
    if (entry != nullptr) some.push_back(entry->make());
  }
  fairlead::explore::Predictor predictor(std::move(some));
  return fairlead::bench::Run(num_events, &predictor);
}
