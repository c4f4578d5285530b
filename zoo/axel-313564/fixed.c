/* Axel: a monitor looks after the connections of a download.
 *
 * A connection notes when it last received something. The monitor cancels
 * those that have been quiet for too long.
 *
 * The fix: the start is noted before the connection's thread begins.
 */

#include "../zoo.h"

enum { kChunks = 6, kTimeout = 45, kNow = 1000 };

struct connection {
  int last_transfer;
  int cancelled;
  unsigned bytes[kChunks];
};

static struct connection connection;

static void note_transfer(struct connection* conn) {
  __atomic_store_n(&conn->last_transfer, kNow, __ATOMIC_RELAXED);
}

static int last_transfer(const struct connection* conn) {
  return __atomic_load_n(&conn->last_transfer, __ATOMIC_RELAXED);
}

static void* download(void* argument) {
  struct connection* conn = argument;
  zoo_start();
  for (unsigned i = 0; i < kChunks; ++i) {
    conn->bytes[i] = zoo_compute(300, i);
    note_transfer(conn);
  }
  return NULL;
}

static void* monitor(void* argument) {
  struct connection* conn = argument;
  zoo_start();
  zoo_device(100000);
  if (kNow - last_transfer(conn) > kTimeout) conn->cancelled = 1;
  return NULL;
}

int main(void) {
  zoo_threads(2);
  note_transfer(&connection);
  const pthread_t one = zoo_spawn(download, &connection);
  const pthread_t two = zoo_spawn(monitor, &connection);
  zoo_join(one);
  zoo_join(two);
  if (connection.cancelled) zoo_wrong("cancelled connections", 1, 0);
  return 0;
}
