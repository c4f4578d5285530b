// W-W order: the flag says "ready" before the data is.
#include <atomic>
#include <thread>

#include "jitter.h"

namespace {

std::atomic<bool> ready{false};
int data = 0;
int seen = 0;

void Produce() {
  work(100, 500);
  ready.store(true);
  work(0, 30);
  data = 42;
}

void Consume() {
  while (!ready.load()) work(5, 60);
  work(0, 20);
  seen = data;
}

}  // namespace

int main() {
  std::thread producer(Produce);
  std::thread consumer(Consume);
  producer.join();
  consumer.join();
  return seen == 42 ? 0 : 1;
}
