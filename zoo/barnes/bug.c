/* Barnes, shaped like SPLASH-2's: in each step bodies are put into cells, which
 * have locks, then forces are computed, then the bodies move. A barrier stands
 * behind each phase. main is thread 0.
 *
 * The bug: each thread adds its bodies' momentum when it is done, and main
 * reads the sum without waiting for the others.
 */

#include "../zoo.h"

enum { kBodies = 8, kCells = 4, kThreads = 2, kSteps = 2 };

struct body {
  long position;
  long velocity;
};

struct cell {
  pthread_mutex_t lock;
  long mass;
};

static struct body bodies[kBodies];
static struct cell cells[kCells];
static pthread_barrier_t phase_done;
static pthread_mutex_t momentum_lock = PTHREAD_MUTEX_INITIALIZER;
static long momentum; /* under momentum_lock */

static unsigned cell_of(const struct body* body) {
  const long cell = body->position / 25;
  return cell < 0 ? 0 : cell >= kCells ? kCells - 1 : (unsigned)cell;
}

static void load(unsigned thread) {
  for (unsigned i = thread; i < kBodies; i += kThreads) {
    struct cell* cell = &cells[cell_of(&bodies[i])];
    pthread_mutex_lock(&cell->lock);
    cell->mass += 1;
    pthread_mutex_unlock(&cell->lock);
  }
}

/* Towards the heavier side: opposite bodies get opposite forces. */
static long force(const struct body* body) {
  long left = 0;
  long right = 0;
  const unsigned own = cell_of(body);
  for (unsigned i = 0; i < kCells; ++i) {
    if (i < own) left += cells[i].mass;
    if (i > own) right += cells[i].mass;
  }
  return right - left;
}

static void simulate(unsigned thread) {
  for (unsigned step = 0; step < kSteps; ++step) {
    load(thread);
    pthread_barrier_wait(&phase_done);
    for (unsigned i = thread; i < kBodies; i += kThreads) {
      bodies[i].velocity += force(&bodies[i]);
    }
    pthread_barrier_wait(&phase_done);
    if (thread == 0) {
      for (unsigned i = 0; i < kCells; ++i) cells[i].mass = 0;
    }
    for (unsigned i = thread; i < kBodies; i += kThreads) {
      bodies[i].position += bodies[i].velocity / 4;
    }
    pthread_barrier_wait(&phase_done);
  }
  long sum = 0;
  for (unsigned i = thread; i < kBodies; i += kThreads) {
    sum += bodies[i].velocity;
  }
  pthread_mutex_lock(&momentum_lock);
  momentum += sum;
  pthread_mutex_unlock(&momentum_lock);
}

static void* work(void* argument) {
  zoo_start();
  simulate(1);
  return argument;
}

int main(void) {
  for (unsigned i = 0; i < kBodies; ++i) bodies[i].position = 12 * (long)i;
  for (unsigned i = 0; i < kCells; ++i)
    pthread_mutex_init(&cells[i].lock, NULL);
  pthread_barrier_init(&phase_done, NULL, kThreads);
  zoo_threads(kThreads);
  const pthread_t other = zoo_spawn(work, NULL);
  zoo_start();
  simulate(0);
  zoo_device(100000); /* opens the file for the result */
  const long sum = momentum;
  zoo_join(other);
  long expected = 0;
  for (unsigned i = 0; i < kBodies; ++i) expected += bodies[i].velocity;
  if (sum != expected) zoo_wrong("momentum", sum, expected);
  return 0;
}
