// pthread_exit in a thread, below several frames with cleanup handlers, and in
// main while another thread still runs; the last thread's end ends the process.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t main_thread;
static char order[8];
static int length;

static void note(void* letter) { order[length++] = *(char*)letter; }

static void inner(void) {
  pthread_cleanup_push(note, "c");
  pthread_cleanup_push(note, "x");
  pthread_cleanup_pop(0);
  pthread_cleanup_push(note, "b");
  pthread_cleanup_pop(1);
  pthread_exit((void*)5);
  pthread_cleanup_pop(0);
}

static void* leaves(void* unused) {
  (void)unused;
  pthread_cleanup_push(note, "d");
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push((void (*)(void*))pthread_mutex_unlock, &mutex);
  inner();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}

static void* stays(void* unused) {
  (void)unused;
  void* result;
  if (pthread_join(main_thread, &result) != 0) exit(4);
  if (result != (void*)9) exit(5);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t thread;
  void* result;
  main_thread = pthread_self();
  pthread_create(&thread, 0, leaves, 0);
  pthread_join(thread, &result);
  if (result != (void*)5) return 1;
  if (length != 3 || order[0] != 'b' || order[1] != 'c' || order[2] != 'd') {
    return 2;
  }
  if (pthread_mutex_trylock(&mutex) != 0) return 3;
  pthread_mutex_unlock(&mutex);
  pthread_create(&thread, 0, stays, 0);
  pthread_exit((void*)9);
}
