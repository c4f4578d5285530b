// Promises that are kept when a thread ends, or broken, while another thread is
// about to wait for them.
// RACES: none

#include <future>
#include <thread>

int main() {
  std::promise<int> kept, broken;
  std::future<int> value = kept.get_future();
  std::future<int> nothing = broken.get_future();
  std::thread keeper([&kept, dropped = std::move(broken)]() mutable {
    kept.set_value_at_thread_exit(1);
    std::promise<int> gone = std::move(dropped);
  });
  bool caught = false;
  try {
    nothing.get();
  } catch (const std::future_error&) {
    caught = true;
  }
  const int code = value.get();
  keeper.join();
  return caught && code == 1 ? 0 : 1;
}
