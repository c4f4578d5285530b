// EXPECT: dangling
// Statistics live in thread-local storage; a reporter adds them up, and lets
// the thread go on to its end after the first one.
#include <cstdio>
#include <semaphore>
#include <thread>

struct Statistics {
  long requests = 1;
  long bytes = 512;
};

static thread_local Statistics own;
static Statistics* served;
static std::binary_semaphore ready(0), reported(0);

static void Serve() {
  served = &own;
  ++own.requests;
  ready.release();
  reported.acquire();
}

static long Report() {
  ready.acquire();
  long sum = served->requests;
#ifndef FIXED
  reported.release();
#endif
  sum += served->bytes;
#ifdef FIXED
  reported.release();
#endif
  return sum;
}

int main() {
  long sum = 0;
  std::thread server(Serve);
  std::thread reporter([&] { sum = Report(); });
  server.join();
  reporter.join();
  std::puts(sum > 0 ? "ok" : "odd");
  return 0;
}
