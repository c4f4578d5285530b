// EXPECT: dangling
#include <semaphore>
#include <thread>

int main() {
  std::binary_semaphore begun(0);
  std::binary_semaphore done(0);
  auto* samples = new int[8]();
  std::thread reader([&] {
    begun.release();
    volatile int last = samples[7];
    (void)last;
    done.release();
  });
  begun.acquire();
#ifdef FIXED
  done.acquire();
#endif
  delete[] samples;
  reader.join();
}
