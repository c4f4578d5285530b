// MySQL #12848: the query cache is resized while queries look into it.
//
// Resizing takes the table away, flushes, and puts a larger one in its place.
//
// The bug: lookups do not take the lock that resizing holds, and meet the
// moment without a table.

#include "../zoo.h"

namespace {

class QueryCache {
 public:
  QueryCache() : bins_(Allocate(8)), num_bins_(8) {}

  void Resize(unsigned num_bins) {
    pthread_mutex_lock(&lock_);
    bins_ = nullptr;
    num_hits_ = 0;
    num_bins_ = num_bins;
    bins_ = Allocate(num_bins);
    pthread_mutex_unlock(&lock_);
  }

  // Whether the result of the query was there; it is afterwards.
  bool Lookup(unsigned query) {
    const unsigned hash = zoo_compute(3, query);
    const bool found = bins_[hash % 8] == query;
    if (found) ++num_hits_;
    bins_[hash % 8] = query;
    return found;
  }

 private:
  static unsigned* Allocate(unsigned num_bins) {
    return static_cast<unsigned*>(calloc(num_bins, sizeof(unsigned)));
  }

  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  unsigned* volatile bins_;
  unsigned num_bins_;
  unsigned num_hits_ = 0;
};

QueryCache cache;

void* RunQueries(void*) {
  zoo_start();
  for (unsigned i = 0; i < 6; ++i) {
    cache.Lookup(1 + i % 3);
    zoo_compute(1000, i);
  }
  return nullptr;
}

void* SetCacheSize(void*) {
  zoo_start();
  zoo_device(15000);
  cache.Resize(16);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(RunQueries, nullptr);
  const pthread_t two = zoo_spawn(SetCacheSize, nullptr);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
