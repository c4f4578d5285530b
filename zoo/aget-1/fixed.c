/* Aget: a thread that prints progress on a signal, and main, which ends it.
 *
 * main downloads. When it is done it cancels the thread, whose cancellation is
 * asynchronous, and prints its own last line.
 *
 * The fix: the thread cannot be cancelled while it prints.
 */

#include "../zoo.h"

enum { kChunks = 6 };

static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned num_done;     /* under progress_lock */
static char bar[kChunks + 1]; /* under the lock of stdout */

static unsigned progress(void) {
  pthread_mutex_lock(&progress_lock);
  const unsigned done = num_done;
  pthread_mutex_unlock(&progress_lock);
  return done;
}

static void print_progress(unsigned done) {
  flockfile(stdout);
  for (unsigned i = 0; i < kChunks; ++i) bar[i] = i < done ? '#' : '.';
  bar[kChunks] = '\n';
  fwrite(bar, 1, sizeof bar, stdout);
  funlockfile(stdout);
}

static void* handle_signals(void* argument) {
  int old;
  /* Cancellation is held back while the thread looks at shared counters. */
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
  zoo_start();
  zoo_device(1000); /* the user asks for the progress */
  const unsigned done = progress();
  print_progress(done);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  zoo_device(1000000); /* waits for the next signal, until cancelled */
  return argument;
}

int main(void) {
  zoo_threads(2);
  const pthread_t thread = zoo_spawn(handle_signals, NULL);
  zoo_start();
  for (unsigned chunk = 0; chunk < kChunks; ++chunk) {
    zoo_device(3000); /* receives */
    pthread_mutex_lock(&progress_lock);
    ++num_done;
    pthread_mutex_unlock(&progress_lock);
  }
  pthread_cancel(thread);
  zoo_join(thread);
  print_progress(progress());
  return 0;
}
