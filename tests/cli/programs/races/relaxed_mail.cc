// A letter is announced by a flag that orders nothing. With -DFIXED it does.
// RACES: low relaxed_mail.cc:23 relaxed_mail.cc:28
// FIXED: none

#include <atomic>
#include <thread>

namespace {

#ifdef FIXED
constexpr auto kPost = std::memory_order_release;
constexpr auto kLook = std::memory_order_acquire;
#else
constexpr auto kPost = std::memory_order_relaxed;
constexpr auto kLook = std::memory_order_relaxed;
#endif

int letter;
int received;
std::atomic<int> posted;

void Send() {
  letter = 7;
  posted.store(1, kPost);
}
void Receive() {
  while (posted.load(kLook) == 0) std::this_thread::yield();
  received = letter;
}

}  // namespace

int main() {
  std::thread sender(Send);
  std::thread receiver(Receive);
  sender.join();
  receiver.join();
  return received == 7 ? 0 : 1;
}
