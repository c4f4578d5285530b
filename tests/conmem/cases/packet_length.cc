// EXPECT: uninit
// A packet is in the queue before its length is set.
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

struct Packet {
  size_t length;
  unsigned char bytes[48];
};

class Queue {
 public:
  void Push(Packet* packet) {
    std::lock_guard<std::mutex> lock(mutex_);
    packets_.push_back(packet);
    more_.notify_one();
  }
  Packet* Pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    more_.wait(lock, [&] { return !packets_.empty(); });
    Packet* packet = packets_.front();
    packets_.pop_front();
    return packet;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::deque<Packet*> packets_;
};

static void Receive(Queue& queue, const char* text) {
  auto* packet = static_cast<Packet*>(::operator new(sizeof(Packet)));
  std::memcpy(packet->bytes, text, std::strlen(text));
#ifdef FIXED
  packet->length = std::strlen(text);
#endif
  queue.Push(packet);
#ifndef FIXED
  packet->length = std::strlen(text);
#endif
}

int main() {
  Queue queue;
  unsigned sum = 0;
  std::thread receiver([&] { Receive(queue, "0123456789"); });
  std::thread parser([&] {
    Packet* packet = queue.Pop();
    unsigned char copy[48];
    if (packet->length > sizeof copy) std::abort();
    std::memcpy(copy, packet->bytes, packet->length);
    sum += copy[0];
    if (packet->length == 0) std::abort();
    ::operator delete(packet);
  });
  receiver.join();
  parser.join();
  return sum != '0';
}
