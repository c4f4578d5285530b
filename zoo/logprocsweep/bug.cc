// LogProcSweep: processes add to a log that is swept now and then.
//
// Sweeping takes the log away and puts an empty one in its place.
//
// The bug: a process tests `log` and uses it, and the sweeper clears it
// between.

#include "../zoo.h"

namespace {

constexpr unsigned kRecords = 4;

struct Log {
  unsigned records[2 * kRecords] = {};
  unsigned num_records = 0;  // atomic
  Log* older = nullptr;
};

Log* volatile log_now;
unsigned num_skipped;  // atomic

void AddTo(Log* log, unsigned record) {
  const unsigned at =
      __atomic_fetch_add(&log->num_records, 1, __ATOMIC_SEQ_CST);
  log->records[at] = record;
}

void Add(unsigned record) {
  if (log_now != nullptr) {
    AddTo(log_now, record);
  } else {
    __atomic_fetch_add(&num_skipped, 1, __ATOMIC_SEQ_CST);
  }
}

void Sweep() {
  Log* const old = log_now;
  log_now = nullptr;
  Log* const fresh = new Log;
  fresh->older = old;
  log_now = fresh;
}

void* Process(void* argument) {
  const unsigned number = *static_cast<unsigned*>(argument);
  zoo_start();
  for (unsigned i = 0; i < kRecords; ++i) {
    zoo_compute(500, i);
    Add(number * 10 + i);
  }
  return nullptr;
}

void* Sweeper(void*) {
  zoo_start();
  zoo_device(15000);
  Sweep();
  return nullptr;
}

}  // namespace

int main() {
  unsigned numbers[2] = {1, 2};
  log_now = new Log;
  zoo_threads(3);
  const pthread_t one = zoo_spawn(Process, &numbers[0]);
  const pthread_t two = zoo_spawn(Process, &numbers[1]);
  const pthread_t sweeper = zoo_spawn(Sweeper, nullptr);
  zoo_join(one);
  zoo_join(two);
  zoo_join(sweeper);
  unsigned num_records = num_skipped;
  while (log_now != nullptr) {
    Log* const older = log_now->older;
    num_records += log_now->num_records;
    delete log_now;
    log_now = older;
  }
  return num_records == 2 * kRecords ? 0 : 1;
}
