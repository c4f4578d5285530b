/* ZSNES #10918: the emulator opens the sound device, then sets it up.
 *
 * From then on the device's thread asks for samples, scaled by a table.
 *
 * The fix: the table is filled first.
 */

#include "../zoo.h"

enum { kLevels = 8, kSamples = 16 };

static unsigned* volume_table;
static unsigned played;

static void* play(void* argument) {
  const unsigned* table = argument;
  unsigned sum = 0;
  zoo_start();
  zoo_device(100000); /* the device asks when its buffer runs empty */
  for (unsigned i = 0; i < kSamples; ++i) sum += i * table[i % kLevels];
  played = sum;
  return NULL;
}

static void fill_table(unsigned* table) {
  zoo_compute(3000, 4); /* reads the configuration */
  for (unsigned i = 0; i < kLevels; ++i) table[i] = 3 * i;
}

int main(void) {
  zoo_threads(2);
  volume_table = malloc(kLevels * sizeof *volume_table);
  fill_table(volume_table);
  const pthread_t sound = zoo_spawn(play, volume_table);
  zoo_start();
  zoo_join(sound);
  free(volume_table);
  if (played != 1512) zoo_wrong("sound", played, 1512);
  return 0;
}
