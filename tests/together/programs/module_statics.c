// A module with file-scope state: the newest reading and when it was made.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int reading;
static int stamp;

#ifndef FIXED
static void set_reading(int value) {
  pthread_mutex_lock(&guard);
  reading = value;
  pthread_mutex_unlock(&guard);
}

static void set_stamp(int value) {
  pthread_mutex_lock(&guard);
  stamp = value;
  pthread_mutex_unlock(&guard);
}

#endif

void publish(int value, int when) {
#ifdef FIXED
  pthread_mutex_lock(&guard);
  reading = value;
  stamp = when;
  pthread_mutex_unlock(&guard);
#else
  set_reading(value);
  set_stamp(when);
#endif
}

static void* sensor(void* arg) {
  const int id = *(int*)arg;
  publish(id * 1000, id);
  return NULL;
}

int main(void) {
  int ids[2] = {1, 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    pthread_create(&threads[i], NULL, sensor, &ids[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
