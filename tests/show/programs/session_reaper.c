// The reaper frees a session that a worker looked up and still writes to. Fix:
// Serve keeps the lock, or a reference.
//
// FUNCTIONS: Serve Reap

#include <pthread.h>
#include <stdlib.h>

struct Session {
  int id;
  int requests;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Session* current;

static struct Session* Open(int id) {
  struct Session* session = malloc(sizeof(*session));
  if (session == NULL) abort();
  session->id = id;
  session->requests = 0;
  return session;
}

static void* Serve(void* unused) {
  pthread_mutex_lock(&lock);
  struct Session* session = current;  // SHOWS
  pthread_mutex_unlock(&lock);
  if (session != NULL) session->requests++;  // SHOWS
  return unused;
}

static void* Reap(void* unused) {
  pthread_mutex_lock(&lock);
  struct Session* session = current;
  current = NULL;
  pthread_mutex_unlock(&lock);
  free(session);  // SHOWS
  return unused;
}

int main(void) {
  current = Open(3);
  pthread_t server, reaper;
  if (pthread_create(&server, NULL, Serve, NULL) != 0) return 2;
  if (pthread_create(&reaper, NULL, Reap, NULL) != 0) return 2;
  pthread_join(server, NULL);
  pthread_join(reaper, NULL);
  return 0;
}
