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

struct Plugin {
  unsigned settings[kSettings] = {};
  sem_t ready;
};

Plugin plugin;

void* RunPlugin(void*) {
  zoo_start();
  zoo_compute(3000, 8);  // loads its library
  for (unsigned& setting : plugin.settings) setting = 10;
  return nullptr;
}

void* ApplyOptions(void*) {
  zoo_start();
  zoo_device(100000);  // the session connects
  plugin.settings[2] = 64;
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
  if (plugin.settings[2] != 64) zoo_wrong("setting", plugin.settings[2], 64);
  return 0;
}
