// Starts the functions it is given, in order, as threads a, b, c…, and waits
// for them.

#ifndef FAIRLEAD_TESTS_LITMUS_THREADS_H_
#define FAIRLEAD_TESTS_LITMUS_THREADS_H_

#include <pthread.h>
#include <stddef.h>

typedef void* (*ThreadFunction)(void*);

static inline void RunThreads(const ThreadFunction* functions, size_t count) {
  pthread_t threads[8];
  for (size_t i = 0; i < count; ++i) {
    pthread_create(&threads[i], NULL, functions[i], NULL);
  }
  for (size_t i = 0; i < count; ++i) pthread_join(threads[i], NULL);
}

#define RUN_THREADS(...)                            \
  RunThreads((const ThreadFunction[]){__VA_ARGS__}, \
             sizeof((const ThreadFunction[]){__VA_ARGS__}) / sizeof(void*))

#endif  // FAIRLEAD_TESTS_LITMUS_THREADS_H_
