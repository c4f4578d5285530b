// A consumer waits for an item and keeps the lock of the settings meanwhile;
// the producer looks at the settings before it brings one. Fixed: the consumer
// gives that lock back first.

#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex settings;
int limit = 1;

std::mutex queue;
std::condition_variable brought;
int items;

void Consume() {
  std::unique_lock<std::mutex> look(settings);
  const int most = limit;
#ifdef FIXED
  look.unlock();
#endif
  std::unique_lock<std::mutex> lock(queue);
  brought.wait(lock, [] { return items > 0; });
  items -= items < most ? items : most;
}

void Produce() {
  const std::lock_guard<std::mutex> look(settings);
  const std::lock_guard<std::mutex> lock(queue);
  items += limit;
  brought.notify_one();
}

int main() {
  std::thread consumer(Consume);
  std::thread producer(Produce);
  consumer.join();
  producer.join();
}
