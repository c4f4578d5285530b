// A handle that one thread takes away between another's look at it and its use.
// What the program did with the null pointer is to be told, at its own line,
// and not where in the runtime or the C library that was noticed. The argument
// chooses what is done: unlock, lock, signal, ... (see Use).

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
  if (strcmp(what, "read") == 0) length = *(volatile unsigned*)handle;
  if (strcmp(what, "write") == 0) *(volatile double*)handle = 0;
  if (strcmp(what, "add") == 0) __atomic_fetch_add((int*)handle, 1, 0);
  if (strcmp(what, "copy") == 0) strcpy(name, handle);
}

// A null pointer may be freed, and is known for one without a look.
static void* InsteadFor(const char* what) {
  static const char* const kNowhere[] = {"free", "read", "write", "add",
                                         "copy"};
  for (int i = 0; i < 5; ++i) {
    if (strcmp(what, kNowhere[i]) == 0) return (void*)0x100000;
  }
  return NULL;
}

static void* HandleFor(const char* what) {
  if (strcmp(what, "signal") == 0) return &changed;
  if (strcmp(what, "post") == 0) return &slots;
  if (strcmp(what, "length") == 0) return name;
  if (strcmp(what, "free") == 0) return malloc(1);
  if (strcmp(what, "copy") == 0) return "text";
  return &mutex;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "unlock";
  handle = HandleFor(what);
  sem_init(&slots, 0, 0);
  if (strcmp(what, "unlock") == 0) pthread_mutex_lock(&mutex);
  pthread_t thread;
  pthread_create(&thread, NULL, TakeAway, InsteadFor(what));
  Use(what);
  pthread_join(thread, NULL);
  return 0;
}
