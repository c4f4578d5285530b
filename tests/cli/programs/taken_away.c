// A handle that one thread takes away between another's look at it and its use.
// What the program did with the null pointer is to be told, at its own line,
// and not where in the runtime or the C library that was noticed. The argument
// chooses what is done: unlock, lock, signal, post, free or length.

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t slots;
static char name[] = "name";
static void* handle;
static size_t length;

static void* TakeAway(void* instead) {
  handle = instead;
  return NULL;
}

static void Use(const char* what) {
  if (handle == NULL) return;
  if (strcmp(what, "unlock") == 0) pthread_mutex_unlock(handle);
  if (strcmp(what, "lock") == 0) pthread_mutex_lock(handle);
  if (strcmp(what, "signal") == 0) pthread_cond_signal(handle);
  if (strcmp(what, "post") == 0) sem_post(handle);
  if (strcmp(what, "free") == 0) free(handle);
  if (strcmp(what, "length") == 0) length = strlen(handle);
}

static void* HandleFor(const char* what) {
  if (strcmp(what, "signal") == 0) return &changed;
  if (strcmp(what, "post") == 0) return &slots;
  if (strcmp(what, "length") == 0) return name;
  if (strcmp(what, "free") == 0) return malloc(1);
  return &mutex;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "unlock";
  handle = HandleFor(what);
  sem_init(&slots, 0, 0);
  if (strcmp(what, "unlock") == 0) pthread_mutex_lock(&mutex);
  pthread_t thread;
  // A null pointer may be freed.
  void* instead = strcmp(what, "free") == 0 ? (void*)0x100000 : NULL;
  pthread_create(&thread, NULL, TakeAway, instead);
  Use(what);
  pthread_join(thread, NULL);
  return 0;
}
