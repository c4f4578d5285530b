/* ZSNES #10918: the emulator opens the sound device, then sets it up.
 *
 * From then on the device's thread asks for samples, scaled by a table.
 *
 * The fix: the table is filled first.
 */

#include "../zoo.h"

enum { kLevels = 8, kSamples = 16, kChannels = 2 };

struct channel {
  unsigned pitch;
  unsigned level; /* index into the table */
};

static struct channel channels[kChannels];
static unsigned* volume_table;
static unsigned played;

/* The next sample of a channel, before it is scaled. */
static unsigned next_sample(struct channel* channel, unsigned i) {
  channel->level = (channel->level + channel->pitch) % kLevels;
  return i % 5;
}

static void* play(void* argument) {
  const unsigned* table = argument;
  unsigned sum = 0;
  zoo_start();
  zoo_device(100000); /* the device asks when its buffer runs empty */
  for (unsigned i = 0; i < kSamples; ++i) {
    struct channel* channel = &channels[i % kChannels];
    const unsigned sample = next_sample(channel, i);
    sum += sample * table[channel->level];
  }
  played = sum;
  return NULL;
}

static void fill_table(unsigned* table) {
  zoo_compute(3000, 4); /* reads the configuration */
  for (unsigned i = 0; i < kLevels; ++i) table[i] = 3 * i;
}

int main(void) {
  zoo_threads(2);
  for (unsigned i = 0; i < kChannels; ++i) channels[i].pitch = 1 + 2 * i;
  volume_table = malloc(kLevels * sizeof *volume_table);
  fill_table(volume_table);
  const pthread_t sound = zoo_spawn(play, volume_table);
  zoo_start();
  zoo_join(sound);
  free(volume_table);
  if (played != 369) zoo_wrong("sound", played, 369);
  return 0;
}
