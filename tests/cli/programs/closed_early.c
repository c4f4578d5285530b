// A session that is closed while others still use it: one cause, the free in
// Close(), and as many places at which it may be noticed as there are steps in
// the others' work. Twin: the argument "wait" has Close() come last.

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Session {
  int requests;
  int bytes;
  int errors;
};

static struct Session* session;

static void Request(struct Session* s) { ++s->requests; }
static void Send(struct Session* s) { s->bytes += 10; }
static void Check(struct Session* s) { s->errors += s->bytes < s->requests; }

static void* Work(void* unused) {
  Request(session);
  Send(session);
  Check(session);
  return unused;
}

static void Close(void) { free(session); }

int main(int argc, char** argv) {
  const int waits = argc > 1 && strcmp(argv[1], "wait") == 0;
  session = calloc(1, sizeof(*session));
  pthread_t worker;
  pthread_create(&worker, NULL, Work, NULL);
  if (!waits) Close();
  pthread_join(worker, NULL);
  if (waits) Close();
  return 0;
}
