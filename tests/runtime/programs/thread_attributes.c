// Threads with attributes: stack size, a stack of the program's own, detached,
// guard; pthread_getattr_np tells the truth about them, names and settings are
// given back.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(64) char own_stack[256 * 1024];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static int detached_done;

static void check(int holds, int code) {
  if (!holds) exit(code);
}

static void check_stack(size_t at_least) {
  char local;
  void* begin;
  size_t bytes;
  pthread_attr_t attr;
  check(pthread_getattr_np(pthread_self(), &attr) == 0, 10);
  check(pthread_attr_getstack(&attr, &begin, &bytes) == 0, 11);
  check(bytes >= at_least, 12);
  check(&local > (char*)begin && &local < (char*)begin + bytes, 13);
  pthread_attr_destroy(&attr);
}

static void* on_large_stack(void* unused) {
  (void)unused;
  volatile char deep[12 << 20];
  for (size_t i = 0; i < sizeof(deep); i += 4096) deep[i] = 1;
  check_stack(16 << 20);
  return (void*)(uintptr_t)deep[4096];
}

static void* on_own_stack(void* unused) {
  (void)unused;
  char local;
  check(&local > own_stack && &local < own_stack + sizeof(own_stack), 20);
  check_stack(sizeof(own_stack) - 4096);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_exit((void*)3);
}

static void* detached(void* unused) {
  (void)unused;
  int state;
  pthread_attr_t attr;
  pthread_getattr_np(pthread_self(), &attr);
  pthread_attr_getdetachstate(&attr, &state);
  pthread_attr_destroy(&attr);
  check(state == PTHREAD_CREATE_DETACHED, 30);
  pthread_mutex_lock(&mutex);
  detached_done = 1;
  pthread_cond_signal(&ended);
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* named(void* creator) {
  char name[16];
  check(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0, 40);
  check(strcmp(name, "creator") == 0, 41);  // inherited
  check(pthread_setname_np(pthread_self(), "sixteen letters!") == ERANGE, 42);
  check(pthread_setname_np(pthread_self(), "worker") == 0, 43);
  check(pthread_getname_np(pthread_self(), name, 5) == ERANGE, 44);
  check(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0, 45);
  check(strcmp(name, "worker") == 0, 46);
  check(pthread_getname_np(*(pthread_t*)creator, name, 16) == 0, 47);
  check(strcmp(name, "creator") == 0, 48);
  cpu_set_t set;
  check(pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0, 49);
  check(pthread_setaffinity_np(pthread_self(), sizeof(set), &set) == 0, 50);
  int policy;
  struct sched_param param;
  check(pthread_getschedparam(pthread_self(), &policy, &param) == 0, 51);
  check(policy == SCHED_OTHER && param.sched_priority == 0, 52);
  check(pthread_setschedparam(pthread_self(), SCHED_OTHER, &param) == 0, 53);
  return 0;
}

static void round_trips(void) {
  pthread_attr_t attr;
  size_t size;
  int value;
  pthread_attr_init(&attr);
  pthread_attr_getdetachstate(&attr, &value);
  check(value == PTHREAD_CREATE_JOINABLE, 60);
  check(pthread_attr_setdetachstate(&attr, 77) == EINVAL, 61);
  check(pthread_attr_setstacksize(&attr, 1) == EINVAL, 62);
  check(pthread_attr_setstacksize(&attr, 1 << 20) == 0, 63);
  pthread_attr_getstacksize(&attr, &size);
  check(size == 1 << 20, 64);
  pthread_attr_setguardsize(&attr, 8192);
  pthread_attr_getguardsize(&attr, &size);
  check(size == 8192, 65);
  pthread_attr_destroy(&attr);
}

int main(void) {
  pthread_t thread, self = pthread_self();
  pthread_attr_t attr;
  void* result;
  round_trips();
  check_stack(64 * 1024);
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 16 << 20);
  check(pthread_create(&thread, &attr, on_large_stack, 0) == 0, 2);
  pthread_join(thread, &result);
  check(result == (void*)1, 3);
  pthread_attr_destroy(&attr);

  pthread_attr_init(&attr);
  pthread_attr_setstack(&attr, own_stack, sizeof(own_stack));
  check(pthread_create(&thread, &attr, on_own_stack, 0) == 0, 4);
  check(!pthread_equal(thread, self), 5);
  pthread_join(thread, &result);
  check(result == (void*)3, 6);
  pthread_attr_destroy(&attr);

  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_create(&thread, &attr, detached, 0);
  pthread_attr_destroy(&attr);
  pthread_mutex_lock(&mutex);
  while (!detached_done) pthread_cond_wait(&ended, &mutex);
  pthread_mutex_unlock(&mutex);

  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 24 << 20);
  check(pthread_setattr_default_np(&attr) == 0, 7);
  pthread_attr_destroy(&attr);
  check(pthread_create(&thread, 0, on_large_stack, 0) == 0, 8);
  pthread_join(thread, 0);

  pthread_setname_np(self, "creator");
  pthread_create(&thread, 0, named, &self);
  pthread_join(thread, 0);
  return 0;
}
