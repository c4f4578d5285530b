// Sums what four threads put into a queue.
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "queue.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#ifndef HAVE_PTHREAD_CREATE
#error "the configure check for pthread_create failed"
#endif
#ifdef HAVE_NO_SUCH_FUNCTION
#error "the configure check found a function that does not exist"
#endif
#if SIZEOF_LONG != 8
#error "the configure check of sizes failed"
#endif
#endif

int main() {
  std::unique_ptr<queue, void (*)(queue*)> q(queue_make(3), queue_free);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) queue_put(q.get(), t * 10 + i);
    });
  }
  int sum = 0;
  for (int i = 0; i < 40; ++i) sum += queue_take(q.get());
  for (std::thread& thread : threads) thread.join();
  std::printf("sum %d\n", sum);
  return sum == 780 ? 0 : 1;
}
