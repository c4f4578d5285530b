// Mozilla #270689: requests that wait for a host are kept in a list.
//
// The fix: a lock around reading and writing the head.

#include "../zoo.h"

namespace {

constexpr unsigned kRequests = 4;

struct Request {
  unsigned host = 0;
  Request* next = nullptr;
};

Request* pending;
pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;
Request requests[2][kRequests];

void Enqueue(Request* request) {
  pthread_mutex_lock(&pending_lock);
  request->next = pending;
  pending = request;
  pthread_mutex_unlock(&pending_lock);
}

struct Loader {
  unsigned delay_us;
  Request* requests;
};

void* Load(void* argument) {
  const auto* loader = static_cast<Loader*>(argument);
  zoo_start();
  zoo_device(loader->delay_us);
  for (unsigned i = 0; i < kRequests; ++i) {
    loader->requests[i].host = zoo_compute(800, i);
    Enqueue(&loader->requests[i]);
  }
  return nullptr;
}

}  // namespace

int main() {
  Loader loaders[2] = {{0, requests[0]}, {20000, requests[1]}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Load, &loaders[0]);
  const pthread_t two = zoo_spawn(Load, &loaders[1]);
  zoo_join(one);
  zoo_join(two);
  long length = 0;
  for (const Request* r = pending; r != nullptr; r = r->next) ++length;
  if (length != 2 * kRequests) zoo_wrong("requests", length, 2 * kRequests);
  return 0;
}
