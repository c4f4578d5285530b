// raytracer: two runners render lines and add to one checksum.
//
// The fix: a runner adds under the lock of the scene that they share.

#include "../monitor.h"
#include "../zoo.h"

namespace {

constexpr unsigned kLines = 4;
constexpr unsigned kWidth = 6;

struct Scene {
  Monitor monitor;
  long checksum = 0;
};

Scene scene;

class Runner {
 public:
  Runner(unsigned first_line, unsigned delay_us)
      : first_line_(first_line), delay_us_(delay_us) {}

  void Run() {
    zoo_start();
    zoo_device(delay_us_);
    for (unsigned line = 0; line < kLines; ++line) Render(first_line_ + line);
  }

 private:
  void Render(unsigned line) {
    long sum = 0;
    for (unsigned x = 0; x < kWidth; ++x) {
      pixels_[x] = zoo_compute(100, line * kWidth + x) % 256;
      sum += pixels_[x];
    }
    Synchronized there(scene.monitor);
    scene.checksum = scene.checksum + sum;
  }

  unsigned first_line_;
  unsigned delay_us_;
  unsigned pixels_[kWidth] = {};
};

void* RunOne(void* argument) {
  static_cast<Runner*>(argument)->Run();
  return nullptr;
}

long Expected() {
  long sum = 0;
  for (unsigned i = 0; i < 2 * kLines * kWidth; ++i) {
    sum += zoo_compute(100, i) % 256;
  }
  return sum;
}

}  // namespace

int main() {
  Runner upper(0, 0);
  Runner lower(kLines, 20000);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(RunOne, &upper);
  const pthread_t two = zoo_spawn(RunOne, &lower);
  zoo_join(one);
  zoo_join(two);
  if (scene.checksum != Expected()) {
    zoo_wrong("checksum", scene.checksum, Expected());
  }
  return 0;
}
