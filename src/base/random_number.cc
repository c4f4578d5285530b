#include "base/random_number.h"

#include <fcntl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

#include "base/file.h"

namespace fairlead {
namespace {

bool ReadDevice(uint64_t& number) {
  const Fd device(open("/dev/urandom", O_RDONLY | O_CLOEXEC));
  return device &&
         read(device.get(), &number, sizeof(number)) == sizeof(number);
}

// Spreads what differs in few bits over all (the finaliser of SplitMix64,
// Steele, Lea, Flood, OOPSLA 2014).
uint64_t Mixed(uint64_t number) {
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

uint64_t FromTime() {
  static std::atomic<uint64_t> calls = 0;
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t time = static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
                        static_cast<uint64_t>(now.tv_nsec);
  return Mixed(time ^ Mixed(static_cast<uint64_t>(getpid()) << 32 |
                            (calls++ & 0xffff'ffff)));
}

}  // namespace

uint64_t RandomNumber() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number) ||
      ReadDevice(number)) {
    return number;
  }
  return FromTime();
}

}  // namespace fairlead
