// MySQL #48930: a plugin writes its defaults while options are applied.
//
// The plugin's thread starts by writing defaults; a session applies options.
//
// The bug: nothing makes the options wait for the defaults. Those that come
// first are overwritten.

#include <semaphore.h>

#include "../zoo.h"

namespace {

constexpr unsigned kSettings = 6;

enum Setting { kBufferSize = 2, kTimeout = 4 };

struct Plugin {
  unsigned settings[kSettings] = {};
  sem_t ready;
};

struct Option {
  Setting setting;
  unsigned value;
};

Plugin plugin;

void Apply(const Option& option) {
  zoo_compute(200, option.value);  // checks the range
  plugin.settings[option.setting] = option.value;
}

void* RunPlugin(void*) {
  zoo_start();
  zoo_compute(3000, 8);  // loads its library
  for (unsigned& setting : plugin.settings) setting = 10;
  return nullptr;
}

void* ApplyOptions(void*) {
  zoo_start();
  zoo_device(100000);  // the session connects
  Apply({kBufferSize, 64});
  Apply({kTimeout, 30});
  return nullptr;
}

}  // namespace

int main() {
  sem_init(&plugin.ready, 0, 0);
  zoo_threads(2);
  const pthread_t one = zoo_spawn(RunPlugin, nullptr);
  const pthread_t two = zoo_spawn(ApplyOptions, nullptr);
  zoo_join(one);
  zoo_join(two);
  const long size = plugin.settings[kBufferSize];
  const long timeout = plugin.settings[kTimeout];
  if (size != 64) zoo_wrong("size of the buffer", size, 64);
  if (timeout != 30) zoo_wrong("timeout", timeout, 30);
  return 0;
}
