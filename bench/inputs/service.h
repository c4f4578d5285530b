/* bench/inputs/service.h
 *
 * A service around the code of a specimen of the zoo, for what is remembered
 * from one input to the next. Two workers serve the requests that the letters
 * of the input stand for; starting, serving and stopping share what such
 * programs share, and are right. Letters:
 *
 *   g p   get from and put into a table        c   a new configuration
 *   s     what has been served so far          others: `special`
 *
 * The file that includes it has `special`, what the letters of its own do, and
 * `check`, which is called at the end.
 */

#ifndef FAIRLEAD_BENCH_INPUTS_SERVICE_H_
#define FAIRLEAD_BENCH_INPUTS_SERVICE_H_

#include "../../zoo/zoo.h"

static void special(char letter, unsigned worker);
static void check(const char* input);

enum { kWorkers = 2, kRoom = 4, kEntries = 4, kIdle = 1 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  char letters[kRoom];
  unsigned taken, given; /* in all; the next is letters[taken % kRoom] */
  unsigned ready;        /* workers */
  int closed;
} requests = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, "", 0, 0, 0, 0};

static struct {
  pthread_mutex_t lock;
  unsigned served, gets, puts;
} statistics = {PTHREAD_MUTEX_INITIALIZER, 0, 0, 0};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned table[kEntries];
static unsigned version;          /* of the configuration; atomic */
static char scoreboard[kWorkers]; /* what each serves; atomic */

static char take_request(void) {
  char letter = 0;
  pthread_mutex_lock(&requests.lock);
  while (requests.taken == requests.given && !requests.closed) {
    pthread_cond_wait(&requests.changed, &requests.lock);
  }
  if (requests.taken != requests.given) {
    letter = requests.letters[requests.taken++ % kRoom];
    pthread_cond_broadcast(&requests.changed);
  }
  pthread_mutex_unlock(&requests.lock);
  return letter;
}

static void give_request(char letter) {
  pthread_mutex_lock(&requests.lock);
  while (requests.given - requests.taken == kRoom) {
    pthread_cond_wait(&requests.changed, &requests.lock);
  }
  requests.letters[requests.given++ % kRoom] = letter;
  pthread_cond_broadcast(&requests.changed);
  pthread_mutex_unlock(&requests.lock);
}

static void use_table(char letter) {
  pthread_mutex_lock(&table_lock);
  if (letter == 'p') ++table[table[0] % kEntries];
  const unsigned value = table[0];
  pthread_mutex_unlock(&table_lock);
  pthread_mutex_lock(&statistics.lock);
  if (letter == 'p') {
    ++statistics.puts;
  } else {
    statistics.gets += value != 0;
  }
  pthread_mutex_unlock(&statistics.lock);
}

static unsigned report(void) {
  unsigned busy = 0;
  for (unsigned i = 0; i < kWorkers; ++i) {
    busy += __atomic_load_n(&scoreboard[i], __ATOMIC_ACQUIRE) != kIdle;
  }
  pthread_mutex_lock(&statistics.lock);
  busy += statistics.gets + statistics.puts;
  pthread_mutex_unlock(&statistics.lock);
  return busy;
}

static void serve(char letter, unsigned worker) {
  switch (letter) {
    case 'g':
    case 'p':
      use_table(letter);
      break;
    case 's':
      report();
      break;
    case 'c':
      __atomic_fetch_add(&version, 1, __ATOMIC_ACQ_REL);
      break;
    default:
      special(letter, worker);
  }
}

static void* work(void* argument) {
  const unsigned worker = *(const unsigned*)argument;
  pthread_mutex_lock(&requests.lock);
  ++requests.ready;
  pthread_cond_broadcast(&requests.changed);
  pthread_mutex_unlock(&requests.lock);
  for (char letter; (letter = take_request()) != 0;) {
    __atomic_store_n(&scoreboard[worker], letter, __ATOMIC_RELEASE);
    zoo_compute(100, __atomic_load_n(&version, __ATOMIC_ACQUIRE));
    serve(letter, worker);
    pthread_mutex_lock(&statistics.lock);
    ++statistics.served;
    pthread_mutex_unlock(&statistics.lock);
    __atomic_store_n(&scoreboard[worker], (char)kIdle, __ATOMIC_RELEASE);
  }
  return NULL;
}

int main(int argc, char** argv) {
  const char* input = argc > 1 ? argv[1] : "";
  unsigned numbers[kWorkers] = {0, 1};
  pthread_t workers[kWorkers];
  for (unsigned i = 0; i < kWorkers; ++i) {
    workers[i] = zoo_spawn(work, &numbers[i]);
  }
  pthread_mutex_lock(&requests.lock);
  while (requests.ready < kWorkers) {
    pthread_cond_wait(&requests.changed, &requests.lock);
  }
  pthread_mutex_unlock(&requests.lock);
  for (const char* letter = input; *letter != 0; ++letter) {
    give_request(*letter);
  }
  pthread_mutex_lock(&requests.lock);
  requests.closed = 1;
  pthread_cond_broadcast(&requests.changed);
  pthread_mutex_unlock(&requests.lock);
  for (unsigned i = 0; i < kWorkers; ++i) zoo_join(workers[i]);
  if (statistics.served != strlen(input)) {
    zoo_wrong("served", statistics.served, (long)strlen(input));
  }
  check(input);
  return 0;
}

#endif /* FAIRLEAD_BENCH_INPUTS_SERVICE_H_ */
