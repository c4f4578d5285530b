// Mozilla #52111: a document is laid out anew, and painted.
//
// `in_reflow` keeps reflow from entering itself: set before, cleared behind.
//
// The fix: painting waits for the lock that reflow holds.

#include "../zoo.h"

namespace {

constexpr unsigned kBoxes = 8;
constexpr unsigned kPaints = 4;

struct Document {
  pthread_mutex_t layout = PTHREAD_MUTEX_INITIALIZER;
  volatile bool in_reflow = false;
  unsigned height[kBoxes] = {};
  unsigned num_painted = 0;
};

Document document;

void Reflow(unsigned width) {
  pthread_mutex_lock(&document.layout);
  document.in_reflow = true;
  for (unsigned i = 0; i < kBoxes; ++i) document.height[i] = 100 * i / width;
  document.in_reflow = false;
  pthread_mutex_unlock(&document.layout);
}

void Paint() {
  pthread_mutex_lock(&document.layout);
  if (!document.in_reflow) ++document.num_painted;
  pthread_mutex_unlock(&document.layout);
}

void* PaintEvents(void*) {
  zoo_start();
  for (unsigned i = 0; i < kPaints; ++i) {
    Paint();
    zoo_compute(2000, i);
  }
  return nullptr;
}

void* ResizeWindow(void*) {
  zoo_start();
  zoo_device(15000);
  Reflow(20);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(PaintEvents, nullptr);
  const pthread_t two = zoo_spawn(ResizeWindow, nullptr);
  zoo_join(one);
  zoo_join(two);
  if (document.num_painted != kPaints) {
    zoo_wrong("paint events", document.num_painted, kPaints);
  }
  return 0;
}
