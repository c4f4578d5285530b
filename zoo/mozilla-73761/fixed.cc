// Mozilla #73761: a page's channel is exchanged while an event arrives.
//
// The exchange puts a placeholder in, asks it for its name, and puts the new
// channel in.
//
// The fix: events take the lock that the exchange holds.

#include "../zoo.h"

namespace {

struct Channel {
  const char* name;
  void (*handle)(unsigned event);
};

unsigned num_handled;

void HandleEvent(unsigned event) { num_handled += event != 0 ? 1 : 0; }

Channel placeholder = {"(loading)", nullptr};
Channel first = {"first", HandleEvent};
Channel second = {"second", HandleEvent};

struct Page {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Channel* volatile channel = &first;
  char title[16] = "";
};

Page page;

void Exchange(Channel* channel) {
  pthread_mutex_lock(&page.lock);
  page.channel = &placeholder;
  snprintf(page.title, sizeof page.title, "%s", page.channel->name);
  page.channel = channel;
  pthread_mutex_unlock(&page.lock);
}

void Dispatch(unsigned event) {
  pthread_mutex_lock(&page.lock);
  page.channel->handle(event);
  pthread_mutex_unlock(&page.lock);
}

void* Events(void*) {
  zoo_start();
  for (unsigned event = 1; event <= 5; ++event) {
    Dispatch(event);
    zoo_compute(1000, event);
  }
  return nullptr;
}

void* Navigate(void*) {
  zoo_start();
  zoo_device(15000);
  Exchange(&second);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Events, nullptr);
  const pthread_t two = zoo_spawn(Navigate, nullptr);
  zoo_join(one);
  zoo_join(two);
  return num_handled == 5 ? 0 : 1;
}
