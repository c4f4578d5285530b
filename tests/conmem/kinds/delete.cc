// EXPECT: dangling
// The session ends when its worker has begun, not when it is done.
#include <semaphore>
#include <thread>

struct Session {
  int sent = 0;
};

int main() {
  std::binary_semaphore begun(0);
  auto* session = new Session;
  std::thread worker([&] {
    begun.release();
    ++session->sent;
  });
  begun.acquire();
#ifdef FIXED
  worker.join();
  delete session;
#else
  delete session;
  worker.join();
#endif
}
