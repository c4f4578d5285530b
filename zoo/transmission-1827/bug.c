/* Transmission #1827: a session is made, with a thread that handles events.
 *
 * The program keeps the session in a global, which callbacks use.
 *
 * The bug: the event thread starts inside the function that makes the
 * session, and the global is set when that returns.
 */

#include "../zoo.h"

enum { kTorrents = 5 };

struct session {
  unsigned rate[kTorrents];
  unsigned total;
  pthread_t events;
};

static struct session* volatile session;

static void on_timer(void) {
  for (unsigned i = 0; i < kTorrents; ++i) session->total += session->rate[i];
}

static void* handle_events(void* argument) {
  zoo_start();
  zoo_device(100000); /* until the first timer */
  on_timer();
  return argument;
}

static struct session* init_session(void) {
  struct session* made = calloc(1, sizeof *made);
  for (unsigned i = 0; i < kTorrents; ++i) made->rate[i] = 10 * i;
  made->events = zoo_spawn(handle_events, NULL);
  zoo_start();
  zoo_compute(4000, 2); /* reads the blocklist */
  return made;
}

int main(void) {
  zoo_threads(2);
  session = init_session();
  zoo_join(session->events);
  if (session->total != 100) zoo_wrong("rate", session->total, 100);
  free(session);
  return 0;
}
