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

/* Half of what a torrent asks for when all together ask for too much. */
static unsigned share(unsigned rate, unsigned asked) {
  return asked > 60 ? rate / 2 : rate;
}

static void on_timer(void) {
  unsigned asked = 0;
  for (unsigned i = 0; i < kTorrents; ++i) asked += session->rate[i];
  for (unsigned i = 0; i < kTorrents; ++i) {
    session->total += share(session->rate[i], asked);
  }
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
  if (session->total != 50) zoo_wrong("rate", session->total, 50);
  free(session);
  return 0;
}
