/* HTTrack #20247: the mirror's worker and the global options.
 *
 * main starts the worker that reports progress, then parses the options and
 * publishes them in `global_opt`, which it reads itself before and after.
 *
 * The bug: nothing makes the worker wait for the options. It connects first,
 * which nearly always takes longer.
 */

#include "../zoo.h"

struct options {
  int verbosity;
  unsigned max_depth;
  unsigned depth[16];
};

static struct options* volatile global_opt;
static unsigned reported;

static void* mirror(void* argument) {
  unsigned links[16];
  zoo_start();
  zoo_device(100000); /* connects */
  for (unsigned i = 0; i < 16; ++i) links[i] = zoo_compute(50, i) % 4;
  for (unsigned i = 0; i < 16; ++i) {
    if (links[i] <= global_opt->max_depth) {
      global_opt->depth[i] = links[i];
      ++reported;
    }
  }
  return argument;
}

static struct options* parse(const char* const* words, unsigned num_words) {
  struct options* opt = calloc(1, sizeof *opt);
  for (unsigned i = 0; i < num_words; ++i) {
    if (words[i][0] == 'v') opt->verbosity = atoi(words[i] + 1);
    if (words[i][0] == 'r') opt->max_depth = (unsigned)atoi(words[i] + 1);
  }
  return opt;
}

int main(void) {
  static const char* const kWords[] = {"v2", "r4", "w"};
  zoo_threads(2);
  const pthread_t worker = zoo_spawn(mirror, NULL);
  zoo_start();
  if (global_opt == NULL) { /* not given by an embedding program */
    global_opt = parse(kWords, 3);
  }
  if (global_opt->verbosity > 2) printf("mirroring\n");
  zoo_join(worker);
  if (reported != 16) zoo_wrong("links", reported, 16);
  free(global_opt);
  return 0;
}
